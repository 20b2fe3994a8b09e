//! Argo CD: Applications, the ApplicationSet or Application above them, AppProjects with their windows.
//!
//! Argo CD renders Helm itself and writes no release Secrets. An Application can read Synced, Healthy and
//! Succeeded and be far from Git: `sign` says what else to look at. Facts without another mark: Argo CD
//! 3.5.1.

mod application;
mod collect;
mod cron;
mod delivery;
mod drift;
mod project;
mod sign;
mod statement;
mod sync;
mod way_out;

pub use collect::Argo;

#[cfg(test)]
mod tests;
