//! Fleet's objects as typed records: only what is read, unknown fields pass, absent ones are empty.
//!
//! Shapes: `fleet.cattle.io/v1alpha1` of Fleet 0.16.1; older Fleets lack fields, never rename them.

mod bundle;
mod bundle_deployment;
mod cluster;
mod git_repo;
mod helm_op;
mod options_secret;
mod selector;

pub use bundle::{Bundle, Partition, Target};
pub use bundle_deployment::{BundleDeployment, Dependency, ModifiedStatus, NonReadyStatus, Options};
pub use cluster::FleetCluster;
pub use git_repo::GitRepo;
pub use helm_op::HelmOp;
pub use options_secret::OptionsSecret;
pub use selector::Selector;

use serde::Deserialize;

use crate::record::null_is_default;

/// `status.summary` of GitRepo, HelmOp and Bundle. Its list of names is cut at ten: only counts are read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Summary {
    /// Clusters that should have it.
    pub desired_ready: u32,
    /// Clusters that have it.
    pub ready: u32,
    /// Targets without a BundleDeployment yet.
    pub pending: u32,
    /// The cut list.
    #[serde(deserialize_with = "null_is_default")]
    pub non_ready_resources: Vec<serde::de::IgnoredAny>,
}

/// `correctDrift`: Fleet undoes hand-made changes by a Helm rollback.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CorrectDrift {
    /// Whether it does.
    pub enabled: bool,
    /// Whether by delete and create.
    pub force: bool,
    /// Whether a failed rollback's revision stays.
    pub keep_fail_history: bool,
}
