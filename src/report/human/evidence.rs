//! What the answer rests on.

use super::block::when;
use crate::report::{Finding, Instant, Page, Paint, Report};

/// Claims that are shown; `wide` shows all, and the timeline.
const SHOWN: usize = 6;

pub(super) fn evidence(page: &mut Page, report: &Report, finding: &Finding) {
    let wide = page.style().wide;
    if !finding.evidence.is_empty() {
        page.heading("EVIDENCE");
        let shown = if wide { usize::MAX } else { SHOWN };
        for claim in finding.evidence.iter().take(shown) {
            let says = if is_told(finding, &claim.says) { "the text above" } else { &claim.says };
            page.hanging("  - ", 4, 4, Paint::Plain, says);
            page.prose(6, Paint::Quiet, &claim.source);
        }
        if finding.evidence.len() > shown {
            let more = finding.evidence.len() - shown;
            page.prose(4, Paint::Plain, &format!("and {more} more (-o wide shows them)"));
        }
    }
    if wide && !finding.timeline.is_empty() {
        page.heading("TIMELINE");
        for moment in &finding.timeline {
            page.prose(2, Paint::Quiet, &instant(page, report, &moment.at));
            page.prose(4, Paint::Plain, &moment.what);
            page.prose(6, Paint::Quiet, &moment.source);
        }
    }
    if wide && !finding.earlier.is_empty() {
        page.heading("EARLIER TRIES");
        for try_ in &finding.earlier {
            page.fact(
                &format!("revision {}", try_.revision),
                Paint::Plain,
                &format!("{} {}: {}", try_.status, try_.class, try_.description),
            );
        }
    }
}

/// Whether the block has shown this text already: where no field is in conflict, it shows Helm's and the
/// owner's own words.
fn is_told(finding: &Finding, says: &str) -> bool {
    let description = finding.release.as_ref().and_then(|release| release.description.as_deref());
    finding.conflicts.is_empty() && [description, finding.message.as_deref()].contains(&Some(says))
}

fn instant(page: &Page, report: &Report, at: &Instant) -> String {
    match at {
        Instant::Exact(at) => when(page, report, *at),
        Instant::Between { after: Some(after), before: Some(before) } => {
            format!("between {} and {}", when(page, report, *after), when(page, report, *before))
        }
        Instant::Between { after: Some(after), before: None } => {
            format!("after {}", when(page, report, *after))
        }
        Instant::Between { after: None, before: Some(before) } => {
            format!("before {}", when(page, report, *before))
        }
        Instant::Between { after: None, before: None } => "at an unknown time".into(),
    }
}
