//! Living clusters, against an API server that serves saved ones over real TCP and TLS.

mod conduct;
mod downstream;
#[path = "../support/fake_api/mod.rs"]
mod fake_api;
mod listing;
mod parity;
mod program;
mod rig;
mod trouble;
