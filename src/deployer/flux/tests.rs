//! The recorded cases, and what no recording has.

use serde_json::{Value, json};

use super::Flux;
use crate::deployer::known_commands;
use crate::deployer::testing::{InMemory, cases, collect, commands, deliveries, delivery_of, findings};
use crate::deployer::{Delivery, Standing};

/// Classes that stand in objects outside Flux's records and are found by comparing live objects.
const FOUND_LIVE: [&str; 3] = ["drift", "ownership.shared", "ssa.conflict"];

#[test]
fn every_recorded_helm_release_is_read_right() {
    for case in cases("flux-") {
        let delivered = deliveries(&Flux, case);
        let truth = findings(case);
        for finding in &truth {
            let owner = finding["owner"].as_str().expect("an owner");
            let found = delivery_of(&delivered, owner).unwrap_or_else(|| panic!("{case}: {owner}"));
            check(case, finding, found);
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
}

fn check(case: &str, finding: &Value, found: &Delivery) {
    assert_eq!(found.state, finding["state"], "{case}");
    if let Some(release) = finding["release"].as_str() {
        let target = found.release.as_ref().expect("a release");
        assert_eq!(format!("{}/{}", target.namespace, target.name), release, "{case}");
    }
    let signs: Vec<&str> = found.signs.iter().map(|sign| sign.class.0).collect();
    match finding["class"].as_str() {
        None => assert_eq!((found.standing, signs.as_slice()), (Standing::Landed, [].as_slice()), "{case}"),
        Some(class) if finding["state"] == "Ready" => {
            let is_hinted = FOUND_LIVE.contains(&class) && found.hints.compare_live
                || class == "rollout.progressing" && found.hints.follow_rollouts;
            assert!(is_hinted || signs.contains(&class), "{case}: {class} of {signs:?}");
        }
        Some(class) => {
            assert_eq!(found.standing, Standing::Stuck, "{case}");
            let text = finding["description"].as_str().or(finding["message"].as_str()).expect("a text");
            let current = found.statements.iter().find(|statement| statement.is_current);
            let told = current.map_or("", |statement| statement.text.as_str());
            let cause = text.split_once(" failed: ").map_or(text, |(_, cause)| cause);
            assert!(told.contains(cause) || signs.contains(&class), "{case}: {told}");
        }
    }
}

fn of_one(object: Value) -> Vec<Delivery> {
    let cluster = InMemory::new("prod", vec![object]);
    collect(&Flux, cluster, "2026-12-01T02:00:00Z".parse().expect("a time"))
}

fn helm_release(version: &str, spec: Value, status: Value) -> Value {
    json!({
        "apiVersion": format!("helm.toolkit.fluxcd.io/{version}"),
        "kind": "HelmRelease",
        "metadata": {
            "name": "shop", "namespace": "shop", "generation": 2, "creationTimestamp": "2026-12-01T01:00:00Z"
        },
        "spec": spec,
        "status": status,
    })
}

fn ready(status: &str, generation: i64) -> Value {
    json!([{"type": "Ready", "status": status, "reason": "UpgradeSucceeded", "message": "done",
        "observedGeneration": generation}])
}

#[test]
fn what_no_recording_has() {
    let version = |version: &str| json!({"chart": {"spec": {"chart": "shop", "version": version}}});
    let suspended = {
        let mut spec = version("2.0.0");
        spec["suspend"] = json!(true);
        spec
    };
    let tried = |revision: &str| {
        json!({"conditions": ready("True", 2), "observedGeneration": 2, "lastAttemptedGeneration": 2,
            "lastAttemptedRevision": revision})
    };
    let cases = [
        (
            "never reconciled",
            helm_release("v2", version("1.0.0"), Value::Null),
            Standing::Stuck,
            "deployer.down",
        ),
        (
            "a generation that nobody looked at",
            helm_release(
                "v2",
                version("1.0.0"),
                json!({"conditions": ready("True", 1), "observedGeneration": 1}),
            ),
            Standing::LooksReady,
            "deployer.down",
        ),
        (
            "suspended before the version was tried",
            helm_release("v2", suspended.clone(), tried("1.0.0")),
            Standing::LooksReady,
            "suspended",
        ),
        (
            "an old version of the CRD",
            helm_release("v2beta2", suspended, tried("2.0.0")),
            Standing::LooksReady,
            "suspended",
        ),
        (
            "a killed controller",
            helm_release(
                "v2",
                version("1.0.0"),
                json!({"observedGeneration": 1, "conditions": [
                    {"type": "Reconciling", "status": "True", "reason": "Progressing", "observedGeneration": 2,
                     "message": "Running 'upgrade' action with timeout of 1m0s",
                     "lastTransitionTime": "2026-12-01T01:10:00Z"},
                    {"type": "Ready", "status": "Unknown", "reason": "Progressing", "observedGeneration": 2}]}),
            ),
            Standing::Stuck,
            "deployer.down",
        ),
        (
            "a circle of dependencies",
            helm_release(
                "v2",
                json!({"dependsOn": [{"name": "shop"}]}),
                json!({"observedGeneration": -1, "conditions": [
                    {"type": "Ready", "status": "False", "reason": "DependencyNotReady", "observedGeneration": 2}]}),
            ),
            Standing::Stuck,
            "dependency",
        ),
    ];
    for (what, object, standing, class) in cases {
        let [delivery] = of_one(object).try_into().unwrap_or_else(|_| panic!("{what}: one delivery"));
        assert_eq!(delivery.standing, standing, "{what}");
        assert_eq!(delivery.signs.first().map(|sign| sign.class.0), Some(class), "{what}");
    }
}

#[test]
fn nonsense_is_survived() {
    let object = helm_release("v2", json!("nothing"), json!({"conditions": {"a": 1}, "history": "no"}));
    assert_eq!(of_one(object).len(), 1);
}

#[test]
fn every_printed_command_exists() {
    let mut checked = 0;
    for case in cases("flux-") {
        for delivery in deliveries(&Flux, case) {
            for command in commands(&delivery) {
                assert_eq!(known_commands::trouble(&command), None, "{case}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

fn kustomization(spec: Value, status: Value) -> Value {
    json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {
            "name": "apps", "namespace": "flux-system", "generation": 2, "creationTimestamp": "2026-12-01T01:00:00Z"
        },
        "spec": spec,
        "status": status,
    })
}

fn told(reason: &str, message: &str) -> Value {
    json!({"observedGeneration": 2, "conditions": [
        {"type": "Ready", "status": "False", "reason": reason, "message": message, "observedGeneration": 2}]})
}

#[test]
fn a_kustomization_that_is_not_ready_is_told() {
    let git = json!({"sourceRef": {"kind": "GitRepository", "name": "apps"}});
    let cases = [
        ("build", git.clone(), told("BuildFailed", "kustomize build failed: accumulating resources"), "yaml"),
        (
            "health",
            git.clone(),
            told("HealthCheckFailed", "health check failed after 30s: timeout waiting for: [x]"),
            "wait.timeout",
        ),
        (
            "source",
            git.clone(),
            told("ArtifactFailed", "Source artifact not found, retrying in 30s"),
            "chart.fetch",
        ),
        (
            "dependency",
            json!({"dependsOn": [{"name": "infra"}]}),
            told("DependencyNotReady", "dependency 'flux-system/infra' is not ready"),
            "dependency",
        ),
        ("suspended", json!({"suspend": true}), told("BuildFailed", "x"), "suspended"),
        ("no status", git.clone(), Value::Null, "deployer.down"),
        (
            "a stale generation",
            git,
            json!({"observedGeneration": 1, "conditions": ready("True", 1)}),
            "deployer.down",
        ),
    ];
    for (what, spec, status, class) in cases {
        let [delivery] =
            of_one(kustomization(spec, status)).try_into().unwrap_or_else(|_| panic!("{what}: one delivery"));
        assert_ne!(delivery.standing, Standing::Landed, "{what}");
        assert_eq!(delivery.signs.first().map(|sign| sign.class.0), Some(class), "{what}");
        assert!(delivery.release.is_none(), "{what}");
        for command in commands(&delivery) {
            assert_eq!(known_commands::trouble(&command), None, "{what}");
        }
    }
    let [healthy] =
        of_one(kustomization(json!({}), json!({"observedGeneration": 2, "conditions": ready("True", 2)})))
            .try_into()
            .expect("one delivery");
    assert_eq!((healthy.standing, healthy.signs.len()), (Standing::Landed, 0));
}

#[test]
fn a_kustomization_stands_above_the_helm_release_that_it_applied() {
    let mut below =
        helm_release("v2", json!({}), json!({"conditions": ready("True", 2), "observedGeneration": 2}));
    below["metadata"]["labels"] = json!({
        "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"});
    let objects = vec![below, kustomization(json!({}), told("BuildFailed", "kustomize build failed"))];
    let delivered =
        collect(&Flux, InMemory::new("prod", objects), "2026-12-01T02:00:00Z".parse().expect("a time"));
    let release = delivery_of(&delivered, "HelmRelease shop/shop").expect("the release");
    let kinds: Vec<&str> = release.chain.iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(kinds, ["Kustomization", "HelmRelease"]);
    assert!(release.evidence.iter().any(|it| it.says.contains("kustomize build failed")));
    let above = delivery_of(&delivered, "Kustomization flux-system/apps").expect("the Kustomization");
    assert_eq!(above.standing, Standing::Stuck);
}

#[test]
fn a_release_in_deletion_is_no_healthy_one() {
    let mut object =
        helm_release("v2", json!({}), json!({"conditions": ready("True", 2), "observedGeneration": 2}));
    object["metadata"]["deletionTimestamp"] = json!("2026-12-01T01:10:00Z");
    object["metadata"]["finalizers"] = json!(["finalizers.fluxcd.io"]);
    let [delivery] = of_one(object).try_into().expect("one delivery");
    assert_ne!(delivery.standing, Standing::Landed);
    assert_eq!(delivery.signs.first().map(|sign| sign.class.0), Some("pending"));
}
