//! Rancher Fleet: GitRepo or HelmOp → Bundle → BundleDeployment → release on a downstream cluster.
//!
//! Reads Fleet's objects on the upstream cluster and says, per BundleDeployment, in which state it is
//! and what besides a release could hold it. Facts: Fleet 0.16.1, field-guide 2 and 3.

mod bundle_less;
mod collect;
mod delivery;
mod hold;
mod pending;
pub mod records;
mod release_name;
mod state;

pub use collect::Fleet;
pub use release_name::release_target;
pub use state::State;

/// The deployer's name in deliveries and advice.
pub const NAME: &str = "fleet";
