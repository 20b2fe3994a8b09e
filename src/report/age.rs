//! Times as a person says them.

use std::fmt;

use jiff::Timestamp;

/// The distance between a time and now: `35 s ago`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    seconds: i64,
}

/// Unit, its length in seconds, and from which number of seconds on it is used. Two digits at least,
/// so that `90 s` and `90 min` keep their precision.
const UNITS: [(&str, i64, i64); 4] =
    [("days", 86_400, 48 * 3_600), ("h", 3_600, 100 * 60), ("min", 60, 100), ("s", 1, 0)];

impl Age {
    /// How long `then` is past at `now`.
    pub fn between(then: Timestamp, now: Timestamp) -> Self {
        Self { seconds: now.as_second().saturating_sub(then.as_second()) }
    }
}

/// `35 s ago`, `12 min ago`, `5 h ago`, `3 days ago`; `in 4 s` for a time to come.
impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.seconds.saturating_abs();
        let (unit, seconds, _) = UNITS.iter().find(|(_, _, from)| length >= *from).unwrap_or(&("s", 1, 0));
        let count = length / seconds;
        if self.seconds < 0 { write!(f, "in {count} {unit}") } else { write!(f, "{count} {unit} ago") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_said_in_the_unit_that_fits() {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        for (then, says) in [
            ("2026-11-30T12:00:00Z", "0 s ago"),
            ("2026-11-30T11:58:25Z", "95 s ago"),
            ("2026-11-30T11:58:00Z", "2 min ago"),
            ("2026-11-30T10:30:00Z", "90 min ago"),
            ("2026-11-29T12:00:00Z", "24 h ago"),
            ("2026-11-28T12:00:00Z", "2 days ago"),
            ("2026-11-30T12:00:04Z", "in 4 s"),
        ] {
            assert_eq!(Age::between(then.parse().unwrap(), now).to_string(), says, "{then}");
        }
    }
}
