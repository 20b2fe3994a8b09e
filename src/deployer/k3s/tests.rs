//! The recorded cases, and what no recording has.

use serde_json::{Value, json};

use super::K3s;
use crate::deployer::testing::{InMemory, cases, collect, deliveries, delivery_of, findings};
use crate::deployer::{Delivery, Standing};

/// The present spec was never tried and the Job reads Complete: the recording has no class for it, and a
/// person on call wants to know all the same.
const WITHOUT_A_CLASS: &str = "k3s-same-name-other-namespace";

#[test]
fn every_recorded_helm_chart_is_read_right() {
    for case in cases("k3s-") {
        let delivered = deliveries(&K3s, case);
        for finding in findings(case) {
            let owner = finding["owner"].as_str().expect("an owner");
            if owner.starts_with("HelmChartConfig ") {
                continue;
            }
            let found = delivery_of(&delivered, owner).unwrap_or_else(|| panic!("{case}: {owner}"));
            check(case, &finding, found);
        }
    }
}

fn check(case: &str, finding: &Value, found: &Delivery) {
    assert_eq!(found.state, Value::Null, "{case}");
    if let Some(release) = finding["release"].as_str() {
        let target = found.release.as_ref().expect("a release");
        assert_eq!(format!("{}/{}", target.namespace, target.name), release, "{case}");
    }
    let signs: Vec<&str> = found.signs.iter().map(|sign| sign.class.0).collect();
    let Some(class) = finding["class"].as_str() else {
        if case == WITHOUT_A_CLASS {
            assert_eq!((found.standing, signs.as_slice()), (Standing::LooksReady, ["unknown"].as_slice()));
        } else {
            assert_eq!((found.standing, signs.as_slice()), (Standing::Landed, [].as_slice()), "{case}");
        }
        return;
    };
    assert_ne!(found.standing, Standing::Landed, "{case}");
    if finding["status"] == "failed" {
        assert!(signs.is_empty(), "{case}: the release's text tells, not {signs:?}");
    } else {
        assert_eq!(signs.first(), Some(&class), "{case}");
    }
}

#[test]
fn a_reinstall_is_warned_of_and_told_of() {
    let before = deliveries(&K3s, "k3s-ssa-conflict-before-reinstall").remove(0);
    assert!(before.first_aid[0].commands[0].contains("failurePolicy"), "{before:?}");
    assert_eq!(before.ways_out[0].commands, ["helm rollback payments 1 -n payments"]);
    let after = deliveries(&K3s, "k3s-ssa-conflict-after-reinstall").remove(0);
    assert!(after.evidence[0].says.starts_with("reinstall has acted"), "{after:?}");
    let abort = deliveries(&K3s, "k3s-ssa-conflict-abort").remove(0);
    assert!(abort.first_aid.is_empty());
    let config = deliveries(&K3s, "k3s-config-overrides-abort").remove(0);
    assert!(config.evidence.iter().any(|evidence| evidence.source.starts_with("HelmChartConfig")));
}

fn of(objects: Vec<Value>) -> Vec<Delivery> {
    collect(&K3s, InMemory::new("edge", objects), "2026-12-01T02:00:00Z".parse().expect("a time"))
}

fn chart(extra: Value) -> Value {
    let mut chart = json!({"apiVersion": "helm.cattle.io/v1", "kind": "HelmChart",
        "metadata": {"name": "web", "namespace": "kube-system"}, "spec": {"chart": "web", "version": "1"}});
    for (key, value) in extra.as_object().expect("fields") {
        chart[key] = value.clone();
    }
    chart
}

#[test]
fn what_no_recording_has() {
    let cases = [
        ("never reconciled", chart(json!({})), "deployer.down"),
        (
            "being deleted",
            chart(json!({"metadata": {"name": "web", "namespace": "kube-system",
                "deletionTimestamp": "2026-12-01T01:00:00Z"}})),
            "pending",
        ),
        (
            "nonsense",
            chart(json!({"spec": [], "status": {"conditions": "none", "jobName": 1}})),
            "deployer.down",
        ),
    ];
    for (what, object, class) in cases {
        let found = of(vec![object]);
        assert_eq!(found[0].signs[0].class.0, class, "{what}");
        assert_eq!(found[0].standing, Standing::Stuck, "{what}");
    }
}
