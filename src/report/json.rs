//! `-o json`: the report as it is, the contract for scripts.

use std::io::{self, Write};

use serde::Serialize;

use super::Report;

pub(super) fn write(report: &Report, mut out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, report)?;
    out.write_all(b"\n")
}

/// `record` as indented JSON with a line end.
pub(super) fn text(record: &impl Serialize) -> String {
    // A record of ours has string keys only, so this cannot fail; an empty object is no lie about it.
    let mut text = serde_json::to_string_pretty(record).unwrap_or_else(|_| "{}".into());
    text.push('\n');
    text
}
