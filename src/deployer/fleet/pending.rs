//! Targets that have no BundleDeployment yet, and Bundles that the other causes lead to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::State;
use super::collect::Workspace;
use super::delivery::API_VERSION;
use super::records::{Bundle, FleetCluster, Summary, Target};
use crate::deployer::{Delivery, Standing, Statement, evidence};
use crate::object::ObjectRef;
use crate::record::{Condition, condition};

/// Bundles whose pause or rollout matters: those of deployments that are paused or held back.
pub fn bundles_in_question(workspace: &Workspace) -> BTreeSet<(String, String)> {
    workspace
        .deployments
        .iter()
        .filter(|it| it.spec.paused || State::of(it) == State::OutOfSync)
        .map(|it| {
            let label = |name: &str| it.metadata.label(name).to_owned();
            (label("fleet.cattle.io/bundle-namespace"), label("fleet.cattle.io/bundle-name"))
        })
        .filter(|(_, name)| !name.is_empty())
        .collect()
}

/// Namespace and label selector of the Bundles of every owner that counts more targets than it has
/// BundleDeployments, or has none at all.
pub fn owners_without_deployments(workspace: &Workspace) -> Vec<(String, String)> {
    let mut counts: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
    for it in &workspace.deployments {
        for label in ["fleet.cattle.io/repo-name", "fleet.cattle.io/fleet-helm-name"] {
            let namespace = it.metadata.label("fleet.cattle.io/bundle-namespace");
            *counts.entry((label, namespace, it.metadata.label(label))).or_default() += 1;
        }
    }
    let repos =
        workspace.git_repos.iter().map(|(key, it)| ("fleet.cattle.io/repo-name", key, &it.status.summary));
    let helm_ops = workspace
        .helm_ops
        .iter()
        .map(|(key, it)| ("fleet.cattle.io/fleet-helm-name", key, &it.status.summary));
    repos
        .chain(helm_ops)
        .filter(|(label, (namespace, name), summary)| {
            let count = counts.get(&(*label, namespace.as_str(), name.as_str())).copied().unwrap_or(0);
            is_short(summary, count)
        })
        .map(|(label, (namespace, name), _)| (namespace.clone(), format!("{label}={name}")))
        .collect()
}

fn is_short(summary: &Summary, count: u32) -> bool {
    count == 0 || summary.pending > 0 || summary.desired_ready > count
}

/// One delivery per cluster that a Bundle targets and that has no BundleDeployment of it.
pub fn deliveries(workspace: &Workspace) -> Vec<Delivery> {
    let existing: BTreeSet<(&str, &str, &str)> = workspace
        .deployments
        .iter()
        .map(|it| {
            let metadata = &it.metadata;
            (
                metadata.label("fleet.cattle.io/bundle-namespace"),
                metadata.label("fleet.cattle.io/bundle-name"),
                metadata.label("fleet.cattle.io/cluster"),
            )
        })
        .collect();
    workspace
        .bundles
        .values()
        .flat_map(|bundle| targeted(bundle, workspace).map(move |cluster| (bundle, cluster)))
        .filter(|(bundle, cluster)| {
            let metadata = &bundle.metadata;
            !existing.contains(&(&metadata.namespace, &metadata.name, &cluster.metadata.name))
        })
        .map(|(bundle, cluster)| delivery(bundle, cluster))
        .collect()
}

/// The clusters of the Bundle's workspace that its targets choose; groups cannot be followed here.
fn targeted<'a>(bundle: &'a Bundle, workspace: &'a Workspace) -> impl Iterator<Item = &'a FleetCluster> {
    workspace.clusters.values().filter(|cluster| {
        let is_of_workspace = cluster.metadata.namespace == bundle.metadata.namespace;
        let first = bundle.spec.targets.iter().find(|target| chooses(target, cluster));
        is_of_workspace && first.is_some_and(|target| !target.do_not_deploy)
    })
}

fn chooses(target: &Target, cluster: &FleetCluster) -> bool {
    let is_by_group = !target.cluster_group.is_empty() || target.cluster_group_selector.is_some();
    let by_name = target.cluster_name.is_empty() || target.cluster_name == cluster.metadata.name;
    let by_label = target.cluster_selector.as_ref().is_none_or(|it| it.matches(&cluster.metadata.labels));
    let says_anything = !target.cluster_name.is_empty() || target.cluster_selector.is_some();
    !is_by_group && says_anything && by_name && by_label
}

fn delivery(bundle: &Bundle, cluster: &FleetCluster) -> Delivery {
    let metadata = &bundle.metadata;
    let own = ObjectRef::new(API_VERSION, "Bundle", &metadata.namespace, &metadata.name);
    let owner =
        super::bundle_less::owner_by_labels(metadata, &metadata.namespace).unwrap_or_else(|| own.clone());
    let ready = condition(&bundle.status.conditions, "Ready").filter(|it| tells(it));
    let mut chain = vec![owner.clone(), own];
    chain.dedup();
    Delivery {
        deployer: "fleet",
        manager: "fleetagent",
        owner: Some(owner),
        chain,
        cluster: Some(cluster.wanted()),
        state: Value::String(State::Pending.to_string()),
        standing: Standing::Stuck,
        statements: ready
            .map(|it| Statement {
                text: it.message.clone(),
                source: format!("Bundle {}/{}, condition Ready", metadata.namespace, metadata.name),
                is_current: true,
            })
            .into_iter()
            .collect(),
        paused: bundle.spec.paused || cluster.spec.paused,
        evidence: vec![evidence(
            format!("Bundle {}/{}", metadata.namespace, metadata.name),
            if cluster.status.namespace.is_empty() {
                format!(
                    "it targets cluster {}, which has no namespace yet (never registered?)",
                    cluster.metadata.name
                )
            } else {
                format!(
                    "it targets cluster {}, and there is no BundleDeployment of it there",
                    cluster.metadata.name
                )
            },
        )],
        signs: never_registered(cluster),
        ..Delivery::default()
    }
}

fn tells(condition: &Condition) -> bool {
    condition.status == "False" && !condition.message.is_empty()
}

/// A cluster without a namespace or without any check-in never finished its registration.
fn never_registered(cluster: &FleetCluster) -> Vec<crate::deployer::Sign> {
    if cluster.status.agent.last_seen.is_some() {
        return Vec::new();
    }
    vec![super::hold::unregistered(cluster)]
}
