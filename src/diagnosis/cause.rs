//! Which of the things that are told is the reason.

use crate::deployer::{Sign, Standing, Statement};
use crate::evidence::Case;
use crate::failure::{self, Class, Failure};
use crate::helm::{self, History, Revision, Status};
use crate::report::Confidence;

/// The reason of one case.
pub enum Cause<'a> {
    /// A revision's description tells it; the owner may say the same.
    Revision {
        /// The revision.
        revision: &'a Revision,
        /// What its text tells.
        failure: Failure,
        /// The owner's own text agrees.
        is_confirmed: bool,
    },
    /// Only the owner's text tells it: the failure made no revision, or its revision is gone.
    Statement {
        /// The text.
        statement: &'a Statement,
        /// What it tells.
        failure: Failure,
    },
    /// No text, but the objects tell.
    Sign(&'a Sign),
    /// Nothing that was read tells.
    Unknown,
}

/// Classes that name no cause: any text with a cause beats them.
const WITHOUT_CAUSE: [&str; 3] = ["pending", "unknown", "interrupted"];

/// The reason, or `None` where there is nothing to explain.
pub fn of(case: &Case) -> Option<Cause<'_>> {
    let delivery = &case.delivery;
    if let Some(sign) = delivery.signs.iter().find(|sign| sign.outranks_texts) {
        return Some(Cause::Sign(sign));
    }
    let revision = told_by_revision(case);
    let statement = told_by_statement(case);
    // What landed is not explained by a sign that stands beside it (the agent's own bundle on a paused cluster).
    let first_sign = delivery.signs.first().filter(|_| delivery.standing != Standing::Landed);
    match (statement, revision) {
        (Some((statement, told)), Some((revision, found))) => {
            let agree = agrees(&told, &found);
            let names_more = !WITHOUT_CAUSE.contains(&found.class.0) && WITHOUT_CAUSE.contains(&told.class.0);
            Some(if agree || names_more {
                Cause::Revision { revision, failure: found, is_confirmed: agree }
            } else {
                Cause::Statement { statement, failure: told }
            })
        }
        (Some((statement, failure)), None) => Some(Cause::Statement { statement, failure }),
        (None, Some((revision, failure))) => {
            let is_weak = WITHOUT_CAUSE.contains(&failure.class.0);
            match first_sign.filter(|sign| is_weak && sign.confidence == Confidence::Certain) {
                Some(sign) => Some(Cause::Sign(sign)),
                None => Some(Cause::Revision { revision, failure, is_confirmed: false }),
            }
        }
        (None, None) => match first_sign {
            Some(sign) => Some(Cause::Sign(sign)),
            None if delivery.standing == Standing::Stuck && delivery.owner.is_some() => Some(Cause::Unknown),
            None => None,
        },
    }
}

/// The revision that tells why what was wanted is not live.
fn told_by_revision(case: &Case) -> Option<(&Revision, Failure)> {
    let history = case.history.as_ref()?;
    // A content deployer over an older, mended failure has nothing to explain; a failed newest record has.
    let newest = history.newest()?;
    let newest_is_bad = *newest.status() == Status::Failed || newest.status().unfinished();
    if case.delivery.standing == Standing::Landed && case.delivery.owner.is_some() && !newest_is_bad {
        return None;
    }
    let revision = revision_of(history)?;
    Some((revision, classify(revision)?))
}

/// The revision that holds the reason.
pub fn revision_of(history: &History) -> Option<&Revision> {
    history.causes().first().map(helm::Cause::revision)
}

/// What a revision tells, by its text, or by its damage.
pub fn classify(revision: &Revision) -> Option<Failure> {
    if revision.damage().is_some_and(crate::helm::DecodeError::is_damage) {
        return Some(damaged(revision));
    }
    failure::classify_revision(revision.status().as_str(), revision.description().unwrap_or_default())
}

/// A record that does not decode: Helm skips it without a word, and every later upgrade fails.
fn damaged(revision: &Revision) -> Failure {
    let why = revision.damage().map(ToString::to_string).unwrap_or_default();
    let text = format!(
        "the record of revision {} does not decode ({why}); Helm shows the one before and refuses every upgrade with \
         `release: already exists`",
        revision.number()
    );
    Failure {
        class: Class("storage"),
        confidence: Confidence::Certain,
        also: Vec::new(),
        wrappers: Vec::new(),
        conflicts: Vec::new(),
        objects: Vec::new(),
        entities: std::collections::BTreeMap::new(),
        truncated: false,
        text,
    }
}

/// The first current text of the owner that tells of a failure.
fn told_by_statement(case: &Case) -> Option<(&Statement, Failure)> {
    let current = case.delivery.statements.iter().filter(|statement| statement.is_current);
    let told: Vec<_> = current.filter_map(|it| Some((it, failure::classify(&it.text)?))).collect();
    let with_cause = told.iter().position(|(_, failure)| !WITHOUT_CAUSE.contains(&failure.class.0));
    let at = with_cause.unwrap_or(0);
    told.into_iter().nth(at)
}

/// Whether two texts tell the same failure: the same class, and one cause text within the other. The
/// owner's text is often the revision's without Helm's lead-in, or with a deployer's one around it.
fn agrees(told: &Failure, found: &Failure) -> bool {
    if told.class != found.class {
        return false;
    }
    let (a, b) = (squeeze(&told.text), squeeze(&found.text));
    a.contains(&b)
        || b.contains(&a)
        || told.truncated
        || told.objects.iter().any(|it| found.objects.contains(it))
}

/// White space is what transports change first.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
