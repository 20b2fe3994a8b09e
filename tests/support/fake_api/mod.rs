//! An API server that serves saved clusters as if they were alive: real TCP, real TLS, faults on demand.
//!
//! One server holds any number of clusters, each under a path (`""`, or Rancher's `/k8s/clusters/ID`).
//! It answers GET alone; a test in which anything else was sent fails when the server is dropped.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod answer;
mod certificate;
mod fault;
mod kubeconfig;
mod log;
mod proxy;
mod route;
mod selector;
mod server;
mod store;

pub use certificate::{Authority, Leaf};
pub use fault::Fault;
pub use kubeconfig::Kubeconfig;
pub use log::Seen;
pub use proxy::ConnectProxy;
pub use server::{FakeApi, FakeApiBuilder};
pub use store::Store;
