//! All failures of a paste or a log.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::classify::classify;
use super::model::Failure;
use super::reading::UNKNOWN;
use super::records::Records;

/// At most so many different failures are told apart; a log has a handful.
const DIFFERENT: usize = 10_000;

/// One of these is in every text that tells a failure.
const TELLING: [&str; 45] = [
    "fail",
    "error",
    "denied",
    "forbidden",
    "invalid",
    "conflict",
    "immutable",
    "timed out",
    "timeout",
    "deadline",
    "not found",
    "not ready",
    "notready",
    "exceed",
    "cannot",
    "unable",
    "missing",
    "modified",
    "pending",
    "already exists",
    "violates",
    "waiting",
    "terminat",
    "cancel",
    "eof",
    "refused",
    "blocked",
    "extra",
    "progressing",
    "not owned",
    "in progress",
    "underway",
    "uninstalling",
    "unreachable",
    "too large",
    "too long",
    "no matches",
    "not permitted",
    "is part of",
    "doesn't",
    "don't",
    "must",
    "has no",
    "unlocked",
    "not been",
];

/// A failure and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What is said.
    pub failure: Failure,
    /// The lines that say it, from 1.
    pub lines: RangeInclusive<usize>,
}

/// All different failures of a text, in the order in which they come. What is said again is there once;
/// what no rule fits is left out.
pub fn find(text: &str) -> Vec<Found> {
    let mut all = Vec::new();
    // Reading a slice does not fail.
    _ = find_in(text.as_bytes(), |found| all.push(found));
    all
}

/// As [`find`], for a log of any size: one record of at most 64 KiB is in memory at a time.
///
/// # Errors
///
/// What the reader returns.
pub fn find_in(reader: impl BufRead, mut each: impl FnMut(Found)) -> io::Result<()> {
    static WORDS: LazyLock<Option<AhoCorasick>> =
        LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(TELLING).ok());
    let mut records = Records::new(reader);
    let mut seen = HashSet::new();
    let mut read = HashSet::new();
    while let Some(record) = records.next_record()? {
        if !WORDS.as_ref().is_some_and(|words| words.is_match(&record.text)) {
            continue;
        }
        // A log says the same over and over: what was read once is not read again.
        let is_new = read.len() >= DIFFERENT || read.insert(hash(without_time(&record.text)));
        if !is_new {
            continue;
        }
        let Some(failure) = classify(&record.text).filter(|failure| failure.class != UNKNOWN) else {
            continue;
        };
        if seen.len() < DIFFERENT && seen.insert(fingerprint(&failure)) {
            each(Found { failure, lines: record.lines.0..=record.lines.1 });
        }
    }
    Ok(())
}

/// The text behind the time that a log line begins with.
fn without_time(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit() || "-:TZ.+, ".contains(c))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Two texts with the same fingerprint tell the same: Helm 4 prints an error twice, a log a hundred times.
fn fingerprint(failure: &Failure) -> u64 {
    let mut hasher = DefaultHasher::new();
    failure.class.hash(&mut hasher);
    for object in &failure.objects {
        (&object.kind, &object.namespace, &object.name).hash(&mut hasher);
    }
    for conflict in &failure.conflicts {
        (&conflict.manager, &conflict.subresource, &conflict.field).hash(&mut hasher);
    }
    for key in ["field", "webhook", "quota", "user", "verb", "resource", "hook", "name"] {
        failure.entities.get(key).map(|value| value.to_string()).hash(&mut hasher);
    }
    // Without objects the words themselves must tell two failures apart.
    if failure.objects.is_empty() && failure.conflicts.is_empty() {
        failure.entities.get("release").map(|value| value.to_string()).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_failures_of_a_log_are_found_once() {
        let log = "2026-12-01T01:00:00Z reconciling\n\
                   2026-12-01T01:00:01Z Upgrade \"a\" failed: context canceled\n\
                   2026-12-01T01:00:02Z Upgrade \"a\" failed: context canceled\n\
                   Error: UPGRADE FAILED: Service \"web\" is invalid: spec.clusterIP: Invalid value: \"\": field is immutable\n\
                   2026-12-01T01:00:03Z all went well\n";
        let found: Vec<_> = find(log).into_iter().map(|found| (found.failure.class.0, found.lines)).collect();
        assert_eq!(found, [("interrupted", 2..=2), ("immutable.field", 4..=4)]);
    }
}
