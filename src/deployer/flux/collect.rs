//! Reading Flux's records from a cluster.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde::Deserialize;

use super::delivery;
use super::helm_release::{self, HelmRelease};
use super::source::{self, SourceObject, Sources};
use crate::deployer::read::newest;
use crate::deployer::{Delivery, Deployer};
use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
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

/// `kustomize.toolkit.fluxcd.io/v1 Kustomization`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Kustomization {
    /// Name and namespace.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    spec: KustomizationSpec,
    /// What came of it.
    #[serde(deserialize_with = "lenient")]
    status: KustomizationStatus,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct KustomizationSpec {
    #[serde(deserialize_with = "lenient")]
    suspend: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct KustomizationStatus {
    #[serde(deserialize_with = "lenient")]
    conditions: Vec<Condition>,
}

impl Kustomization {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object("kustomize.toolkit.fluxcd.io/v1", "Kustomization")
    }

    /// Why what is in Git may not have come through.
    pub fn trouble(&self) -> Option<String> {
        if self.spec.suspend {
            return Some("it is suspended".into());
        }
        condition(&self.status.conditions, "Ready")
            .filter(|ready| ready.is_false())
            .map(|ready| format!("{}: {}", ready.reason, ready.message))
    }
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
        &["helm-controller"]
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
    if helm_releases.is_empty() {
        return Vec::new();
    }
    let sources: Vec<SourceObject> = newest(hub, &source::RESOURCES).await;
    let kustomizations = newest(hub, &[resources::FLUX_KUSTOMIZATIONS]).await;
    let world = World {
        hub: hub.cluster().name().to_owned(),
        helm_releases,
        sources: sources.into_iter().collect(),
        kustomizations,
        has_workloads: false,
    };
    let now = hub.now(now);
    world.helm_releases.iter().map(|helm_release| delivery::delivery(helm_release, &world, now)).collect()
}
