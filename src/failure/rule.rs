//! A rule: a word without which it cannot match, and a pattern over the text on one line.

use regex::Captures;

use super::entities::Entities;
use crate::report::Confidence;

/// How a match of a rule counts against others in the same error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Counts only where nothing better stands in the same error: `context deadline exceeded`.
    Weak,
    /// Counts where only weak matches follow: `pre-upgrade hooks failed`.
    Lead,
    /// A cause.
    Strong,
    /// A cause whose message is somebody else's words: what follows in the same error is not looked at.
    Opaque,
}

/// One rule. Named groups of the pattern become entities; a dot in a name nests (`hook.phase`).
pub(super) struct Rule {
    /// Must be in the text on one line, as it is.
    pub needle: &'static str,
    /// Tried where the needle is. Blanks stand for any white-space run.
    pub pattern: &'static str,
    /// Against other matches.
    pub weight: Weight,
    /// `Certain` for a whole format string.
    pub sure: Confidence,
    /// What named groups cannot say: gets the text from the match on.
    pub more: Option<fn(&Captures<'_>, &str, &mut Entities)>,
    /// Whether the rest of the error is the message of a webhook or a policy.
    pub message: bool,
}

/// A cause that a format string tells whole.
pub(super) const fn strong(needle: &'static str, pattern: &'static str) -> Rule {
    Rule { needle, pattern, weight: Weight::Strong, sure: Confidence::Certain, more: None, message: false }
}

/// A cause that quotes somebody else's words.
pub(super) const fn opaque(needle: &'static str, pattern: &'static str) -> Rule {
    Rule { weight: Weight::Opaque, ..strong(needle, pattern) }
}

/// A cause where nothing better is there.
pub(super) const fn weak(needle: &'static str, pattern: &'static str) -> Rule {
    Rule { weight: Weight::Weak, ..strong(needle, pattern) }
}

/// A class by the phase that failed, where only weak causes follow.
pub(super) const fn lead(needle: &'static str, pattern: &'static str) -> Rule {
    Rule { weight: Weight::Lead, ..strong(needle, pattern) }
}

impl Rule {
    /// One telling word, not a whole format string.
    pub const fn likely(self) -> Rule {
        Rule { sure: Confidence::Likely, ..self }
    }

    /// Other classes fit as well.
    pub const fn possible(self) -> Rule {
        Rule { sure: Confidence::Possible, ..self }
    }

    /// Reads entities that need more than named groups.
    pub const fn reading(self, more: fn(&Captures<'_>, &str, &mut Entities)) -> Rule {
        Rule { more: Some(more), ..self }
    }

    /// The rest of the error is a message for people.
    pub const fn with_message(self) -> Rule {
        Rule { message: true, ..self }
    }
}

/// A field path as `field.ErrorList` prints it: `spec.ports[0].name`, `data[config.yaml]`.
macro_rules! field_path {
    () => {
        r#"[A-Za-z_$<][^ :"\[\]]*(?:\[[^\]]*\][^ :"\[\]]*)*"#
    };
}

/// A field path as structured-merge-diff prints it: `.spec.ports[port=80,protocol="TCP"].name`.
macro_rules! ssa_path {
    () => {
        r#"[.\[](?:[^ :"\[\]]|\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])*"#
    };
}

pub(super) use {field_path, ssa_path};
