//! What the exit code says.

use std::process::ExitCode;

use crate::report::Report;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It ran, whatever it found.
    Ran,
    /// It could not answer; clap's usage errors too, so that 2 keeps its meaning.
    NoAnswer,
    /// `--exit-code`: something is stuck or failed.
    Stuck,
    /// `--exit-code`: nothing found, but some evidence was out of reach.
    NotSure,
    /// Interrupted; what was known so far is printed.
    Interrupted,
}

impl Exit {
    /// The code that `--exit-code` asks for.
    pub fn of(report: &Report) -> Self {
        if !report.findings.is_empty() {
            Self::Stuck
        } else if !report.gaps.is_empty() || report.clusters.iter().any(|cluster| !cluster.reached) {
            Self::NotSure
        } else {
            Self::Ran
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ran => 0,
            Exit::NoAnswer => 1,
            Exit::Stuck => 2,
            Exit::NotSure => 3,
            Exit::Interrupted => 130,
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::report::{ClusterSeen, Gap};

    #[test]
    fn silence_is_no_proof_where_a_cluster_was_not_reached() {
        let mut report = Report::new(Timestamp::UNIX_EPOCH);
        assert_eq!(Exit::of(&report), Exit::Ran);
        report.clusters.push(ClusterSeen { name: "c-prod".into(), display_name: None, reached: false });
        assert_eq!(Exit::of(&report), Exit::NotSure);
        report.clusters.clear();
        report.gaps.push(Gap { missing: "x".into(), why: "y".into(), fill: None });
        assert_eq!(Exit::of(&report), Exit::NotSure);
    }
}
