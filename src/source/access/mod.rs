//! How a downstream cluster is found, starting from its record on the hub.
//!
//! `way` lists the ways in the order in which they are tried and keeps what came of each; `secret` reads
//! the kubeconfig that a Secret holds, `argocd` Argo CD's own form of one, `rancher` knows Rancher's proxy URLs. Asking is `live`'s part.

pub(in crate::source) mod argocd;
pub(in crate::source) mod rancher;
pub(in crate::source) mod secret;
mod way;

pub use way::{AccessStep, Outcome, Way};
