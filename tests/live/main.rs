//! Tests against real servers and real Helm: what we say about Helm, server-side apply and our own advice is
//! proven here.
//!
//!     export KUBEBUILDER_ASSETS="$(tests/rig/build)"
//!     cargo test --test live
//!
//! Without the binaries every test that needs them says aloud that it was skipped and passes; with
//! `CI_LIVE_REQUIRED=1` it fails instead, so that a build server can't be green without having run them.

mod fleet_chain;
mod foretold;
mod harness;
mod incident;
mod kubelet;
mod matrix;
mod predict;
mod program;
mod rig;
mod shop;
mod watch;
mod way_out;
mod why;
