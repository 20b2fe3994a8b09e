//! Everything that a live test stands on: control planes that start in seconds and never outlive the test,
//! Helm and kubectl pointed at them, and players for the parts that are not there (kubelet, a person's
//! browser, Fleet).
//!
//! Nothing here uses the crate under test. What the harness reads from a cluster it reads with its own few
//! lines, so that a mistake of ours can't confirm itself.

pub mod api;
pub mod assets;
pub mod audit;
pub mod chart;
pub mod control_plane;
pub mod failure;
pub mod fleet;
pub mod guard;
pub mod kubeconfig;
pub mod kubelet;
pub mod managed_fields;
pub mod planes;
pub mod ports;
pub mod release;
pub mod server;
pub mod tools;
pub mod wait;
