//! Numbers that a history skips, and what a skip means.

use std::fmt;

use serde::Serialize;

use super::Revision;

/// Consecutive revision numbers without a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The lowest.
    pub first: u32,
    /// The highest.
    pub last: u32,
    /// Why they are gone, as far as their neighbours tell.
    pub why: WhyMissing,
}

/// Why records are gone. Helm deletes the oldest ones first and spares the deployed one, so the
/// neighbours of a gap tell (field-guide 3, failure-guide 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyMissing {
    /// Older than everything that is stored: the history limit (Helm 10, Fleet 2, Flux 5 unless set).
    HistoryLimit,
    /// Behind a good revision: tries that did not land. The limit spared the deployed revision and dropped
    /// each failed try for the next one.
    Retries,
    /// In front of a rollback: the upgrade that was rolled back (atomic), with its reason.
    RolledBack,
    /// Behind a revision that the limit would have dropped first: somebody deleted them, or a deployer
    /// did (Fleet deletes the record of a drift correction that failed, unless `keepFailHistory`).
    Deleted,
}

impl Missing {
    /// How many.
    pub fn count(&self) -> u32 {
        self.last - self.first + 1
    }
}

impl WhyMissing {
    /// One line for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::HistoryLimit => {
                "older than the history limit keeps (Helm keeps 10, Fleet 2, Flux 5 unless told otherwise)"
            }
            Self::Retries => {
                "tries that did not land: the history limit keeps the deployed revision and drops each failed try for the next"
            }
            Self::RolledBack => {
                "the try that was rolled back: its record, with the reason, went to the history limit"
            }
            Self::Deleted => {
                "deleted by hand or by the deployer: the history limit would have dropped older ones first"
            }
        }
    }
}

/// `2 to 13 (12 revisions)`, or `3`.
impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            return write!(f, "{}", self.first);
        }
        write!(f, "{} to {} ({} revisions)", self.first, self.last, self.count())
    }
}

pub(super) fn missing(revisions: &[Revision]) -> Vec<Missing> {
    let mut before: Option<&Revision> = None;
    let mut gaps = Vec::new();
    for revision in revisions {
        let first = before.map_or(0, Revision::number).saturating_add(1);
        if let Some(last) = revision.number().checked_sub(1).filter(|last| *last >= first) {
            gaps.push(Missing { first, last, why: why(before, revision) });
        }
        before = Some(revision);
    }
    gaps
}

fn why(before: Option<&Revision>, after: &Revision) -> WhyMissing {
    match before {
        None => WhyMissing::HistoryLimit,
        Some(_) if after.is_rollback() => WhyMissing::RolledBack,
        Some(before) if before.landed() => WhyMissing::Retries,
        Some(_) => WhyMissing::Deleted,
    }
}
