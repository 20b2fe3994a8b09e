//! HelmOp: what somebody wants, straight from a chart repository.

use serde::Deserialize;

use super::{CorrectDrift, Summary};
use crate::record::{Condition, Metadata, null_is_default};
use crate::source::{Record, Resource, resources};

/// A HelmOp.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HelmOp {
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
    /// Nothing is brought to any cluster.
    pub paused: bool,
    /// Self-healing.
    #[serde(deserialize_with = "null_is_default")]
    pub correct_drift: CorrectDrift,
    /// Chart and version.
    #[serde(deserialize_with = "null_is_default")]
    pub helm: Chart,
}

/// `spec.helm`, as far as it names the chart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Chart {
    /// Chart name.
    #[serde(deserialize_with = "null_is_default")]
    pub chart: String,
    /// Version or constraint.
    #[serde(deserialize_with = "null_is_default")]
    pub version: String,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Status {
    /// The version that a constraint resolved to.
    #[serde(deserialize_with = "null_is_default")]
    pub version: String,
    /// `Ready`, `Accepted`, `Polled`.
    #[serde(deserialize_with = "null_is_default")]
    pub conditions: Vec<Condition>,
    /// Counts over all its BundleDeployments.
    #[serde(deserialize_with = "null_is_default")]
    pub summary: Summary,
}

impl Record for HelmOp {
    const RESOURCE: Resource = resources::HELM_OPS;
}
