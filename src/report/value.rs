//! Field values as one line.

use serde_json::Value;

/// A value as it stands in a manifest: strings bare where that cannot mislead, objects as JSON;
/// `(not set)` for null, `(redacted)` for what must not be shown.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => "(not set)".into(),
        Value::Object(members) if members.get("redacted") == Some(&Value::Bool(true)) => "(redacted)".into(),
        Value::String(text) if is_bare(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether `text` reads as a string without quotes: no number, no boolean, nothing to overlook.
fn is_bare(text: &str) -> bool {
    let looks_like_another_type = serde_json::from_str::<Value>(text).is_ok();
    !text.is_empty() && !looks_like_another_type && text.trim() == text && !text.contains(['\n', '\t', '"'])
}

/// A value of unknown shape, such as a state, in as few words as possible.
pub(super) fn state(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Object(members) => {
            let parts: Vec<String> = members
                .iter()
                .filter(|(_, member)| !member.is_null())
                .map(|(key, member)| format!("{key} {}", words(member)))
                .collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_as_in_a_manifest_and_keep_their_type() {
        for (value, says) in [
            (json!(2), "2"),
            (json!("2"), "\"2\""),
            (json!("true"), "\"true\""),
            (json!(""), "\"\""),
            (json!("registry.example.com/checkout:1.1.0"), "registry.example.com/checkout:1.1.0"),
            (json!("two\nlines"), "\"two\\nlines\""),
            (json!(null), "(not set)"),
            (json!({"redacted": true}), "(redacted)"),
            (json!({"a": [1]}), "{\"a\":[1]}"),
        ] {
            assert_eq!(words(&value), says);
        }
    }

    #[test]
    fn states_of_any_shape_become_words() {
        assert_eq!(state(&json!("WaitApplied")).as_deref(), Some("WaitApplied"));
        assert_eq!(
            state(&json!({"sync": "OutOfSync", "health": "Degraded", "operation": null})).as_deref(),
            Some("health Degraded, sync OutOfSync")
        );
        assert_eq!(state(&json!(null)), None);
    }
}
