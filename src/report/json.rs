//! `-o json`: the report as it is, the contract for scripts.

use serde::Serialize;

use super::{Report, Style};

pub(super) fn render(report: &Report, _: &Style) -> String {
    text(report)
}

/// `record` as indented JSON with a line end.
pub(super) fn text(record: &impl Serialize) -> String {
    // A record of ours has string keys only, so this cannot fail; an empty object is no lie about it.
    let mut text = serde_json::to_string_pretty(record).unwrap_or_else(|_| "{}".into());
    text.push('\n');
    text
}
