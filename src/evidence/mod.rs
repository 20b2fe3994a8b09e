//! The records that a diagnosis reads, collected from a source.
//!
//! One [`Case`] per delivery in question: the deployer's own word, the release's history, the living
//! objects that matter. May use `source`, the deployers, `helm` and `failure`; judges nothing.

mod case;
mod choose;
mod collect;
mod collected;
mod gap;
mod gather;
mod living;
mod question;
mod reads;
mod releases;
mod rival;
mod workload;

pub use case::Case;
pub use collect::{Collection, Options};
pub use collected::Evidence;
pub use gather::{manifest_objects, manifest_of};
pub use living::{Found, Living, LivingObjects};
pub use question::{Question, Target, TargetError};
pub use reads::DOWNSTREAM;
pub use releases::{Depth, Releases};
pub use rival::Rival;
pub use workload::Workload;
