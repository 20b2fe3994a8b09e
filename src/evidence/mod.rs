//! The records that a diagnosis reads, collected from a source.
//!
//! One [`Case`] per delivery in question: the deployer's own word, the release's history, the living
//! objects that matter. May use `source`, the deployers, `helm` and `failure`; judges nothing.

mod case;
mod collect;
mod gap;
mod gather;
mod living;
mod question;
mod reads;
mod releases;
mod rival;
mod workload;

pub use case::{Case, Evidence, Found, Living};
pub use collect::{Options, collect};
pub use gather::{manifest_objects, manifest_of};
pub use question::{Question, Target, TargetError};
pub use reads::DOWNSTREAM;
pub use releases::{Depth, Releases};
pub use rival::Rival;
pub use workload::Workload;
