//! What the answer rests on.

use crate::report::telling::{Telling, says};
use crate::report::{Finding, Page, Paint};

/// Claims that are shown; `wide` shows all, and the timeline.
const SHOWN: usize = 6;

pub(super) fn evidence(page: &mut Page, telling: Telling<'_>, finding: &Finding) {
    let wide = page.style().wide;
    if !finding.evidence.is_empty() {
        page.heading("EVIDENCE");
        let shown = if wide { usize::MAX } else { SHOWN };
        for claim in finding.evidence.iter().take(shown) {
            page.hanging("  - ", 4, 4, Paint::Plain, says(finding, &claim.says));
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
            page.prose(2, Paint::Quiet, &telling.instant(&moment.at));
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
