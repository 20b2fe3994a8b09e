//! Bundle: what a GitRepo's path or a HelmOp became, with its targets and its rollout.

use serde::Deserialize;

use super::{Selector, Summary};
use crate::record::{Condition, Metadata, null_is_default};
use crate::source::{Record, Resource, resources};

/// A Bundle. Its resources are never read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Bundle {
    /// Name, namespace (the workspace), labels.
    pub metadata: Metadata,
    /// Pause and targets.
    #[serde(deserialize_with = "null_is_default")]
    pub spec: Spec,
    /// Counts and partitions.
    #[serde(deserialize_with = "null_is_default")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Spec {
    /// Set by the GitRepo's `paused`, or by hand.
    pub paused: bool,
    /// The first that matches a cluster counts.
    #[serde(deserialize_with = "null_is_default")]
    pub targets: Vec<Target>,
}

/// One entry of `spec.targets`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Target {
    /// One cluster by name.
    #[serde(deserialize_with = "null_is_default")]
    pub cluster_name: String,
    /// Clusters by label; an empty selector matches all.
    pub cluster_selector: Option<Selector>,
    /// A ClusterGroup by name.
    #[serde(deserialize_with = "null_is_default")]
    pub cluster_group: String,
    /// ClusterGroups by label.
    pub cluster_group_selector: Option<Selector>,
    /// This target excludes.
    pub do_not_deploy: bool,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Status {
    /// `Ready`, …
    #[serde(deserialize_with = "null_is_default")]
    pub conditions: Vec<Condition>,
    /// Counts over its BundleDeployments.
    #[serde(deserialize_with = "null_is_default")]
    pub summary: Summary,
    /// The rollout's parts, in order.
    #[serde(deserialize_with = "null_is_default", rename = "partitions")]
    pub partitions: Vec<Partition>,
    /// Clusters that are not available now.
    pub unavailable: u32,
    /// How many may be.
    pub max_unavailable: u32,
    /// Partitions that are not available now.
    pub unavailable_partitions: u32,
    /// How many may be.
    pub max_unavailable_partitions: u32,
}

/// One part of a rollout.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Partition {
    /// `All`, or the user's word.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
    /// Clusters in it.
    pub count: u32,
    /// Unavailable ones.
    pub unavailable: u32,
    /// How many may be.
    pub max_unavailable: u32,
}

impl Record for Bundle {
    const RESOURCE: Resource = resources::BUNDLES;
}
