//! The JSON Schema of `-o json` and `-o yaml`.

/// The schema as it ships with the program, draft 2020-12.
pub const TEXT: &str = include_str!("../../schema/report.schema.json");
