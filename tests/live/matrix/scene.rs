//! A namespace, one of the two Helms and a release, for one row of the matrix.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::api::{BROWSER, HARNESS, Verb};
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::ControlPlane;
use crate::harness::kubelet::{Fate, Kubelet};
use crate::harness::release::{self, Revision};
use crate::harness::tools::{Outcome, line};
use crate::harness::wait;

const SOON: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helm {
    Three,
    Four,
}

impl Helm {
    pub fn short(self) -> &'static str {
        match self {
            Self::Three => "h3",
            Self::Four => "h4",
        }
    }

    pub fn program(self) -> &'static str {
        match self {
            Self::Three => "helm3",
            Self::Four => "helm4",
        }
    }
}

pub struct Scene<'a> {
    pub plane: &'a ControlPlane,
    pub helm: Helm,
    pub namespace: String,
    told: RefCell<Vec<String>>,
}

impl<'a> Scene<'a> {
    pub fn new(plane: &'a ControlPlane, helm: Helm, name: &str) -> Self {
        // Not one with a number: a recording should differ from the one before in what matters only.
        let namespace = format!("{name}-{}", helm.short());
        plane.create_namespace(&namespace);
        Self { plane, helm, namespace, told: RefCell::default() }
    }

    /// What was done so far, for a recording.
    pub fn told(&self) -> Vec<String> {
        // Charts lie in temporary folders, whose names say nothing and would differ in each recording.
        let name = |word| if Path::new(word).is_dir() { "./chart" } else { word };
        let told = self.told.borrow();
        told.iter().map(|deed| deed.split(' ').map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    fn tell(&self, deed: String) {
        self.told.borrow_mut().push(deed);
    }

    fn words(&self, command: &[&str], rest: &[&str]) -> Vec<String> {
        command
            .iter()
            .chain(&["--namespace", &self.namespace])
            .chain(rest)
            .map(|word| (*word).to_owned())
            .collect()
    }

    /// `helm upgrade --install shop`, with the flags given.
    #[track_caller]
    pub fn deploy(&self, chart: Chart, flags: &[&str]) -> Outcome {
        let chart = chart.write(self.plane);
        self.helm(&["upgrade", "--install", RELEASE, &chart], flags)
    }

    #[track_caller]
    pub fn helm(&self, command: &[&str], flags: &[&str]) -> Outcome {
        let words = self.words(command, flags);
        self.tell(line(self.helm.program(), &words));
        self.plane.tools().run(self.helm.program(), &words)
    }

    /// The same, sent a signal as soon as `reached` returns.
    #[track_caller]
    pub fn helm_until(&self, signal: &str, command: &[&str], flags: &[&str], reached: impl FnOnce()) {
        let words = self.words(command, flags);
        let helm = self.plane.tools().begin(self.helm.program(), &words);
        reached();
        helm.signal(signal);
        self.tell(format!("{}, sent SIG{signal} while it waited", line(self.helm.program(), &words)));
    }

    /// What a person does with the buttons of a web UI.
    #[track_caller]
    pub fn scale_in_a_browser(&self, replicas: u32) {
        self.plane.api().scale(BROWSER, &self.namespace, DEPLOYMENT, replicas);
        self.tell(format!("{DEPLOYMENT} scaled to {replicas} in a browser"));
    }

    #[track_caller]
    pub fn kubectl(&self, command: &[&str]) -> Outcome {
        let words = self.words(command, &[]);
        self.tell(line("kubectl", &words));
        self.plane.tools().kubectl(&words)
    }

    #[track_caller]
    pub fn apply(&self, objects: &[Value]) {
        let file = self.plane.scratch("objects").join("objects.json");
        let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
        fs::write(&file, list.to_string()).expect("a file in the plane's folder");
        let words = self.words(&["apply", "--filename", file.to_str().expect("UTF-8")], &[]);
        self.plane.tools().kubectl(&words).succeeded();
        self.tell(format!("kubectl apply --namespace {} --filename - <<< {list}", self.namespace));
    }

    pub fn pods_become(&self, fate: Fate) -> Kubelet {
        Kubelet::play(self.plane, &self.namespace, move |_| fate)
    }

    pub fn history(&self) -> Vec<Revision> {
        release::history(self.plane.api(), &self.namespace, RELEASE)
    }

    #[track_caller]
    pub fn await_status(&self, status: &str) {
        wait::expect(&format!("a revision that is {status}"), SOON, || {
            let newest = self.history().pop().map(|revision| revision.status);
            if newest.as_deref() == Some(status) { Ok(()) } else { Err(format!("{newest:?}")) }
        });
    }

    /// Admission rules and quotas are in force a moment after they are created. Asks in a dry run until one
    /// is.
    #[track_caller]
    pub fn await_refusal(&self, plural: &str, object: &Value, text: &str) {
        let version = object["apiVersion"].as_str().expect("an apiVersion");
        let root = if version.contains('/') { "apis" } else { "api" };
        let path = format!("/{root}/{version}/namespaces/{}/{plural}?dryRun=All", self.namespace);
        wait::expect(&format!("a refusal with {text:?}"), SOON, || {
            let answer = self.plane.api().send(HARNESS, Verb::Create, &path, object);
            let message = answer.body["message"].as_str().unwrap_or_default().to_owned();
            if message.contains(text) { Ok(()) } else { Err(answer.body) }
        });
    }

    #[track_caller]
    pub fn await_replicas(&self, replicas: u32) {
        self.await_deployment("/spec/replicas", replicas);
    }

    #[track_caller]
    pub fn await_generation(&self, generation: u32) {
        self.await_deployment("/metadata/generation", generation);
    }

    #[track_caller]
    fn await_deployment(&self, pointer: &str, wanted: u32) {
        let path = format!("/apis/apps/v1/namespaces/{}/deployments/{DEPLOYMENT}", self.namespace);
        wait::expect(&format!("{pointer} of {DEPLOYMENT} to be {wanted}"), SOON, || {
            let deployment = self.plane.api().get(&path).ok();
            match deployment.pointer(pointer) {
                Some(value) if *value == wanted => Ok(()),
                other => Err(format!("{other:?}")),
            }
        });
    }
}
