//! GitRepo: what somebody wants, from a Git repository.

use serde::Deserialize;

use super::{CorrectDrift, Summary};
use crate::record::{Condition, Metadata, null_is_default};
use crate::source::{Record, Resource, resources};

/// A GitRepo.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GitRepo {
    /// Name, namespace (the workspace), labels.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "null_is_default")]
    pub spec: Spec,
    /// What Fleet made of it.
    #[serde(deserialize_with = "null_is_default")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spec {
    /// The repository's URL.
    pub repo: String,
    /// Nothing is brought to any cluster.
    pub paused: bool,
    /// Self-healing.
    #[serde(deserialize_with = "null_is_default")]
    pub correct_drift: CorrectDrift,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Status {
    /// The commit that bundles were made from.
    #[serde(deserialize_with = "null_is_default")]
    pub commit: String,
    /// `Ready`, `GitPolling`, `Stalled`, `Accepted`, `Reconciling`.
    #[serde(deserialize_with = "null_is_default")]
    pub conditions: Vec<Condition>,
    /// `Current`, `Failed`, `InProgress`, …
    #[serde(deserialize_with = "null_is_default")]
    pub git_job_status: String,
    /// Counts over all its BundleDeployments.
    #[serde(deserialize_with = "null_is_default")]
    pub summary: Summary,
}

impl Record for GitRepo {
    const RESOURCE: Resource = resources::GIT_REPOS;
}
