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

/// `CLASS OBJECT PATH MANAGER` of all landmines of a recording but co-owned ones, which are counted by manager.
fn mines(incident: &Incident) -> Vec<String> {
    let mut lines = Vec::new();
    let report = incident.report(&["audit"]);
    for finding in report["findings"].as_array().unwrap() {
        let class = finding["class"].as_str().unwrap();
        let Some(class) = class.strip_prefix("landmine.") else { continue };
        let conflicts = finding["conflicts"].as_array().unwrap();
        if class == "coowner" && conflicts.len() > 3 {
            lines.push(format!(
                "coowner {} fields {}",
                conflicts.len(),
                conflicts[0]["manager"].as_str().unwrap()
            ));
            continue;
        }
        for conflict in conflicts {
            let text = |key: &str| conflict[key].as_str().unwrap_or_default().to_owned();
            let name = conflict["object"]["name"].as_str().unwrap();
            lines.push(format!("{class} {name} {} {}", text("path"), text("manager")));
        }
    }
    lines
}

const IMAGE: &str = ".spec.template.spec.containers[name=\"podinfo\"].image";
const LOG_LEVEL: &str = ".spec.template.spec.containers[name=\"shop\"].env[name=\"LOG_LEVEL\"].value";

/// Who forces is never refused and undoes what people did; who is plain Helm beside a forcing tool is refused.
/// A revision that failed to land is no hand-made change: those recordings have no landmine.
#[test]
fn what_forced_and_client_side_deploys_undo_is_foretold() {
    let replicas =
        |class: &str, name: &str, manager: &str| format!("{class} {name} .spec.replicas {manager}");
    let by_hand =
        vec![replicas("overwrite", "shop", "kubectl"), format!("overwrite shop {LOG_LEVEL} kubectl-set")];
    let two_tools = vec![
        replicas("conflict", "shop-podinfo", "argocd-controller"),
        format!("conflict shop-podinfo {IMAGE} argocd-controller"),
    ];
    let of = |part: &str| -> Option<Vec<String>> {
        Some(match part {
            "flux-scale-before-upgrade" | "flux-drift-ignore" | "flux-drift-correction-denied" => {
                vec![replicas("overwrite", "shop", "kubectl")]
            }
            "flux-drift-off" | "flux-drift-warn" => by_hand.clone(),
            "flux-hpa" | "flux-hpa-drift" => vec![replicas("overwrite", "shop", "kube-controller-manager")],
            "flux-other-applier-before-upgrade" => vec![replicas("overwrite", "shop", "platform-bot")],
            "flux-helm-cli-forced" => vec![replicas("overwrite", "shop", "helm")],
            "flux-hook-ssa-conflict" => vec![
                "overwrite shop-migration-settings .data.BATCH_SIZE kubectl-patch".into(),
                "overwrite shop-migration-settings .data.TARGET kubectl-patch".into(),
            ],
            "argo-helm-and-argo" => two_tools.clone(),
            "argo-helm-and-argo-ssa" => {
                [two_tools.clone(), vec!["coowner 10 fields argocd-controller".into()]].concat()
            }
            "argo-helm-and-argo-ssa-forced" => vec!["coowner 10 fields argocd-controller".into()],
            // The release that Flux took over is no longer what lives.
            "flux-takeover" => return None,
            _ => Vec::new(),
        })
    };
    let mut wrong = Vec::new();
    for prefix in ["argo-", "flux-", "helm-csa-"] {
        for incident in Incident::all(prefix) {
            let Some(expected) = of(&incident.name) else { continue };
            let found = mines(&incident);
            if found != expected {
                wrong.push(format!("{}: {found:#?} is not {expected:#?}", incident.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The later stages of the same objects show what was foretold.
#[test]
fn what_was_foretold_came_to_pass() {
    for (before, after) in [
        ("flux-helm-cli-forced", "flux-helm-cli-forced-after-reconcile"),
        ("flux-scale-before-upgrade", "flux-scale-ssa-forced"),
    ] {
        let before = Incident::named(before).unwrap();
        let foretold = before.report(&["audit"])["findings"][0]["conflicts"][0].clone();
        assert_eq!((&foretold["path"], &foretold["wanted"]), (&".spec.replicas".into(), &2.into()));
        let after = Incident::named(after).unwrap();
        let namespace = after.case["findings"][0]["object"]["namespace"].as_str().map(str::to_owned);
        let namespace =
            namespace.unwrap_or_else(|| foretold["object"]["namespace"].as_str().unwrap().to_owned());
        let report =
            after.report(&["owners", "deployment/shop", "-n", &namespace, "--field", ".spec.replicas"]);
        let owners: Vec<&str> = report["fields"][0]["owners"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| it["manager"].as_str())
            .collect();
        assert!(owners.contains(&"helm-controller"), "{owners:?}");
        assert!(!owners.contains(&foretold["manager"].as_str().unwrap()), "{owners:?}");
        assert_eq!(mines(&after), [""; 0], "{}", after.name);
    }
}
