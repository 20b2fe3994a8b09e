//! Field by field: what was wanted, what is there, and who holds it.

use crate::report::telling::{Telling, holder};
use crate::report::{Conflict, Finding, Page, Paint, value, words};

/// Fields that are told one by one; `wide` tells all.
const SHOWN: usize = 6;

pub(super) fn fields(page: &mut Page, telling: Telling<'_>, finding: &Finding) {
    let wants = words::wants(finding.owner.as_ref().map(|owner| owner.kind.as_str()));
    let shown = if page.style().wide { usize::MAX } else { SHOWN };
    let mut before: Option<&Conflict> = None;
    for conflict in finding.conflicts.iter().take(shown) {
        if before.is_some() {
            page.blank();
        }
        if before.is_none_or(|before| before.object != conflict.object) {
            page.fact("object", Paint::Plain, &conflict.object.to_string());
        }
        page.fact("field", Paint::Strong, &conflict.path);
        page.fact(wants, Paint::Good, &value::words(&conflict.wanted));
        page.fact("cluster has", Paint::Bad, &value::words(&conflict.live));
        page.fact("held by", Paint::Plain, &holder(conflict));
        page.fact("since", Paint::Plain, &telling.since(conflict));
        before = Some(conflict);
    }
    if finding.conflicts.len() > shown {
        let more = finding.conflicts.len() - shown;
        page.fact("", Paint::Plain, &format!("and {more} more fields (-o wide lists them)"));
    }
}
