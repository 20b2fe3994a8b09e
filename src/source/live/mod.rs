//! Living clusters, read over HTTPS with the kubeconfig that a person already has.
//!
//! One question takes this way: `kubeconfig` finds out whom the user means, `server` holds one API
//! server and the credentials for it, `read_only` sends GETs and nothing else, `cluster` turns its
//! answers into objects. How a downstream cluster is found stands in [`super::access`]. May use kube
//! and the shared types of `source`, nothing of deployers.

mod answer;
mod cluster;
mod config;
mod connection;
mod deadline;
mod discovery;
mod error;
mod exec_plugin;
mod interrupt;
mod kubeconfig;
mod memory;
mod page;
mod path;
mod proxy;
mod read_only;
mod retry;
mod search;
mod server;
mod source;
mod trouble;

pub(super) use cluster::LiveCluster;
pub use connection::{Connection, Limits};
pub use error::LiveError;
pub use interrupt::interrupt;
pub use source::Live;
