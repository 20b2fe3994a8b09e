//! The join and the verdict: from cases to a report.
//!
//! Pure: the same evidence always gives the same report. May use everything pure; reads nothing itself.

mod audit;
mod cause;
mod command;
mod conflict;
mod diagnose;
mod drift;
mod finding;
mod lost;
mod robots;
mod rollback;
mod rollout;
mod running;
mod shared;
mod silence;
mod since;
mod summary;
mod timeline;
mod unreleased;
mod way_out;

pub use audit::{audit, landmines, method};
pub use cause::classify;
pub use diagnose::diagnose;
pub use finding::findings;
