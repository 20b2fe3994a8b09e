//! A GitRepo's own troubles, targets without a BundleDeployment, and broken records.

use serde_json::{Value, json};

use crate::incident::Incident;

const GIT_REPOS: &str = "upstream/gitrepos.fleet.cattle.io.json";
const DEPLOYMENTS: &str = "upstream/bundledeployments.fleet.cattle.io.json";

#[test]
fn a_target_without_a_bundle_deployment_is_pending() {
    let incident = Incident::recorded().edit(DEPLOYMENTS, |items| {
        items.retain(|it| it["metadata"]["labels"]["fleet.cattle.io/cluster"] != "c-stage");
    });
    let finding = incident.finding("c-stage");
    assert_eq!(finding["state"], "Pending", "{finding:#}");
}

#[test]
fn polling_that_fails_is_told_beside_a_ready_repo() {
    let incident = Incident::recorded().object(GIT_REPOS, "shop", |it| {
        it["status"]["conditions"] = json!([
            {"type": "Ready", "status": "True"},
            {"type": "GitPolling", "status": "False", "message": "authentication required"},
        ]);
    });
    let findings = incident.why();
    let finding = findings.iter().find(|it| it["cluster"].is_null()).unwrap();
    assert_eq!(finding["message"], "authentication required");
    assert!(finding["evidence"].to_string().contains("Ready condition is True"), "{finding:#}");
}

#[test]
fn a_cluster_without_a_namespace_and_a_deployment_without_labels_cost_nobody_else() {
    let incident = Incident::recorded()
        .object("upstream/clusters.fleet.cattle.io.json", "c-stage", |it| it["status"] = Value::Null)
        .deployment("c-stage", |it| it["metadata"]["labels"] = Value::Null);
    assert_eq!(incident.finding("c-prod")["class"], "ssa.conflict");
}

#[test]
fn a_deployment_whose_bundle_is_gone_still_has_its_reason() {
    let incident = Incident::recorded().without("upstream/bundles.fleet.cattle.io.json");
    assert_eq!(incident.finding("c-prod")["class"], "ssa.conflict");
}

#[test]
fn upstream_alone_says_what_would_be_needed() {
    let incident = Incident::recorded().without_cluster("c-prod").without_cluster("c-stage");
    let findings = incident.why();
    let finding = findings.iter().find(|it| it["cluster"] == "c-prod").unwrap();
    assert_eq!(finding["state"], "WaitApplied");
    assert_eq!(finding["class"], "unknown");
    let output = String::from_utf8(incident.run(&["why", "-o", "json"]).stdout).unwrap();
    assert!(output.contains("c-prod=") || output.contains("--downstream"), "{output}");
}

#[test]
fn downstream_alone_explains_the_release() {
    let incident = Incident::recorded().without_cluster("upstream");
    let findings = incident.why();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["owner"], Value::Null);
    assert_eq!(findings[0]["class"], "ssa.conflict");
    assert_eq!(findings[0]["conflicts"][0]["wanted"], 2);
}

#[test]
fn an_older_fleet_lacks_fields() {
    let incident = Incident::recorded().deployment("c-prod", |it| {
        let spec = it["spec"].as_object_mut().unwrap();
        spec.remove("stagedDeploymentID");
        spec.remove("stagedOptions");
        it["status"].as_object_mut().unwrap().remove("display");
    });
    assert_eq!(incident.finding("c-prod")["class"], "ssa.conflict");
}

#[test]
fn counts_come_from_bundle_deployments() {
    let incident = Incident::recorded().object(GIT_REPOS, "shop", |it| it["status"]["summary"] = Value::Null);
    assert_eq!(incident.why().len(), 1);
}
