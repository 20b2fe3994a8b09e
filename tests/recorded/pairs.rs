//! Two programs on one object, and releases whose owner is gone.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::incident::Incident;

/// Recording, question, both names that some finding must tell together, and the object or field.
const PAIRS: [(&str, &str, [&str; 2], &str); 8] = [
    ("flux-takeover", "why", ["shop-takeover/legacy", "this one too"], "objects"),
    (
        "flux-takeover",
        "audit",
        ["Helm release shop-takeover/shop", "Helm release shop-takeover/legacy"],
        "Deployment shop-takeover/shop",
    ),
    ("argo-helm-and-argo-forced", "why", ["Helm", "Argo CD"], "Deployment shop-both/shop-podinfo"),
    ("argo-helm-and-argo", "why", ["this Application", "the Helm release"], "shop-both/"),
    ("argo-helm-and-argo-ssa", "why", ["this Application", "the Helm release"], "shop-both-ssa/"),
    ("argo-shared-resource-selfheal", "why", ["shop-shared", "shop-shared-b"], "ConfigMap/shop-settings"),
    ("helm-ssa-hpa", "audit", ["the chart", "HorizontalPodAutoscaler shop-web"], ".spec.replicas"),
    ("flux-hpa", "audit", ["the chart", "HorizontalPodAutoscaler shop"], ".spec.replicas"),
];

/// Everything that one claim says at once: summaries and evidence, each on its own.
fn claims(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .flat_map(|finding| {
            let evidence = finding["evidence"].as_array().unwrap().iter().map(|it| &it["says"]);
            evidence.chain([&finding["summary"]]).filter_map(Value::as_str)
        })
        .collect()
}

#[test]
fn two_programs_on_one_object_are_named_as_a_pair() {
    for (case, question, [one, other], what) in PAIRS {
        assert_pair(&Incident::named(case).expect(case).report(&[question]), [one, other], what);
    }
}

/// A recording with its JSON edited by hand: what nobody recorded together.
struct Edited(TempDir);

impl Edited {
    fn of(case: &str, edit: impl Fn(&mut Value)) -> Self {
        let folder = TempDir::new().unwrap();
        let incident = Incident::named(case).expect(case);
        for cluster in std::fs::read_dir(incident.folder.join("clusters")).unwrap().map(Result::unwrap) {
            let target = folder.path().join(cluster.file_name());
            std::fs::create_dir(&target).unwrap();
            for file in std::fs::read_dir(cluster.path()).unwrap().map(Result::unwrap) {
                let mut list: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
                list["items"].as_array_mut().unwrap().iter_mut().for_each(&edit);
                std::fs::write(target.join(file.file_name()), list.to_string()).unwrap();
            }
        }
        Self(folder)
    }

    fn report(&self, question: &str) -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
            .args([question, "-o", "json", "--from"])
            .arg(self.0.path())
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn is_workload(object: &Value) -> bool {
    object["kind"] == "Deployment"
}

fn assert_pair(report: &Value, [one, other]: [&str; 2], what: &str) {
    let claims = claims(report);
    assert!(
        claims.iter().any(|it| it.contains(one) && it.contains(other) && it.contains(what)),
        "{one}, {other}: {claims:#?}"
    );
}

/// A release that took the object over with `--take-ownership`: the annotations are its own now.
#[test]
fn two_plain_releases_are_named_as_a_pair() {
    let edited = Edited::of("helm-ssa-scale", |object| {
        if is_workload(object) {
            object["metadata"]["annotations"]["meta.helm.sh/release-name"] = "other".into();
        }
    });
    let pair = ["Helm release ssa-scale/other", "Helm release ssa-scale/shop"];
    assert_pair(&edited.report("audit"), pair, "Deployment ssa-scale/shop-web");
}

#[test]
fn flux_and_kubectl_apply_are_named_as_a_pair() {
    let edited = Edited::of("flux-drift-off", |object| {
        if is_workload(object) {
            object["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
                "{}".into();
            for entry in object["metadata"]["managedFields"].as_array_mut().unwrap() {
                if entry["manager"] == "kubectl-set" {
                    entry["manager"] = "kubectl-client-side-apply".into();
                }
            }
        }
    });
    assert_pair(&edited.report("audit"), ["Helm", "kubectl apply"], "Deployment shop-drift-off/shop");
}

/// KEDA makes an HPA of its own; people know the ScaledObject.
#[test]
fn a_chart_and_keda_are_named_as_a_pair() {
    for (case, name) in [("helm-ssa-hpa", "shop-web"), ("flux-hpa", "shop")] {
        let edited = Edited::of(case, |object| {
            if object["kind"] == "HorizontalPodAutoscaler" {
                object["apiVersion"] = "keda.sh/v1alpha1".into();
                object["kind"] = "ScaledObject".into();
                object["spec"]["scaleTargetRef"] = json!({"name": name});
            }
        });
        let pair = ["the chart", &format!("ScaledObject {name}")];
        assert_pair(&edited.report("audit"), pair, ".spec.replicas");
    }
}

/// Recordings with a failed release, and the owner's file that an edit takes out: the owner was deleted and
/// its release stayed (a finalizer taken off by hand, `kubectl delete --cascade=orphan`).
const ORPHANS: [(&str, &str); 4] = [
    ("flux-hook-ssa-conflict", "helmreleases.helm.toolkit.fluxcd.io.json"),
    ("flux-immutable-csa", "helmreleases.helm.toolkit.fluxcd.io.json"),
    ("k3s-ssa-conflict-abort", "helmcharts.helm.cattle.io.json"),
    ("k3s-immutable-abort", "helmcharts.helm.cattle.io.json"),
];

#[test]
fn a_release_whose_owner_was_deleted_is_plain_helms() {
    for (case, owners) in ORPHANS {
        let incident = Incident::named(case).expect(case);
        let edited = TempDir::new().unwrap();
        for cluster in std::fs::read_dir(incident.folder.join("clusters")).unwrap().map(Result::unwrap) {
            let target = edited.path().join(cluster.file_name());
            std::fs::create_dir(&target).unwrap();
            for file in std::fs::read_dir(cluster.path()).unwrap().map(Result::unwrap) {
                if file.file_name() != owners {
                    std::fs::copy(file.path(), target.join(file.file_name())).unwrap();
                }
            }
        }
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
            .args(["why", "-o", "json", "--from"])
            .arg(edited.path())
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let truth = &incident.case["findings"][0];
        let told = report["findings"].as_array().unwrap();
        let found = told
            .iter()
            .find(|it| it["class"] == truth["class"])
            .unwrap_or_else(|| panic!("{case}: {told:?}"));
        assert!(found["owner"].is_null(), "{case}");
        assert_eq!(found["release"]["revision"], truth["revision"], "{case}");
    }
}
