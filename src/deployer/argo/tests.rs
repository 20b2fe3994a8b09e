//! The recorded cases, and what no recording has.

use serde_json::{Value, json};

use super::Argo;
use crate::deployer::known_commands;
use crate::deployer::testing::{InMemory, cases, collect, commands, deliveries, delivery_of, findings};
use crate::deployer::{Delivery, Standing};

#[test]
fn every_recorded_application_is_read_right() {
    let mut checked = 0;
    for case in cases("argo-") {
        let delivered = deliveries(&Argo, case);
        let truth = findings(case);
        for finding in &truth {
            let owner = finding["owner"].as_str().expect("an owner");
            if !owner.starts_with("Application ") {
                continue;
            }
            let found = delivery_of(&delivered, owner).unwrap_or_else(|| panic!("{case}: {owner}"));
            check(case, finding, found);
            checked += 1;
        }
        for delivery in &delivered {
            let owner = delivery.owner.as_ref().expect("an owner").to_string();
            assert!(
                truth.iter().any(|finding| finding["owner"] == *owner)
                    || delivery.standing == Standing::Landed,
                "{case}: {owner} is invented"
            );
        }
    }
    assert!(checked > 50, "{checked}");
}

/// Classes that only objects tell; the first sign is the class.
const BY_SIGN: [&str; 5] = ["sync.", "drift", "rollout.", "ownership.", "deployer.down"];

fn check(case: &str, finding: &Value, found: &Delivery) {
    assert_eq!(found.state, finding["state"], "{case}");
    let signs: Vec<&str> = found.signs.iter().map(|sign| sign.class.0).collect();
    let Some(class) = finding["class"].as_str() else {
        assert_eq!((found.standing, signs.as_slice()), (Standing::Landed, [].as_slice()), "{case}");
        return;
    };
    assert_ne!(found.standing, Standing::Landed, "{case}");
    if BY_SIGN.iter().any(|prefix| class.starts_with(prefix)) {
        let is_told = found.statements.iter().any(|statement| statement.is_current);
        let first = found.signs.first().expect("a sign");
        assert_eq!(first.class.0, class, "{case}: {signs:?}");
        assert!(!is_told || first.outranks_texts, "{case}: a text stands before the sign");
        return;
    }
    assert!(!found.signs.iter().any(|sign| sign.outranks_texts), "{case}: {signs:?}");
    let told = found.statements.iter().find(|statement| statement.is_current);
    let told = told.unwrap_or_else(|| panic!("{case}: no text")).text.as_str();
    let condition = finding["conditions"][0]["message"].as_str().unwrap_or_default();
    let message = finding["message"].as_str().unwrap_or_default();
    assert!(told == message || told == condition || signs.contains(&class), "{case}: {told}");
}

fn of_one(object: Value) -> Delivery {
    let cluster = InMemory::new("prod", vec![object]);
    let mut found = collect(&Argo, cluster, "2026-12-01T02:00:00Z".parse().expect("a time"));
    found.pop().expect("one delivery")
}

fn application(spec: Value, status: Value) -> Value {
    json!({"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
        "metadata": {"name": "shop", "namespace": "argocd", "creationTimestamp": "2026-12-01T01:00:00Z"},
        "spec": spec, "status": status})
}

#[test]
fn what_no_recording_has() {
    let old = "a".repeat(40);
    let new = "b".repeat(40);
    let here = json!({"server": "https://kubernetes.default.svc"});
    let several = json!({
        "sync": {"status": "OutOfSync", "revisions": [new, "6.15.0"]}, "health": {"status": "Healthy"},
        "reconciledAt": "2026-12-01T01:59:30Z",
        "history": [{"revisions": [old, "6.14.0"]}],
        "operationState": {"phase": "Succeeded", "operation": {"sync": {"revisions": [old, "6.14.0"]}}}});
    let cases = [
        (
            "never reconciled",
            application(json!({"destination": here}), Value::Null),
            Standing::Stuck,
            "deployer.down",
        ),
        (
            "several sources, nothing automated",
            application(
                json!({"destination": here, "sources": [{"path": "a"}, {"chart": "podinfo"}]}),
                several.clone(),
            ),
            Standing::Stuck,
            "sync.manual",
        ),
        (
            "several sources, automated, the project cannot be read",
            application(json!({"destination": here, "syncPolicy": {"automated": {}}}), several),
            Standing::Stuck,
            "sync.running",
        ),
        (
            "a controller that fell silent",
            application(
                json!({"destination": here}),
                json!({"sync": {"status": "Synced", "revision": old}, "health": {"status": "Healthy"},
                    "operationState": {"phase": "Succeeded"}, "reconciledAt": "2026-12-01T01:10:00Z"}),
            ),
            Standing::LooksReady,
            "deployer.down",
        ),
    ];
    for (what, object, standing, class) in cases {
        let delivery = of_one(object);
        assert_eq!(delivery.standing, standing, "{what}");
        assert_eq!(delivery.signs.first().map(|sign| sign.class.0), Some(class), "{what}");
    }
}

#[test]
fn nonsense_is_survived() {
    let delivery =
        of_one(application(json!([1]), json!({"sync": "x", "operationState": [], "resources": {"a": 1}})));
    assert_eq!(delivery.standing, Standing::Stuck);
}

#[test]
fn another_cluster_is_named_and_its_credentials_are_left_alone() {
    let delivery = of_one(application(json!({"destination": {"name": "edge"}}), Value::Null));
    let cluster = delivery.cluster.expect("a cluster");
    assert_eq!((cluster.id.as_str(), cluster.is_hub, cluster.kubeconfig_secret), ("edge", false, None));
}

#[test]
fn every_printed_command_exists() {
    let mut checked = 0;
    for case in cases("argo-") {
        for delivery in deliveries(&Argo, case) {
            for command in commands(&delivery) {
                assert_eq!(known_commands::trouble(&command), None, "{case}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn an_application_in_deletion_is_no_healthy_one() {
    let status = json!({"sync": {"status": "Synced"}, "health": {"status": "Healthy"},
        "operationState": {"phase": "Succeeded"}, "reconciledAt": "2026-12-01T01:59:30Z"});
    let mut object =
        application(json!({"destination": {"server": "https://kubernetes.default.svc"}}), status);
    object["metadata"]["deletionTimestamp"] = json!("2026-12-01T01:10:00Z");
    object["metadata"]["finalizers"] = json!(["resources-finalizer.argocd.argoproj.io"]);
    let delivery = of_one(object);
    assert_eq!(delivery.standing, Standing::LooksReady);
    assert_eq!(delivery.signs.first().map(|sign| sign.class.0), Some("pending"));
}
