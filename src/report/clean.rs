//! What a text goes through before anybody sees it.
//!
//! The walk is over the serialised form: a field that is added to a record later cannot be forgotten
//! here.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Report;
use super::guard::Guard;
use crate::redact;

/// Keys whose strings identify something. Redaction, made for free text, would only damage them; they
/// are still stripped of control characters. Commands hold names and field paths alone.
const IDENTIFIERS: [&str; 16] = [
    "apiVersion",
    "class",
    "commands",
    "displayName",
    "fill",
    "kind",
    "manager",
    "name",
    "namespace",
    "now",
    "operation",
    "path",
    "since",
    "source",
    "status",
    "subresource",
];

/// A record that could not be brought back from its cleaned form; a mistake in the program.
#[derive(Debug, thiserror::Error)]
#[error("the report could not be cleaned for printing, and is not printed uncleaned: {0}")]
pub struct CleanError(#[from] serde_json::Error);

/// The report with every text in it redacted and harmless. Finding after finding: the report of a large
/// fleet is never held twice.
///
/// # Errors
/// When a part does not survive a round trip through JSON.
pub fn report(mut report: Report) -> Result<Report, CleanError> {
    let mut findings = std::mem::take(&mut report.findings);
    let mut guard = Guard::default();
    for finding in &findings {
        guard.learn(&mut serde_json::to_value(finding)?);
    }
    let mut report: Report = record(&report, &guard)?;
    for finding in &mut findings {
        *finding = record(finding, &guard)?;
    }
    report.findings = findings;
    Ok(report)
}

fn record<T: Serialize + DeserializeOwned>(record: &T, guard: &Guard) -> Result<T, CleanError> {
    let mut value = serde_json::to_value(record)?;
    Guard::hide(&mut value);
    walk(&mut value, guard, false);
    Ok(serde_json::from_value(value)?)
}

/// `value` with every text in it redacted and harmless, and the values of secret fields gone wherever they
/// occur.
pub fn value(mut value: Value) -> Value {
    let guard = Guard::over(&mut value);
    walk(&mut value, &guard, false);
    value
}

/// `text` redacted and harmless; its line breaks stay.
pub fn text(text: &str) -> String {
    harmless(&redact::text(text))
}

/// `text` without terminal control and bidirectional characters; nothing is redacted.
pub fn harmless(text: &str) -> String {
    redact::harmless(text, true).into_owned()
}

/// A name on one line.
fn name(text: &str) -> String {
    redact::harmless(text, false).into_owned()
}

fn walk(value: &mut Value, guard: &Guard, identifies: bool) {
    match value {
        Value::String(string) if identifies => {
            *string = guard.without_secrets(&name(&redact::field_path(string)));
        }
        Value::String(string) => *string = text(&guard.without_secrets(string)),
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, guard, identifies)),
        Value::Object(members) => {
            *members = std::mem::take(members)
                .into_iter()
                .map(|(key, mut member)| {
                    walk(&mut member, guard, IDENTIFIERS.contains(&key.as_str()));
                    (name(&key), member)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_control_character_passes_in_values_or_keys() {
        let dirty = json!({"says": "a\u{1b}[31mb\u{202e}c", "na\u{7}me": ["\u{9b}x"], "name": "p\u{1b}od", "path": "a\nb"});
        let clean = value(dirty);
        let mut texts = vec![clean.to_string()];
        texts.extend(
            clean.as_object().into_iter().flatten().filter_map(|(_, it)| Some(it.as_str()?.to_owned())),
        );
        for text in texts {
            assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
        }
    }

    #[test]
    fn commands_are_left_as_they_run() {
        let command =
            r#"kubectl -n a patch secret/db --type=json -p '[{"op":"remove","path":"/data/password"}]'"#;
        let clean = value(json!({"waysOut": [{"commands": [command]}], "gaps": [{"fill": command}]}));
        assert_eq!(clean["waysOut"][0]["commands"][0], command);
        assert_eq!(clean["gaps"][0]["fill"], command);
    }
}
