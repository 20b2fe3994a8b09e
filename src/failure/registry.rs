//! All rules in one place: one pass over a text tells which words are there, only their patterns are built
//! and tried.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::boundaries::{HARD, SECOND, SOFT};
use super::classes::TABLE;
use super::mentions::MENTIONS;
use super::objects::OBJECTS;
use super::rule::Rule;
use super::wrappers::WRAPPERS;

/// What a match of a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Tells the class at this place of the table.
    Class(usize),
    /// A lead-in of this name.
    Wrapper(&'static str),
    /// Names an object.
    Object,
    /// Names something else.
    Mention,
    /// Ends an error.
    Hard,
    /// Ends an error, unless somebody else's message is quoted.
    Soft,
    /// Begins the second of two nested errors.
    Second,
}

/// A rule with its job and its pattern, built when first needed.
pub(super) struct Registered {
    /// As the tables have it.
    pub rule: &'static Rule,
    /// What for.
    pub job: Job,
    regex: OnceLock<Option<Regex>>,
}

impl Registered {
    /// The pattern; `None` for a broken one, which the tests exclude.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(self.rule.pattern).ok()).as_ref()
    }
}

/// All rules and the words that they need.
pub(super) struct Registry {
    /// In table order.
    pub rules: Vec<Registered>,
    words: Option<AhoCorasick>,
}

/// The one registry.
pub(super) static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let classes = TABLE
        .iter()
        .enumerate()
        .flat_map(|(place, class)| class.rules.iter().map(move |rule| (rule, Job::Class(place))));
    let rules: Vec<Registered> = classes
        .chain(WRAPPERS.iter().map(|(name, rule)| (rule, Job::Wrapper(name))))
        .chain(OBJECTS.iter().map(|rule| (rule, Job::Object)))
        .chain(MENTIONS.iter().map(|rule| (rule, Job::Mention)))
        .chain(HARD.iter().map(|rule| (rule, Job::Hard)))
        .chain(SOFT.iter().map(|rule| (rule, Job::Soft)))
        .chain(SECOND.iter().map(|rule| (rule, Job::Second)))
        .map(|(rule, job)| Registered { rule, job, regex: OnceLock::new() })
        .collect();
    let words = AhoCorasick::new(rules.iter().map(|registered| registered.rule.needle)).ok();
    Registry { rules, words }
});

impl Registry {
    /// The rules whose word is in the text, in table order.
    pub fn at_hand(&self, text: &str) -> Vec<&Registered> {
        let mut there = vec![false; self.rules.len()];
        let mut left = self.rules.len();
        if let Some(words) = &self.words {
            for found in words.find_overlapping_iter(text) {
                if let Some(seen) = there.get_mut(found.pattern().as_usize())
                    && !std::mem::replace(seen, true)
                {
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        self.rules.iter().zip(there).filter_map(|(rule, there)| there.then_some(rule)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_builds_and_needs_its_word() {
        for registered in &REGISTRY.rules {
            assert!(registered.regex().is_some(), "{}", registered.rule.pattern);
            assert!(!registered.rule.needle.is_empty(), "{}", registered.rule.pattern);
        }
    }
}
