//! `audit` on recordings in which nothing is broken yet.

use serde_json::Value;

use crate::incident::Incident;

/// `CLASS OWNER CLUSTER OBJECT PATH MANAGER` of every landmine.
fn landmines(name: &str) -> Vec<String> {
    let report = Incident::named(name).unwrap().report(&["audit"]);
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let mut lines = Vec::new();
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(finding["state"], Value::Null);
        for conflict in finding["conflicts"].as_array().unwrap() {
            lines.push(format!(
                "{} {} {} {} {} {}",
                text(&finding["class"]),
                text(&finding["owner"]["name"]),
                text(&finding["cluster"]),
                text(&conflict["object"]["name"]),
                text(&conflict["path"]),
                text(&conflict["manager"]),
            ));
        }
    }
    lines
}

#[test]
fn three_deploys_will_break_at_the_next_commit() {
    let expected = [
        "landmine.conflict checkout c-prod checkout .spec.template.spec.containers[name=\"app\"].image kubectl-set",
        "landmine.conflict checkout c-prod checkout .spec.template.spec.containers[name=\"app\"].env[name=\"LOG_LEVEL\"].value kubectl-set",
        "landmine.conflict checkout c-prod checkout-config .data.mode kubectl-patch",
        "landmine.conflict search c-prod search .spec.replicas kube-controller-manager",
        "landmine.conflict wave c-stage wave .spec.replicas kubectl",
        // The fix of an earlier incident left it: field-guide 5.
        "landmine.coowner shop c-prod shop-podinfo .spec.replicas Mozilla",
    ];
    assert_eq!(landmines("fleet-drift-before-commit"), expected);
}

#[test]
fn a_pause_that_hides_drift_shows_it() {
    let report = Incident::named("fleet-paused-drift").unwrap().report(&["audit"]);
    let findings = report["findings"].as_array().unwrap();
    for owner in ["cart", "heal"] {
        let hidden = findings
            .iter()
            .find(|it| {
                it["class"] == "suspended" && it["owner"]["name"] == owner && it["cluster"] == "c-stage"
            })
            .unwrap();
        assert_eq!(hidden["conflicts"][0]["wanted"], 2);
        assert_eq!(hidden["conflicts"][0]["live"], 7);
    }
    assert!(
        !findings
            .iter()
            .any(|it| it["owner"]["name"].as_str().unwrap_or_default().starts_with("fleet-agent"))
    );
}

#[test]
fn a_co_owner_stays_until_its_entry_is_dropped() {
    let kubectl = "landmine.coowner - prod shop-web .spec.replicas kubectl".to_owned();
    assert_eq!(landmines("helm-ssa-fix-scale-2-healed"), [kubectl]);
    assert_eq!(landmines("helm-ssa-fix-drop-entry-2-healed"), Vec::<String>::new());
    assert_eq!(landmines("helm-ssa-fix-force"), Vec::<String>::new());
}
