//! Why a GitOps deploy did not land: release forensics for Fleet, Flux, Argo CD, k3s and plain Helm.
//!
//! Data walks one way: `source` → `deployer` and `evidence` → `diagnosis` → `report`. Nothing below
//! `source` does IO, nothing below `cli` reads the clock, so the same evidence always makes the same
//! report.

pub mod capture;
pub mod cli;
pub mod deployer;
pub mod diagnosis;
pub mod evidence;
pub mod failure;
pub mod fields;
pub mod helm;
pub mod object;
mod parallel;
pub mod record;
pub mod redact;
pub mod report;
pub mod rollout;
pub mod shell;
pub mod source;
pub mod yaml;
