//! Ownership and foresight, stage by stage of the recorded stories.

use helm_forensics::fields::{Applied, Live, ManagedFields, Method, Path, Prediction, predict};
use serde_json::{Value, json};

use crate::recorded::RECORDED;

const OWN: &str = "helm";

fn live(case: &str, kind: &str) -> Value {
    let all = RECORDED[case].clusters.values().flatten();
    let found = all.rev().find(|object| object["kind"] == kind);
    found.unwrap_or_else(|| panic!("{case} has no {kind}")).clone()
}

fn owners(live: &Value, path: &str) -> Vec<String> {
    let managed = ManagedFields::of(live).unwrap();
    let path = Path::resolve(path, managed.sets(), Some(live)).unwrap();
    let told = managed.owners_of(&path).into_iter().map(|owner| {
        format!("{} {:?} {}", owner.manager, owner.operation, owner.subresource).trim().to_owned()
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

#[test]
fn co_owners_of_each_stage() {
    for (case, expected) in [
        ("helm-ssa-fix-scale-1-failed", &["kubectl Update scale"][..]),
        ("helm-ssa-fix-scale-2-healed", &["helm Apply", "kubectl Update scale"]),
        ("helm-ssa-fix-scale-3-next-change", &["helm Apply", "kubectl Update scale"]),
        ("helm-ssa-fix-patch-1-failed", &["kubectl-patch Update"]),
        ("helm-ssa-fix-patch-2-healed", &["helm Apply", "kubectl-patch Update"]),
        ("helm-ssa-fix-patch-3-next-change", &["helm Apply", "kubectl-patch Update"]),
        ("helm-ssa-fix-apply-1-failed", &["terraform Apply"]),
        ("helm-ssa-fix-apply-2-healed", &["helm Apply", "terraform Apply"]),
        ("helm-ssa-fix-apply-3-next-change", &["helm Apply", "terraform Apply"]),
        ("helm-ssa-fix-apply-withdrawn-1-failed", &["terraform Apply"]),
        ("helm-ssa-fix-apply-withdrawn-2-healed", &["helm Apply"]),
        ("helm-ssa-fix-apply-withdrawn-3-next-change", &["helm Apply"]),
        ("helm-ssa-fix-drop-entry-1-failed", &["kubectl Update scale"]),
        ("helm-ssa-fix-drop-entry-2-healed", &["helm Apply"]),
        ("helm-ssa-fix-drop-entry-3-next-change", &["helm Apply"]),
        ("helm-ssa-fix-scale-other-manager-1-failed", &["kubectl Update scale"]),
        ("helm-ssa-fix-scale-other-manager-2-healed", &["helm Apply", "k9s Update"]),
        ("helm-ssa-fix-scale-other-manager-3-next-change", &["helm Apply", "k9s Update"]),
        ("helm-ssa-fix-adopt-live", &["helm Apply", "kubectl Update scale"]),
        ("helm-ssa-fix-force", &["helm Apply"]),
        ("helm-ssa-fix-leave-out", &["kubectl Update scale"]),
        ("helm-csa-to-ssa-1-auto", &["helm Update"]),
        ("helm-csa-to-ssa-2-first-ssa", &["helm Apply"]),
        ("helm-csa-to-ssa-3-later", &["helm Apply"]),
        ("argo-helm-and-argo", &["argocd-controller Update"]),
        ("argo-helm-and-argo-ssa", &["argocd-controller Apply"]),
        ("argo-drift", &["kubectl Update scale"]),
        ("argo-leave-out-ssa", &["kubectl Update scale"]),
        ("argo-leave-out-ssa-coowned", &["kubectl Update scale"]),
        ("argo-leave-out-ssa-hpa", &["kube-controller-manager Update scale"]),
    ] {
        assert_eq!(owners(&live(case, "Deployment"), ".spec.replicas"), expected, "{case}");
    }
}

/// A minimal manifest that asks for these replicas, or leaves them out.
fn manifest(live: &Value, replicas: Option<u64>) -> Value {
    let metadata = &live["metadata"];
    let mut spec = json!({"selector": live["spec"]["selector"]});
    if let Some(replicas) = replicas {
        spec["replicas"] = replicas.into();
    }
    json!({"apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]}, "spec": spec})
}

fn foretell(
    live: &Value,
    before: Option<u64>,
    after: Option<u64>,
    manager: &str,
    method: Method,
) -> Prediction {
    let (previous, desired) = (manifest(live, before), manifest(live, after));
    predict(&Applied {
        desired: &desired,
        live: Some(&Live::of(live)),
        previous: Some(&previous),
        manager,
        method,
        schema: None,
    })
}

/// One line for what becomes of `.spec.replicas`.
fn fate(prediction: &Prediction) -> String {
    let is_replicas = |path: &Path| path.to_string() == ".spec.replicas";
    if let Some(one) = prediction.conflicts.iter().find(|one| is_replicas(&one.path)) {
        return format!("conflict with {} {} {}", one.owner.manager, one.wanted, one.live);
    }
    if let Some(one) = prediction.overwrites.iter().find(|one| is_replicas(&one.path)) {
        let owners: Vec<&str> = one.owners.iter().map(|owner| owner.manager.as_str()).collect();
        return format!("overwrite {:?} {} over {} of {owners:?}", one.why, one.wanted, one.live);
    }
    if let Some(one) = prediction.resets.iter().find(|one| is_replicas(&one.path)) {
        return format!(
            "reset {} to {:?}",
            one.live,
            one.default.as_ref().map(Value::to_string).unwrap_or_default()
        );
    }
    if let Some(one) = prediction.released.iter().find(|one| is_replicas(&one.path)) {
        return format!("released to {}", one.owners[0].manager);
    }
    if let Some(one) = prediction.shared.iter().find(|one| is_replicas(&one.path)) {
        return format!("shared with {}", one.owners[0].manager);
    }
    match prediction.changes.iter().find(|one| is_replicas(&one.path)) {
        Some(one) => format!("changes {} to {}", one.live, one.wanted),
        None => "stays".to_owned(),
    }
}

#[test]
fn what_becomes_of_replicas() {
    use Method::{ClientSide, Forced, ServerSide};
    let argo = "argocd-controller";
    // (recording, live before the apply; chart before, chart now; manager, method; what the story then shows)
    for (case, before, after, manager, method, expected) in [
        // Co-owned after the fix: fine while equal, a conflict at the next change.
        ("helm-ssa-fix-scale-2-healed", Some(2), Some(2), OWN, ServerSide, "shared with kubectl"),
        ("helm-ssa-fix-scale-2-healed", Some(2), Some(3), OWN, ServerSide, "conflict with kubectl 3 2"),
        ("helm-ssa-fix-patch-2-healed", Some(2), Some(3), OWN, ServerSide, "conflict with kubectl-patch 3 2"),
        ("helm-ssa-fix-apply-2-healed", Some(2), Some(3), OWN, ServerSide, "conflict with terraform 3 2"),
        (
            "helm-ssa-fix-scale-other-manager-2-healed",
            Some(2),
            Some(3),
            OWN,
            ServerSide,
            "conflict with k9s 3 2",
        ),
        ("helm-ssa-fix-adopt-live", Some(4), Some(5), OWN, ServerSide, "conflict with kubectl 5 4"),
        // Sole owner again: the next change goes through, leaving out resets.
        ("helm-ssa-fix-drop-entry-2-healed", Some(2), Some(3), OWN, ServerSide, "changes 2 to 3"),
        ("helm-ssa-fix-apply-withdrawn-2-healed", Some(2), Some(3), OWN, ServerSide, "changes 2 to 3"),
        ("helm-ssa-fix-drop-entry-3-next-change", Some(3), None, OWN, ServerSide, "reset 3 to \"1\""),
        // Left out while somebody else holds it: stays.
        ("helm-ssa-fix-scale-2-healed", Some(2), None, OWN, ServerSide, "released to kubectl"),
        ("helm-ssa-fix-leave-out", None, None, OWN, ServerSide, "stays"),
        // Forcing takes it.
        (
            "helm-ssa-fix-scale-1-failed",
            Some(2),
            Some(2),
            OWN,
            Forced,
            "overwrite Forced 2 over 4 of [\"kubectl\"]",
        ),
        // Client-side apply of Helm 3 and Argo CD knows no owners.
        ("helm-csa-to-ssa-1-auto", Some(2), Some(5), OWN, ClientSide, "changes 2 to 5"),
        ("helm-csa-to-ssa-1-auto", Some(2), Some(5), OWN, ServerSide, "changes 2 to 5"),
        ("k3s-csa-scale", Some(2), Some(3), OWN, ClientSide, "changes 2 to 3"),
        ("argo-drift", Some(2), Some(2), argo, ClientSide, "overwrite ClientSide 2 over 4 of [\"kubectl\"]"),
        ("argo-drift", Some(2), Some(2), argo, Forced, "overwrite Forced 2 over 4 of [\"kubectl\"]"),
        ("argo-drift", Some(2), None, argo, ClientSide, "reset 4 to \"1\""),
        ("argo-drift", Some(2), None, argo, ServerSide, "stays"),
        ("argo-ignore-hpa", Some(2), None, argo, ClientSide, "reset 5 to \"1\""),
        ("argo-leave-out-ssa-coowned", Some(2), Some(2), argo, ServerSide, "shared with kubectl"),
        (
            "argo-leave-out-ssa-hpa",
            Some(5),
            Some(2),
            argo,
            Forced,
            "overwrite Forced 2 over 5 of [\"kube-controller-manager\"]",
        ),
        // Helm where Argo CD wrote.
        ("argo-helm-and-argo", Some(2), Some(5), OWN, ServerSide, "conflict with argocd-controller 5 3"),
        ("argo-helm-and-argo-ssa", Some(2), Some(5), OWN, ServerSide, "conflict with argocd-controller 5 3"),
        // Flux forces its own objects.
        (
            "flux-hpa",
            Some(2),
            Some(2),
            "helm-controller",
            Forced,
            "overwrite Forced 2 over 3 of [\"kube-controller-manager\"]",
        ),
    ] {
        let live = live(case, "Deployment");
        let prediction = foretell(&live, before, after, manager, method);
        assert_eq!(fate(&prediction), expected, "{case} {before:?} {after:?} {manager} {method:?}");
    }
}

#[test]
fn healed_and_healthy_releases_hold_no_conflict() {
    let mut objects = 0;
    for case in [
        "helm-ssa-fix-drop-entry-3-next-change",
        "helm-ssa-fix-force",
        "helm-csa-to-ssa-3-later",
        "fleet-residual-coowner",
    ] {
        let recorded = &RECORDED[case];
        for (cluster, held) in &recorded.clusters {
            for secret in held.iter().filter(|object| object["metadata"]["labels"]["status"] == "deployed") {
                let labels = &secret["metadata"]["labels"];
                let (name, number) = (labels["name"].as_str().unwrap(), labels["version"].as_str().unwrap());
                let namespace = secret["metadata"]["namespace"].as_str().unwrap();
                let Some(revision) =
                    recorded.revision(Some(cluster), namespace, name, number.parse().unwrap())
                else {
                    continue;
                };
                for desired in revision.objects() {
                    let (kind, object) =
                        (desired["kind"].as_str().unwrap(), desired["metadata"]["name"].as_str().unwrap());
                    let Some(live) = recorded.live(Some(cluster), kind, namespace, object) else { continue };
                    let manager = if case.starts_with("fleet-") { "fleetagent" } else { OWN };
                    let prediction = predict(&Applied {
                        desired: &desired,
                        live: Some(&Live::of(live)),
                        previous: Some(&desired),
                        manager,
                        method: Method::ServerSide,
                        schema: None,
                    });
                    assert_eq!(prediction.conflicts, [], "{case} {kind} {object}");
                    assert_eq!(prediction.overwrites, [], "{case} {kind} {object}");
                    assert_eq!(prediction.resets, [], "{case} {kind} {object}");
                    objects += 1;
                }
            }
        }
    }
    assert!(objects >= 8, "{objects} objects");
}

#[test]
fn a_secrets_string_data_is_written_over_a_hand_change_in_silence() {
    let live = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db", "managedFields": [
        {"manager": "helm", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:stringData": {"f:p": {}}}},
        {"manager": "kubectl-patch", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:p": {}}}}]},
        "data": {"p": "aGFuZA=="}});
    let desired = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, "stringData": {"p": "chart"}});
    let prediction = predict(&Applied {
        desired: &desired,
        live: Some(&Live::of(&live)),
        previous: None,
        manager: OWN,
        method: Method::ServerSide,
        schema: None,
    });
    assert_eq!(prediction.conflicts, []);
    let [overwrite] = prediction.overwrites.as_slice() else { panic!("{prediction:?}") };
    assert_eq!(
        (overwrite.path.to_string().as_str(), overwrite.owners[0].manager.as_str()),
        (".stringData.p", "kubectl-patch")
    );
}
