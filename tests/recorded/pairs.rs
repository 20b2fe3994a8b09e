//! Two programs on one object, and releases whose owner is gone.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::incident::Incident;

/// Recording, question, both names that some finding must tell together, and the object or field.
const PAIRS: [(&str, &str, [&str; 2], &str); 8] = [
    ("flux-takeover", "why", ["shop-takeover/legacy", "this one too"], "objects"),
    (
        "flux-takeover",
        "audit",
        ["Helm, by a person or a pipeline", "Flux's helm-controller"],
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
        let report = Incident::named(case).expect(case).report(&[question]);
        let claims = claims(&report);
        assert!(
            claims.iter().any(|it| it.contains(one) && it.contains(other) && it.contains(what)),
            "{case} {question}: {claims:#?}"
        );
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
