//! Which stored revision tells why the newest wanted change does not run.

use super::{History, Revision};

/// What a history says about the newest change.
#[derive(Clone, Debug, PartialEq)]
pub struct Causes<'a> {
    /// The reason first, then what went wrong after it (a rollback that failed as well). Empty: the newest
    /// change landed.
    pub causes: Vec<Cause<'a>>,
    /// A rollback stands where a reason should be, and the revision before it is gone (atomic under a
    /// short history): this number.
    pub lost: Option<u32>,
}

/// One revision that tells a reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause<'a> {
    /// Its description tells it, whatever its status.
    Failed(&'a Revision),
    /// No result was written: Helm works on it, or died. Its hooks may tell more.
    Unfinished(&'a Revision),
    /// The newest record does not decode. Helm skips it without a word, shows the one before, and
    /// refuses every upgrade with `release: already exists` (Helm 3.22, 4.3).
    Damaged(&'a Revision),
}

impl<'a> Cause<'a> {
    /// The revision.
    pub fn revision(&self) -> &'a Revision {
        match self {
            Self::Failed(revision) | Self::Unfinished(revision) | Self::Damaged(revision) => revision,
        }
    }
}

impl<'a> Causes<'a> {
    /// The reason.
    pub fn first(&self) -> Option<&Cause<'a>> {
        self.causes.first()
    }

    /// The newest change did not land, as far as the records tell.
    pub fn is_stuck(&self) -> bool {
        !self.causes.is_empty() || self.lost.is_some()
    }
}

impl History {
    /// The revision that tells the reason, the first of [`History::causes`].
    pub fn cause(&self) -> Option<&Revision> {
        self.causes().first().map(Cause::revision)
    }

    /// Why the newest wanted change is not live. Reads the newest revision, and behind rollbacks (`Rollback
    /// to N`: atomic, remediation, drift correction) the one before: a healthy newest revision is not
    /// enough.
    pub fn causes(&self) -> Causes<'_> {
        let mut causes = Vec::new();
        let mut lost = None;
        let mut next = self.newest();
        while let Some(revision) = next.take() {
            let cause = cause(revision, self.newest().map(Revision::number) == Some(revision.number()));
            // A good revision that is no rollback ends the walk, and so does everything that is not
            // there to put something right.
            let was_rollback = revision.is_rollback();
            causes.extend(cause);
            if !was_rollback || matches!(cause, Some(Cause::Damaged(_))) {
                break;
            }
            let Some(before) = revision.number().checked_sub(1).filter(|before| *before > 0) else {
                break;
            };
            next = self.revision(before);
            if next.is_none() && is_of_a_failure(revision) {
                lost = Some(before);
            }
        }
        causes.reverse();
        Causes { causes, lost }
    }
}

fn cause(revision: &Revision, is_newest: bool) -> Option<Cause<'_>> {
    if is_newest && revision.damage().is_some_and(super::DecodeError::is_damage) {
        Some(Cause::Damaged(revision))
    } else if revision.has_failed() {
        Some(Cause::Failed(revision))
    } else if revision.status().unfinished() {
        Some(Cause::Unfinished(revision))
    } else {
        None
    }
}

/// Drift correction rolls back to the revision right before, as it is the deployed one; atomic and
/// remediation to an earlier one, over the one that failed.
fn is_of_a_failure(rollback: &Revision) -> bool {
    let target = rollback.release().and_then(|release| release.info.rolled_back_to());
    target.is_some_and(|target| target.saturating_add(1) < rollback.number())
}
