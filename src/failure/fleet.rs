//! Fleet's state words: `Modified(1) [Cluster ns/name]; NotReady(1) […]; items`.

use std::sync::LazyLock;

use regex::Regex;

use crate::report::Confidence;

/// Worst first (field-guide 3), with the class that a text without an error has.
const STATES: [(&str, Option<&str>); 6] = [
    ("ErrApplied", None),
    ("WaitApplied", None),
    ("Modified", Some("drift")),
    ("OutOfSync", None),
    ("Pending", None),
    ("NotReady", Some("rollout.progressing")),
];

/// The class of a text that names states or items and no error. `None` where it names neither.
pub(super) fn settle(text: &str, drifted: bool, progressing: bool) -> Option<(&'static str, Confidence)> {
    static STATE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"([A-Z][A-Za-z]+)\([0-9]+\) \[").ok());
    let worst = STATE.as_ref().filter(|_| text.contains(") [")).and_then(|state| {
        state
            .captures_iter(text)
            .filter_map(|found| {
                STATES.iter().position(|(word, _)| found.get(1).is_some_and(|m| m.as_str() == *word))
            })
            .min()
    });
    match (worst.and_then(|place| STATES.get(place)), drifted, progressing) {
        (Some((_, Some(class))), _, _) => Some((class, Confidence::Certain)),
        // Drift beside WaitApplied is older than the commit that waits (field-guide 3).
        (Some(_), true, _) => Some(("drift", Confidence::Possible)),
        (Some(_), false, true) => Some(("rollout.progressing", Confidence::Possible)),
        (Some(_), false, false) => Some(("unknown", Confidence::Possible)),
        (None, true, _) => Some(("drift", Confidence::Certain)),
        (None, false, true) => Some(("rollout.progressing", Confidence::Certain)),
        (None, false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_state_decides() {
        for (text, class) in [
            ("NotReady(1) [Bundle a]; Modified(1) [Bundle b]", "drift"),
            ("NotReady(1) [Bundle a]; x", "rollout.progressing"),
            ("WaitApplied(1) [Cluster a]", "unknown"),
        ] {
            assert_eq!(settle(text, false, false).map(|(class, _)| class), Some(class), "{text}");
        }
        assert_eq!(
            settle("WaitApplied(1) [Cluster a]; b", true, false),
            Some(("drift", Confidence::Possible))
        );
        assert_eq!(settle("context deadline exceeded", false, false), None);
    }
}
