//! Label and field selectors, with the API server's limits on fields.

use serde_json::Value;

/// Whether the labels satisfy every part of `a=b,c!=d,e`.
pub fn labels_match(selector: &str, labels: &Value) -> bool {
    parts(selector).all(|part| match split(part) {
        Some((key, wanted, is_equal)) => (labels[key].as_str() == Some(wanted)) == is_equal,
        None => labels.get(part).is_some(),
    })
}

/// Whether the object satisfies the field selector, or the field that its kind cannot be selected by.
pub fn fields_match(selector: &str, plural: &str, is_built_in: bool, object: &Value) -> Result<bool, String> {
    for part in parts(selector) {
        let Some((field, wanted, is_equal)) = split(part) else { return Err(part.into()) };
        let is_allowed = ["metadata.name", "metadata.namespace"].contains(&field)
            || (is_built_in
                && SELECTABLE.iter().any(|(of, start)| *of == plural && field.starts_with(start)));
        if !is_allowed {
            return Err(field.into());
        }
        let pointer = format!("/{}", field.replace('.', "/"));
        let found = object.pointer(&pointer).and_then(Value::as_str).unwrap_or_default();
        if (found == wanted) != is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Kind and start of the field (kubernetes 1.37, `AddFieldLabelConversionsFor…` of the core group).
const SELECTABLE: &[(&str, &str)] = &[
    ("secrets", "type"),
    ("events", "involvedObject."),
    ("events", "reason"),
    ("events", "type"),
    ("pods", "status.phase"),
    ("pods", "spec.nodeName"),
    ("namespaces", "status.phase"),
];

fn parts(selector: &str) -> impl Iterator<Item = &str> {
    selector.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn split(part: &str) -> Option<(&str, &str, bool)> {
    if let Some((key, value)) = part.split_once("!=") {
        return Some((key, value, false));
    }
    let (key, value) = part.split_once('=')?;
    Some((key.trim_end_matches('='), value.trim_start_matches('='), true))
}
