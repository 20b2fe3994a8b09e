//! BundleDeployment: one Bundle on one cluster.

use serde::Deserialize;

use super::CorrectDrift;
use crate::record::{Condition, Metadata, null_is_default};
use crate::source::{Record, Resource, resources};

/// A BundleDeployment.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct BundleDeployment {
    /// Name, namespace (the cluster's own), join labels.
    pub metadata: Metadata,
    /// What the agent shall bring.
    #[serde(deserialize_with = "null_is_default")]
    pub spec: Spec,
    /// What the agent reports.
    #[serde(deserialize_with = "null_is_default")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spec {
    /// `CONTENT:OPTIONSHASH` that the agent shall apply.
    #[serde(rename = "deploymentID", deserialize_with = "null_is_default")]
    pub deployment_id: String,
    /// The same, of the newest commit; differs while a rollout or a pause holds it back.
    #[serde(rename = "stagedDeploymentID", deserialize_with = "null_is_default")]
    pub staged_deployment_id: String,
    /// Options of `deploymentID`.
    #[serde(deserialize_with = "null_is_default")]
    pub options: Options,
    /// Bundles that must be ready first.
    #[serde(deserialize_with = "null_is_default")]
    pub depends_on: Vec<Dependency>,
    /// Frozen by cluster, bundle or GitRepo.
    pub paused: bool,
    /// Outside the cluster's schedule.
    pub off_schedule: bool,
    /// Fleet's controller could not make the values yet.
    pub waiting_for_values: bool,
    /// Self-healing.
    #[serde(deserialize_with = "null_is_default")]
    pub correct_drift: CorrectDrift,
    /// Hash of the values in the options Secret; `""` where there is no such Secret.
    #[serde(deserialize_with = "null_is_default")]
    pub values_hash: String,
}

/// `spec.options`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Options {
    /// Forces all objects into this namespace.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// The release's namespace where `namespace` is empty.
    #[serde(deserialize_with = "null_is_default")]
    pub default_namespace: String,
    /// Helm's options.
    #[serde(deserialize_with = "null_is_default")]
    pub helm: Helm,
    /// Secrets and ConfigMaps that Fleet copies along.
    #[serde(deserialize_with = "null_is_default")]
    pub downstream_resources: Vec<DownstreamResource>,
}

/// One entry of `downstreamResources`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DownstreamResource {
    /// `Secret` or `ConfigMap`.
    pub kind: String,
    /// Its name, in the Bundle's namespace.
    pub name: String,
}

/// `spec.options.helm`, as far as it explains failures.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Helm {
    /// The release's name where the user chose one.
    #[serde(deserialize_with = "null_is_default")]
    pub release_name: String,
    /// Roll back what fails.
    pub atomic: bool,
    /// PUT instead of apply.
    pub force: bool,
    /// Adopt what exists; client-side apply.
    pub take_ownership: bool,
    /// Helm's wait, in seconds; 0 does not wait.
    pub timeout_seconds: u32,
    /// Revisions to keep; 0 is Fleet's default of 2.
    pub max_history: u32,
}

/// One entry of `dependsOn`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Dependency {
    /// A bundle's name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// Bundles by label.
    pub selector: Option<super::Selector>,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Status {
    /// The id that the agent applied last.
    #[serde(rename = "appliedDeploymentID", deserialize_with = "null_is_default")]
    pub applied_deployment_id: String,
    /// `Installed`, `Deployed`, `Ready`, `Monitored`.
    #[serde(deserialize_with = "null_is_default")]
    pub conditions: Vec<Condition>,
    /// Every object is ready.
    pub ready: bool,
    /// No object differs from what was applied.
    pub non_modified: bool,
    /// `namespace/name:revision`, the last good one, or empty.
    #[serde(deserialize_with = "null_is_default")]
    pub release: String,
    /// What differs, ten at the most.
    #[serde(deserialize_with = "null_is_default")]
    pub modified_status: Vec<ModifiedStatus>,
    /// What is not ready, ten at the most.
    #[serde(deserialize_with = "null_is_default")]
    pub non_ready_status: Vec<NonReadyStatus>,
}

/// One object that differs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ModifiedStatus {
    /// `apps/v1`.
    #[serde(deserialize_with = "null_is_default")]
    pub api_version: String,
    /// `Deployment`.
    #[serde(deserialize_with = "null_is_default")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// It should be there and is not.
    pub missing: bool,
    /// It should be gone and is not.
    #[serde(rename = "delete")]
    pub extra: bool,
    /// JSON merge patch back to what Git wants. Holds env values: never printed raw.
    #[serde(deserialize_with = "null_is_default")]
    pub patch: String,
}

/// One object that is not ready.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NonReadyStatus {
    /// `apps/v1`.
    #[serde(deserialize_with = "null_is_default")]
    pub api_version: String,
    /// `Deployment`.
    #[serde(deserialize_with = "null_is_default")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
}

impl Record for BundleDeployment {
    const RESOURCE: Resource = resources::BUNDLE_DEPLOYMENTS;
}
