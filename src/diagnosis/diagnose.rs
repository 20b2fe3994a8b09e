//! All cases to one report.

use std::collections::HashMap;

use crate::evidence::Evidence;
use crate::report::{Confidence, Finding, Gap, Report};

/// The report that the findings of all cases give.
pub fn diagnose(evidence: Evidence<Vec<Finding>>) -> Report {
    let mut report = joined(evidence);
    report.findings.sort_by_key(urgency);
    keep_gaps_once(&mut report);
    report
}

/// A report of everything that was found; a case without a finding is healthy.
pub(super) fn joined(mut evidence: Evidence<Vec<Finding>>) -> Report {
    let mut report = Report::new(evidence.now);
    report.findings.reserve_exact(evidence.answers().map(Vec::len).sum());
    report.healthy = evidence.healthy;
    for findings in evidence.take_answers() {
        report.healthy += usize::from(findings.is_empty());
        report.findings.extend(findings);
    }
    report.clusters = evidence.clusters;
    report.gaps = evidence.gaps;
    report
}

/// Stuck before only looking ready, certain before possible; within that the order of the evidence.
fn urgency(finding: &Finding) -> (bool, std::cmp::Reverse<Confidence>) {
    let only_looks_ready = matches!(finding.state.as_str(), Some("Ready" | "Modified"));
    (only_looks_ready, std::cmp::Reverse(finding.confidence))
}

/// A gap that several findings share is said once for the run.
pub(super) fn keep_gaps_once(report: &mut Report) {
    let mut uses: HashMap<Gap, usize> = HashMap::new();
    for gap in report.findings.iter().flat_map(|finding| &finding.gaps) {
        *uses.entry(gap.clone()).or_default() += 1;
    }
    for finding in &mut report.findings {
        for gap in finding.gaps.extract_if(.., |gap| uses.get(gap).is_some_and(|uses| *uses > 1)) {
            if !report.gaps.contains(&gap) {
                report.gaps.push(gap);
            }
        }
    }
}
