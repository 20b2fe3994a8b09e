//! Why a deployer shows no reason.

use crate::deployer::evidence;
use crate::evidence::Case;
use crate::report::{Evidence, Finding};

/// Fleet's agent turns every API error of kind Conflict into "no error" before it writes the Deployed
/// condition (`errorutil.IgnoreConflict`, Fleet 0.15 to 0.16 and main): the filter is meant for stale
/// resource versions, and a server-side apply conflict is a 409 as well.
pub fn of(case: &Case, finding: &Finding) -> Option<Evidence> {
    let is_dropped = matches!(finding.class.as_str(), "ssa.conflict" | "conflict.modified");
    let is_silent = finding.state == "WaitApplied";
    if case.delivery.deployer != "fleet" || !is_dropped || !is_silent {
        return None;
    }
    let drift = case.delivery.statements.iter().any(|it| !it.is_current && it.text.contains(" modified {"));
    let says = if drift {
        "Fleet shows no reason because its agent drops conflict errors; its drift message dates from before the commit"
    } else {
        "Fleet shows no reason because its agent drops conflict errors"
    };
    Some(evidence("Fleet's agent, measured on 0.16.1", says))
}
