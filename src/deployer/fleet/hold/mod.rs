//! What can hold a BundleDeployment besides a failing release: one file per cause, one line each here.
//!
//! Every rule sees the same record and says nothing where its own evidence is absent, so that the
//! causes stay told apart (field-guide 3).

mod agent;
mod content;
mod dependency;
mod paused;
mod rollout;
mod schedule;
mod values;

use jiff::Timestamp;

use super::collect::Workspace;
use super::records::BundleDeployment;
use crate::deployer::Sign;

pub use agent::{log_gap, unregistered};
pub use schedule::is_closed;
pub use values::needs_options_secret;

/// What a rule looks at.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The BundleDeployment.
    pub deployment: &'a BundleDeployment,
    /// Everything around it.
    pub workspace: &'a Workspace,
    /// The time that ages are counted from.
    pub now: Timestamp,
}

/// The rules, the most telling first.
const RULES: [fn(Seen<'_>) -> Option<Sign>; 8] = [
    agent::sign,
    paused::sign,
    schedule::sign,
    values::waiting,
    values::options_secret,
    content::sign,
    rollout::sign,
    dependency::sign,
];

/// Every sign that holds.
pub fn signs(seen: Seen<'_>) -> Vec<Sign> {
    RULES.iter().filter_map(|rule| rule(seen)).collect()
}
