//! What is not known, and the command that would tell.

use crate::report::{Finding, Gap, Page, Paint, Report};

/// Gaps that are shown; `wide` shows all.
const SHOWN: usize = 5;

pub(super) fn of_finding(page: &mut Page, finding: &Finding) {
    if finding.gaps.is_empty() {
        return;
    }
    page.heading("NOT KNOWN");
    gaps(page, &finding.gaps);
}

pub(super) fn of_run(page: &mut Page, report: &Report) {
    if report.gaps.is_empty() {
        return;
    }
    page.blank();
    page.prose(0, Paint::Warn, "NOT SEEN");
    gaps(page, &report.gaps);
}

fn gaps(page: &mut Page, gaps: &[Gap]) {
    let shown = if page.style().wide { usize::MAX } else { SHOWN };
    for gap in gaps.iter().take(shown) {
        page.hanging("  - ", 4, 4, Paint::Plain, &format!("{}: {}", gap.missing, gap.why));
        if let Some(command) = &gap.fill {
            page.command(7, command);
        }
    }
    if gaps.len() > shown {
        page.prose(4, Paint::Plain, &format!("and {} more (-o wide shows them)", gaps.len() - shown));
    }
}
