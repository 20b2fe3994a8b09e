//! `-o yaml`: the same contract as `-o json`.

use serde::Serialize;

use super::{Report, Style};

pub(super) fn render(report: &Report, _: &Style) -> String {
    text(report)
}

/// `record` as a YAML document.
pub(super) fn text(record: &impl Serialize) -> String {
    // JSON is YAML: where the emitter gives up, its text still reads back as the same record.
    serde_saphyr::to_string(record).unwrap_or_else(|_| super::json::text(record))
}
