//! Reading Flux's records from a cluster.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;

use super::delivery;
use super::helm_release::{self, HelmRelease};
use super::kustomization::{self, Kustomization};
use super::source::{self, SourceObject, Sources};
use crate::deployer::read::newest;
use crate::deployer::{Delivery, Deployer};
use crate::source::{Reader, Resource, resources};

/// Flux's helm-controller.
pub struct Flux;

/// Everything of Flux that one cluster holds.
pub struct World {
    /// The cluster's name.
    pub hub: String,
    /// HelmReleases.
    pub helm_releases: Vec<HelmRelease>,
    /// Where their charts come from.
    pub sources: Sources,
    /// Who applies HelmReleases.
    pub kustomizations: Vec<Kustomization>,
    /// The workloads of releases that were not waited for were looked at here.
    pub has_workloads: bool,
}

impl World {
    /// The HelmRelease of this name.
    pub fn helm_release(&self, namespace: &str, name: &str) -> Option<&HelmRelease> {
        self.helm_releases
            .iter()
            .find(|found| found.metadata.namespace == namespace && found.metadata.name == name)
    }

    /// The Kustomization that applied it, as its labels tell.
    pub fn kustomization_of(&self, helm_release: &HelmRelease) -> Option<&Kustomization> {
        let name = helm_release.metadata.label("kustomize.toolkit.fluxcd.io/name");
        let namespace = helm_release.metadata.label("kustomize.toolkit.fluxcd.io/namespace");
        self.kustomizations
            .iter()
            .find(|above| above.metadata.name == name && above.metadata.namespace == namespace)
    }
}

/// Kustomizations, and the version before that old clusters still serve.
const KUSTOMIZATIONS: [Resource; 2] = [
    resources::FLUX_KUSTOMIZATIONS,
    Resource::fixed("kustomize.toolkit.fluxcd.io", "v1beta2", "kustomizations", "Kustomization", true),
];

/// What `capture` and `rbac` need to know.
static READS: [Resource; 7] = [
    resources::HELM_RELEASES,
    resources::FLUX_KUSTOMIZATIONS,
    resources::FLUX_HELM_CHARTS,
    resources::FLUX_HELM_REPOSITORIES,
    resources::FLUX_GIT_REPOSITORIES,
    resources::FLUX_OCI_REPOSITORIES,
    resources::DEPLOYMENTS,
];

impl Deployer for Flux {
    fn name(&self) -> &'static str {
        "flux"
    }

    fn field_managers(&self) -> &'static [&'static str] {
        &["helm-controller", "kustomize-controller"]
    }

    fn reads(&self) -> &'static [Resource] {
        &READS
    }

    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>> {
        collect(hub, now).boxed_local()
    }
}

async fn collect(hub: &Reader, now: Timestamp) -> Vec<Delivery> {
    let helm_releases: Vec<HelmRelease> = newest(hub, &helm_release::RESOURCES).await;
    let kustomizations: Vec<Kustomization> = newest(hub, &KUSTOMIZATIONS).await;
    if helm_releases.is_empty() && kustomizations.is_empty() {
        return Vec::new();
    }
    let sources: Vec<SourceObject> = newest(hub, &source::RESOURCES).await;
    let world = World {
        hub: hub.cluster().name().to_owned(),
        helm_releases,
        sources: sources.into_iter().collect(),
        kustomizations,
        has_workloads: false,
    };
    let now = hub.now(now);
    let releases = world.helm_releases.iter().map(|it| delivery::delivery(it, &world, now));
    releases.chain(world.kustomizations.iter().map(|it| kustomization::delivery(it, &world, now))).collect()
}
