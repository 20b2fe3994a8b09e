//! Where objects come from: living clusters or saved files, behind one trait.
//!
//! Only this folder does IO. What it hands out are Kubernetes objects as JSON text, or the reason
//! why there is none; it knows nothing of releases, deployers or failures.

pub mod access;
mod cluster;
pub mod live;
mod reader;
mod resource;
pub mod saved;
mod time;

pub use cluster::{Answer, Cluster, ClusterWanted, Detail, Miss, Object, Query, Source};
pub use reader::{Reader, Record};
pub use resource::Resource;
pub use time::newest_time;
pub mod resources {
    //! The resources that the program reads, each typed once.
    pub use super::resource::known::*;
}
