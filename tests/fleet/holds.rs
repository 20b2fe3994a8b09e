//! One test per row of field-guide 3's table.

use serde_json::{Value, json};

use crate::incident::Incident;

const CLUSTERS: &str = "upstream/clusters.fleet.cattle.io.json";
const BUNDLES: &str = "upstream/bundles.fleet.cattle.io.json";
const GIT_REPOS: &str = "upstream/gitrepos.fleet.cattle.io.json";
const DEPLOYMENTS: &str = "upstream/bundledeployments.fleet.cattle.io.json";

/// Class and a word of the summary.
fn assert_held(finding: &Value, class: &str, word: &str) {
    assert_eq!(finding["class"], class, "{finding:#}");
    assert!(finding["summary"].as_str().unwrap().contains(word), "{finding:#}");
}

fn has_way_out(finding: &Value) -> bool {
    finding["waysOut"].as_array().is_some_and(|ways| !ways.is_empty())
}

/// What the agent reports when everything is applied.
fn apply(deployment: &mut Value) {
    deployment["status"]["appliedDeploymentID"] = deployment["spec"]["deploymentID"].clone();
    deployment["status"]["ready"] = json!(true);
    deployment["status"]["nonModified"] = json!(true);
    deployment["status"]["conditions"] = json!([{"type": "Ready", "status": "True"}]);
}

#[test]
fn a_pause_is_told_with_its_origin() {
    let paused = |incident: Incident| {
        incident.deployment("c-stage", |it| {
            apply(it);
            it["spec"]["paused"] = json!(true);
        })
    };
    let by_cluster =
        paused(Incident::recorded()).object(CLUSTERS, "c-stage", |it| it["spec"]["paused"] = json!(true));
    let by_bundle =
        paused(Incident::recorded()).object(BUNDLES, "shop-shop", |it| it["spec"]["paused"] = json!(true));
    let by_git_repo =
        paused(Incident::recorded()).object(GIT_REPOS, "shop", |it| it["spec"]["paused"] = json!(true));
    for (incident, origin) in [(by_cluster, "Cluster"), (by_bundle, "Bundle"), (by_git_repo, "GitRepo")] {
        let finding = incident.finding("c-stage");
        assert_held(&finding, "suspended", origin);
        assert_eq!(finding["state"], "Ready");
        assert!(has_way_out(&finding));
    }
}

#[test]
fn a_pause_does_not_hide_a_conflict() {
    let incident = Incident::recorded().deployment("c-prod", |it| it["spec"]["paused"] = json!(true));
    let finding = incident.finding("c-prod");
    assert_eq!(finding["class"], "ssa.conflict");
    assert_eq!(finding["also"], json!(["suspended"]));
}

#[test]
fn a_closed_schedule() {
    let incident = Incident::without_the_failed_revision()
        .deployment("c-prod", |it| it["spec"]["offSchedule"] = json!(true))
        .object(CLUSTERS, "c-prod", |it| {
            it["status"]["scheduled"] = json!(true);
            it["status"]["activeSchedule"] = json!(false);
        });
    assert_held(&incident.finding("c-prod"), "sync.window", "schedule");
}

#[test]
fn waiting_for_values() {
    let incident = Incident::without_the_failed_revision()
        .deployment("c-prod", |it| it["spec"]["waitingForValues"] = json!(true));
    assert_held(&incident.finding("c-prod"), "values.missing", "waits for values");
}

#[test]
fn the_options_secret_is_absent_or_differs() {
    let expects = |incident: Incident| {
        incident.deployment("c-prod", |it| it["spec"]["valuesHash"] = json!("0123456789abcdef"))
    };
    let absent = expects(Incident::without_the_failed_revision()).finding("c-prod");
    assert_held(&absent, "values.missing", "is absent");
    // A dump that lacks a Secret does not prove that the cluster does.
    assert_eq!(absent["confidence"], "possible");
    let namespace = absent["chain"][2]["namespace"].clone();
    let differs = expects(Incident::without_the_failed_revision()).add(
        "upstream/secrets.json",
        json!({"apiVersion": "v1", "kind": "Secret", "type": "fleet.cattle.io/bundle-deployment/v1alpha1",
               "metadata": {"name": "shop-shop", "namespace": namespace}, "data": {"values": "YWJj"}}),
    );
    let finding = differs.finding("c-prod");
    assert_held(&finding, "values.missing", "holds other Helm options");
    assert_eq!(finding["confidence"], "certain");
}

#[test]
fn copied_resources_leave_a_gap_with_the_log_command() {
    let incident = Incident::without_the_failed_revision().deployment("c-prod", |it| {
        it["spec"]["options"]["downstreamResources"] = json!([{"kind": "Secret", "name": "pull"}]);
    });
    let finding = incident.finding("c-prod");
    let gaps = finding["gaps"].to_string();
    assert!(gaps.contains("Secret pull") && gaps.contains("logs deployment/fleet-agent"), "{finding:#}");
}

#[test]
fn a_dependency_that_is_not_ready_is_named_with_its_state() {
    let mut other = None;
    let incident = Incident::without_the_failed_revision()
        .deployment("c-prod", |it| {
            let mut copy = it.clone();
            copy["metadata"]["name"] = json!("db-db");
            copy["metadata"]["labels"]["fleet.cattle.io/bundle-name"] = json!("db-db");
            copy["metadata"]["labels"]["fleet.cattle.io/repo-name"] = json!("db");
            apply(&mut copy);
            copy["status"]["ready"] = json!(false);
            other = Some(copy);
            it["spec"]["dependsOn"] = json!([{"name": "db-db"}]);
            it["status"]["conditions"] = json!([{"type": "Deployed", "status": "False",
                "message": "dependent bundle(s) are not ready: [db-db]"}]);
        })
        .edit(DEPLOYMENTS, |items| items.extend(other));
    let findings = incident.why();
    let finding =
        findings.iter().find(|it| it["owner"]["name"] == "shop" && it["cluster"] == "c-prod").unwrap();
    assert_eq!(finding["class"], "dependency");
    assert!(finding["evidence"].to_string().contains("bundle db-db is NotReady"), "{finding:#}");
}

#[test]
fn a_dependency_that_names_nothing() {
    let incident = Incident::without_the_failed_revision()
        .deployment("c-prod", |it| it["spec"]["dependsOn"] = json!([{"name": "nosuch"}]));
    assert_held(&incident.finding("c-prod"), "dependency", "names no bundle");
}

#[test]
fn an_agent_that_fell_silent() {
    let incident = Incident::without_the_failed_revision()
        .object(CLUSTERS, "c-prod", |it| it["status"]["agent"]["lastSeen"] = json!("2026-12-01T00:20:00Z"));
    let finding = incident.finding("c-prod");
    assert_held(&finding, "deployer.down", "silent since");
    assert!(has_way_out(&finding));
}

#[test]
fn an_agent_that_never_came() {
    let incident = Incident::without_the_failed_revision()
        .object(CLUSTERS, "c-prod", |it| it["status"]["agent"]["lastSeen"] = Value::Null);
    assert_held(&incident.finding("c-prod"), "deployer.down", "never checked in");
}

#[test]
fn helm_still_at_work() {
    let incident = Incident::recorded().edit("c-prod/secrets.json", |items| {
        let failed = items.iter_mut().find(|it| it["metadata"]["labels"]["status"] == "failed").unwrap();
        failed["metadata"]["labels"]["status"] = json!("pending-upgrade");
        failed["data"] = Value::Null;
    });
    let finding = incident.finding("c-prod");
    assert_eq!(finding["class"], "pending");
    assert_eq!(finding["release"]["status"], "pending-upgrade");
}

#[test]
fn a_rollout_names_the_cluster_that_blocks_it() {
    let incident = Incident::recorded().deployment("c-stage", |it| {
        apply(it);
        it["spec"]["stagedDeploymentID"] = json!("s-newer:options");
    });
    let finding = incident.finding("c-stage");
    assert_held(&finding, "sync.queued", "prod-eu");
    assert_eq!(finding["state"], "OutOfSync");
}

#[test]
fn the_content_is_missing() {
    let incident =
        Incident::without_the_failed_revision().edit("upstream/contents.fleet.cattle.io.json", |items| {
            items.retain(|it| !it["metadata"]["name"].as_str().unwrap().starts_with("s-2e91183c"));
        });
    assert_held(&incident.finding("c-prod"), "chart.fetch", "Content object");
}

#[test]
fn nothing_tells_and_that_is_said() {
    let finding = Incident::without_the_failed_revision().finding("c-prod");
    assert_held(&finding, "unknown", "look at the agent");
    assert_eq!(finding["confidence"], "possible");
    assert!(finding["gaps"].to_string().contains("logs deployment/fleet-agent"), "{finding:#}");
}

#[test]
fn a_restriction_on_target_namespaces() {
    // Format of Fleet's `authorizeAndAssignDefaults` (GitRepoRestriction).
    let text = "empty targetNamespace denied, because allowedTargetNamespaceSelector restriction is present";
    let incident = Incident::recorded().object(GIT_REPOS, "shop", |it| {
        it["status"]["conditions"] = json!([{"type": "Accepted", "status": "False", "message": text}]);
    });
    let findings = incident.why();
    let finding = findings.iter().find(|it| it["cluster"].is_null()).unwrap();
    assert_eq!(finding["message"], text);
    assert_eq!(finding["class"], "deployer.denied", "{finding:#}");
}
