//! Reads Fleet's objects from the upstream cluster, little by little.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde::Deserialize;

use super::records::{Bundle, BundleDeployment, FleetCluster, GitRepo, HelmOp, OptionsSecret};
use super::{State, bundle_less, delivery, hold, pending};
use crate::deployer::{Delivery, Deployer};
use crate::record::Metadata;
use crate::source::{Query, Reader, Resource, resources};

/// Rancher Fleet.
pub struct Fleet;

const READS: &[Resource] = &[
    resources::GIT_REPOS,
    resources::HELM_OPS,
    resources::BUNDLES,
    resources::BUNDLE_DEPLOYMENTS,
    resources::FLEET_CLUSTERS,
    resources::FLEET_CONTENTS,
    resources::PODS,
    resources::SECRETS,
];

/// Everything of Fleet's that one hub holds, joined by name.
#[derive(Default)]
pub struct Workspace {
    /// GitRepos by (namespace, name).
    pub git_repos: BTreeMap<(String, String), GitRepo>,
    /// HelmOps by (namespace, name).
    pub helm_ops: BTreeMap<(String, String), HelmOp>,
    /// Clusters by (namespace, name).
    pub clusters: BTreeMap<(String, String), FleetCluster>,
    /// Every BundleDeployment.
    pub deployments: Vec<BundleDeployment>,
    /// Bundles that a question led to, by (namespace, name). Not all: a Bundle carries its chart.
    pub bundles: BTreeMap<(String, String), Bundle>,
    /// Hash of the options Secrets of the BundleDeployments that need one, by (namespace, name); `None`
    /// where the Secret is there and its values are not (a redacted dump).
    pub options_secrets: BTreeMap<(String, String), Option<String>>,
    /// Names of the stored Content objects; `None` where they could not be listed.
    pub contents: Option<BTreeSet<String>>,
    /// Git jobs and their pods that failed.
    pub git_jobs: bundle_less::GitJobs,
    /// A source that holds whole clusters: what is absent there does not exist.
    pub is_complete: bool,
}

/// Any object of which only the metadata is read.
#[derive(Deserialize)]
struct Named {
    metadata: Metadata,
}

impl Deployer for Fleet {
    fn name(&self) -> &'static str {
        "fleet"
    }

    fn field_managers(&self) -> &'static [&'static str] {
        &["fleetagent"]
    }

    fn reads(&self) -> &'static [Resource] {
        READS
    }

    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>> {
        async move {
            let workspace = read(hub).await;
            let now = hub.now(now);
            let mut deliveries: Vec<Delivery> = workspace
                .deployments
                .iter()
                .map(|deployment| delivery::of(deployment, &workspace, now))
                .collect();
            deliveries.extend(pending::deliveries(&workspace));
            deliveries.extend(bundle_less::deliveries(&workspace));
            deliveries
        }
        .boxed_local()
    }
}

async fn read(hub: &Reader) -> Workspace {
    let mut workspace = Workspace {
        git_repos: by_name(hub.all::<GitRepo>("").await, |it| &it.metadata),
        helm_ops: by_name(hub.all::<HelmOp>("").await, |it| &it.metadata),
        clusters: by_name(hub.all::<FleetCluster>("").await, |it| &it.metadata),
        deployments: hub.all::<BundleDeployment>("").await,
        is_complete: hub.cluster().is_complete(),
        ..Workspace::default()
    };
    if workspace.is_empty() {
        return workspace;
    }
    for (namespace, name) in pending::bundles_in_question(&workspace) {
        if let Some(bundle) = hub.one::<Bundle>(&namespace, &name).await {
            workspace.bundles.insert((namespace, name), bundle);
        }
    }
    let unbundled = pending::owners_without_deployments(&workspace);
    for (namespace, selector) in unbundled {
        let query = Query::all(resources::BUNDLES).within(namespace).labelled(selector);
        let bundles = hub.select::<Bundle>(query).await;
        workspace.bundles.extend(by_name(bundles, |it| &it.metadata));
    }
    workspace.options_secrets = options_secrets(hub, &workspace).await;
    workspace.contents = contents(hub, &workspace).await;
    workspace.git_jobs = bundle_less::GitJobs::read(hub, &workspace).await;
    workspace
}

/// Secrets of the BundleDeployments that wait and name a hash of values.
async fn options_secrets(hub: &Reader, workspace: &Workspace) -> BTreeMap<(String, String), Option<String>> {
    let mut found = BTreeMap::new();
    for deployment in workspace.deployments.iter().filter(|it| hold::needs_options_secret(it)) {
        let Metadata { namespace, name, .. } = &deployment.metadata;
        if let Some(secret) = hub.one::<OptionsSecret>(namespace, name).await {
            found.insert((namespace.clone(), name.clone()), secret.hash());
        }
    }
    found
}

/// Names of all Content objects, asked for only where a BundleDeployment waits without a word.
async fn contents(hub: &Reader, workspace: &Workspace) -> Option<BTreeSet<String>> {
    workspace.deployments.iter().find(|it| State::of(it) == State::WaitApplied)?;
    let query = Query::all(resources::FLEET_CONTENTS).metadata_only();
    let names: BTreeSet<String> =
        hub.select::<Named>(query).await.into_iter().map(|content| content.metadata.name).collect();
    (!names.is_empty()).then_some(names)
}

fn by_name<T>(records: Vec<T>, metadata: impl Fn(&T) -> &Metadata) -> BTreeMap<(String, String), T> {
    records
        .into_iter()
        .map(|record| {
            let Metadata { namespace, name, .. } = metadata(&record);
            ((namespace.clone(), name.clone()), record)
        })
        .collect()
}

impl Workspace {
    /// Nothing of Fleet's is here.
    fn is_empty(&self) -> bool {
        self.git_repos.is_empty() && self.helm_ops.is_empty() && self.deployments.is_empty()
    }

    /// The Cluster that a BundleDeployment belongs to: by its labels, else by its namespace.
    pub fn cluster_of(&self, deployment: &BundleDeployment) -> Option<&FleetCluster> {
        let metadata = &deployment.metadata;
        let key = (
            metadata.label("fleet.cattle.io/cluster-namespace").to_owned(),
            metadata.label("fleet.cattle.io/cluster").to_owned(),
        );
        self.clusters.get(&key).or_else(|| {
            self.clusters.values().find(|cluster| {
                !cluster.status.namespace.is_empty() && cluster.status.namespace == metadata.namespace
            })
        })
    }

    /// The Bundle of a BundleDeployment, if it was read.
    pub fn bundle_of(&self, deployment: &BundleDeployment) -> Option<&Bundle> {
        let metadata = &deployment.metadata;
        self.bundles.get(&(
            metadata.label("fleet.cattle.io/bundle-namespace").to_owned(),
            metadata.label("fleet.cattle.io/bundle-name").to_owned(),
        ))
    }
}
