//! A Kustomization: who applies HelmReleases, and what keeps it from applying them.
//!
//! Reasons of `Ready` are those of kustomize-controller 1.x (`api/v1`, `fluxcd/pkg/apis/meta`).

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use super::collect::World;
use super::helm_release::{KubeConfig, Reference};
use super::{delivery, way_out};
use crate::deployer::{Delivery, Sign, Standing, Statement, evidence};
use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
use crate::report::Confidence;

/// A living controller notes a new generation at once; this much is left for a busy one.
const PATIENCE: SignedDuration = SignedDuration::from_secs(60);

/// Reasons that tell a class which the text alone may not.
const CLASSES: [(&str, &str); 5] = [
    ("ArtifactFailed", "chart.fetch"),
    ("SourceNotReady", "chart.fetch"),
    ("BuildFailed", "yaml"),
    ("DependencyNotReady", "dependency"),
    ("HealthCheckFailed", "wait.timeout"),
];

/// `kustomize.toolkit.fluxcd.io/v1 Kustomization`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Kustomization {
    /// As the object has it.
    #[serde(deserialize_with = "lenient")]
    api_version: String,
    /// Name and namespace.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    spec: Spec,
    /// What came of it.
    #[serde(deserialize_with = "lenient")]
    status: Status,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
    #[serde(deserialize_with = "lenient")]
    suspend: bool,
    #[serde(deserialize_with = "lenient")]
    source_ref: Reference,
    #[serde(deserialize_with = "lenient")]
    depends_on: Vec<Reference>,
    #[serde(deserialize_with = "lenient")]
    kube_config: Option<KubeConfig>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
    #[serde(deserialize_with = "lenient")]
    conditions: Vec<Condition>,
    #[serde(deserialize_with = "lenient")]
    observed_generation: Option<i64>,
    #[serde(deserialize_with = "lenient")]
    last_applied_revision: String,
    #[serde(deserialize_with = "lenient")]
    last_attempted_revision: String,
}

impl Kustomization {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        let version = match self.api_version.as_str() {
            "" => "kustomize.toolkit.fluxcd.io/v1",
            version => version,
        };
        self.metadata.as_object(version, "Kustomization")
    }

    /// Why what is in Git may not have come through.
    pub fn trouble(&self) -> Option<String> {
        if self.spec.suspend {
            return Some("it is suspended".into());
        }
        self.ready()
            .filter(|ready| ready.is_false())
            .map(|ready| format!("{}: {}", ready.reason, ready.message))
    }

    fn ready(&self) -> Option<&Condition> {
        condition(&self.status.conditions, "Ready")
    }

    fn state(&self) -> &'static str {
        match self.ready() {
            _ if self.spec.suspend => "Suspended",
            Some(ready) if ready.is_true() => "Ready",
            Some(ready) if ready.is_false() => "NotReady",
            _ => "Reconciling",
        }
    }

    /// The source or Kustomization that `reference` names, in this one's namespace unless it says another.
    fn resolve(&self, reference: &Reference, api_version: &str, kind: &str) -> ObjectRef {
        let namespace =
            if reference.namespace.is_empty() { &self.metadata.namespace } else { &reference.namespace };
        ObjectRef::new(api_version, kind, namespace, &reference.name)
    }
}

/// What one Kustomization delivers. It has no release: the objects that it applies are its own.
pub fn delivery(kustomization: &Kustomization, world: &World, now: Timestamp) -> Delivery {
    let object = kustomization.as_object();
    let ready = kustomization.ready();
    let is_failing = ready.is_some_and(Condition::is_false);
    let signs: Vec<Sign> = [suspended(kustomization), told(kustomization, world), silent(kustomization, now)]
        .into_iter()
        .flatten()
        .collect();
    let standing = match signs.as_slice() {
        _ if is_failing => Standing::Stuck,
        [] => Standing::Landed,
        _ if ready.is_some_and(Condition::is_true) => Standing::LooksReady,
        _ => Standing::Stuck,
    };
    let applied = &kustomization.status.last_applied_revision;
    Delivery {
        deployer: "flux",
        manager: "kustomize-controller",
        owner: Some(object.clone()),
        chain: vec![object.clone()],
        cluster: Some(delivery::cluster_of(
            &kustomization.metadata.namespace,
            kustomization.spec.kube_config.as_ref(),
            world,
        )),
        state: Value::from(kustomization.state()),
        standing,
        wanted: Some(&kustomization.status.last_attempted_revision)
            .filter(|revision| !revision.is_empty())
            .cloned(),
        statements: ready
            .filter(|ready| ready.is_false())
            .map(|ready| Statement {
                text: ready.message.clone(),
                source: format!("{object}, condition Ready ({})", ready.reason),
                is_current: true,
            })
            .into_iter()
            .collect(),
        signs,
        heals_itself: !kustomization.spec.suspend,
        paused: kustomization.spec.suspend,
        evidence: Some(applied)
            .filter(|revision| is_failing && !revision.is_empty())
            .map(|revision| evidence(format!("{object}, status"), format!("last applied whole: {revision}")))
            .into_iter()
            .collect(),
        ways_out: if is_failing && !kustomization.spec.suspend {
            way_out::reconcile_kustomization(&object)
        } else {
            Vec::new()
        },
        ..Delivery::default()
    }
}

fn suspended(kustomization: &Kustomization) -> Option<Sign> {
    let object = kustomization.as_object();
    kustomization.spec.suspend.then(|| Sign {
        ways_out: way_out::resume_kustomization(&object),
        ..Sign::new(
            "suspended",
            Confidence::Likely,
            "suspended: nothing that Git changes from now on is applied, and drift stays unseen".into(),
            vec![evidence(format!("{object}, spec.suspend"), "true")],
        )
    })
}

/// What `Ready` says, with the object that is at the root of it.
fn told(kustomization: &Kustomization, world: &World) -> Option<Sign> {
    let ready = kustomization.ready().filter(|ready| ready.is_false())?;
    let (_, class) = CLASSES.iter().find(|(reason, _)| *reason == ready.reason)?;
    let object = kustomization.as_object();
    let mut sign = Sign::new(
        class,
        Confidence::Likely,
        format!("{}: {}", ready.reason, ready.message.lines().next().unwrap_or_default()),
        vec![evidence(format!("{object}, condition Ready"), ready.message.clone())],
    );
    match *class {
        "chart.fetch" => {
            let reference = &kustomization.spec.source_ref;
            let source = kustomization.resolve(reference, "source.toolkit.fluxcd.io/v1", &reference.kind);
            let complaint =
                world.sources.find(&source).map(|found| found.complaint().unwrap_or("ready").to_owned());
            sign.summary = match &complaint {
                Some(complaint) => format!("{source}: {complaint}"),
                None => format!("{source} was not found"),
            };
            sign.evidence.push(evidence(source.to_string(), complaint.unwrap_or_else(|| "not found".into())));
            sign.ways_out = way_out::fetch_again(&source);
        }
        "dependency" => {
            for reference in &kustomization.spec.depends_on {
                let above = kustomization.resolve(reference, &object.api_version, "Kustomization");
                let found = world.kustomizations.iter().find(|it| it.as_object().is_same_object(&above));
                let says = match found {
                    None => "does not exist".to_owned(),
                    Some(found) if found.state() == "Ready" => continue,
                    Some(found) => found.trouble().unwrap_or_else(|| found.state().to_owned()),
                };
                sign.summary = format!("waits for {above}: {says}");
                sign.evidence.push(evidence(above.to_string(), says));
            }
        }
        _ => {}
    }
    Some(sign)
}

/// kustomize-controller does not look at it.
fn silent(kustomization: &Kustomization, now: Timestamp) -> Option<Sign> {
    let generation = kustomization.metadata.generation.filter(|_| !kustomization.spec.suspend)?;
    let conditions = &kustomization.status.conditions;
    let newest = conditions.iter().filter_map(|it| it.observed_generation);
    if newest.chain(kustomization.status.observed_generation).any(|seen| seen >= generation) {
        return None;
    }
    let written = kustomization.metadata.last_written(&["kustomize-controller"]);
    let confidence = match written.map(|written| now.duration_since(written)) {
        Some(age) if age > PATIENCE => Confidence::Likely,
        Some(_) => return None,
        None => Confidence::Possible,
    };
    let says = match conditions.as_slice() {
        [] => "it has no status at all".to_owned(),
        _ => format!("generation {generation} is in no condition"),
    };
    Some(Sign {
        ways_out: way_out::look_at_controller("kustomize-controller"),
        ..Sign::new(
            "deployer.down",
            confidence,
            format!("kustomize-controller does not answer: {says}"),
            vec![evidence(kustomization.as_object().to_string(), says)],
        )
    })
}
