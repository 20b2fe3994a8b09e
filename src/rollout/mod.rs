//! Why a workload that was applied does not run: Deployment, StatefulSet, DaemonSet, their pods and events.
//!
//! Kubernetes does not roll back by itself: old pods go on serving while the new ones wait, and only the
//! pods say what for. Pure; used by every deployer.

mod pod;
mod record;
mod why;

pub use pod::{Pod, Trouble};
pub use record::{Event, Workload};
pub use why::{Rollout, Side, why};
