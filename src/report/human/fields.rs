//! Field by field: what was wanted, what is there, and who holds it.

use super::block::{heading, when};
use crate::report::{Conflict, Finding, Page, Paint, Report, value, words};

/// Fields that are told one by one; `wide` tells all.
const SHOWN: usize = 6;

pub(super) fn fields(page: &mut Page, report: &Report, finding: &Finding) {
    let wants = words::wants(finding.owner.as_ref().map(|owner| owner.kind.as_str()));
    page.heading(&heading(finding));
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
        page.fact("since", Paint::Plain, &since(page, report, conflict));
        before = Some(conflict);
    }
    if finding.conflicts.len() > shown {
        let more = finding.conflicts.len() - shown;
        page.fact("", Paint::Plain, &format!("and {more} more fields (-o wide lists them)"));
    }
}

/// `Mozilla, through scale: a person in a web browser`.
fn holder(conflict: &Conflict) -> String {
    let mut text = conflict.manager.clone();
    if !conflict.subresource.is_empty() {
        text.push_str(&format!(", through the {} subresource", conflict.subresource));
    } else if conflict.operation == "Apply" {
        text.push_str(", by server-side apply");
    }
    if !conflict.who.is_empty() {
        text.push_str(&format!(": {}", conflict.who));
    }
    text
}

fn since(page: &Page, report: &Report, conflict: &Conflict) -> String {
    match (conflict.since, conflict.since_from.as_deref()) {
        (Some(at), Some(from)) => format!("{} ({from})", when(page, report, at)),
        (Some(at), None) => when(page, report, at),
        (None, Some(why)) => format!("not recorded: {why}"),
        (None, None) => "not recorded".into(),
    }
}
