//! Values of fields that hold secrets.
//!
//! A conflict names a field and both its values. Where the field is one of a Secret, or has a name that
//! secrets have, the values are taken out; and since a diagnosis may have quoted them in a sentence or in
//! a command, they are taken out there as well.

use serde_json::{Map, Value};

use crate::redact::{self, REDACTED};

/// Shorter ones would be found in every other word.
const SHORTEST: usize = 4;

/// The secret values of one answer.
#[derive(Default)]
pub(super) struct Guard {
    secrets: Vec<String>,
}

impl Guard {
    /// Replaces the values of secret fields in `value` and remembers them.
    pub(super) fn over(value: &mut Value) -> Self {
        let mut guard = Self::default();
        guard.learn(value);
        guard
    }

    /// The same, beside what is remembered already: what one part of an answer shows is hidden in all.
    pub(super) fn learn(&mut self, value: &mut Value) {
        let mut secrets = Vec::new();
        replace(value, &mut secrets);
        secrets.retain(|secret: &String| secret.len() >= SHORTEST && !self.secrets.contains(secret));
        self.secrets.append(&mut secrets);
        // The longest first: one may be a part of another.
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self.secrets.dedup();
    }

    /// Replaces the values of secret fields in `value`, which were learnt before.
    pub(super) fn hide(value: &mut Value) {
        replace(value, &mut Vec::new());
    }

    /// `text` without the remembered values.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED))
    }
}

fn replace(value: &mut Value, secrets: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, secrets)),
        Value::Object(members) => {
            let is_conflict = members.contains_key("object") && members.contains_key("path");
            for key in ["wanted", "live"] {
                if is_conflict && is_secret(members) && members.get(key).is_some_and(|it| !it.is_null()) {
                    let taken = members.insert(key.to_owned(), redact::hidden());
                    remember(&taken.unwrap_or_default(), secrets);
                } else if is_conflict
                    && let Some(whole @ (Value::Object(_) | Value::Array(_))) = members.get_mut(key)
                {
                    *whole = redact::redacted_json(whole.take());
                }
            }
            members.values_mut().for_each(|member| replace(member, secrets));
        }
        _ => {}
    }
}

fn remember(value: &Value, secrets: &mut Vec<String>) {
    match value {
        Value::String(text) => secrets.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| remember(item, secrets)),
        Value::Object(members) => members.values().for_each(|member| remember(member, secrets)),
        _ => {}
    }
}

/// Whether the field may hold a secret: data of a Secret, `.data.password`,
/// `env[name="DB_PASSWORD"].value`.
fn is_secret(conflict: &Map<String, Value>) -> bool {
    let path = conflict.get("path").and_then(Value::as_str).unwrap_or_default();
    let kind = conflict.get("object").and_then(|object| object.get("kind")).and_then(Value::as_str);
    let is_data = [".data", ".stringData"].iter().any(|data| path.starts_with(data));
    let names = path.split(['.', '[', ']', '"', '=', ',']).filter(|name| !name.is_empty());
    (kind == Some("Secret") && is_data)
        || names.into_iter().any(redact::is_secret_name) && !is_reference(path)
}

/// `secretName`, `imagePullSecrets`, `secretKeyRef`: these name a Secret and hold nothing of it.
fn is_reference(path: &str) -> bool {
    let last = path.rsplit(['.', '[']).next().unwrap_or_default();
    ["secretName", "imagePullSecrets", "name", "key", "optional", "mountPath", "readOnly"].contains(&last)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn conflict(kind: &str, path: &str, live: Value) -> Value {
        json!({"object": {"kind": kind}, "path": path, "wanted": "x-wanted", "live": live})
    }

    #[test]
    fn values_of_secret_fields_go_wherever_they_are_quoted() {
        for (kind, path) in [
            ("Secret", ".data.anything"),
            ("ConfigMap", ".data.db-password"),
            ("Deployment", ".spec.template.spec.containers[name=\"app\"].env[name=\"DB_PASSWORD\"].value"),
        ] {
            let mut value = json!({
                "conflicts": [conflict(kind, path, json!("hunter22"))],
                "evidence": [{"says": "the field is \"hunter22\""}],
            });
            let guard = Guard::over(&mut value);
            assert_eq!(value["conflicts"][0]["live"], json!({"redacted": true}), "{path}");
            assert_eq!(
                guard.without_secrets("the field is \"hunter22\""),
                "the field is \"<redacted>\"",
                "{path}"
            );
        }
    }

    #[test]
    fn other_values_stay() {
        for (kind, path, live) in [
            ("Deployment", ".spec.replicas", json!(4)),
            ("ConfigMap", ".data.mode", json!("degraded")),
            (
                "Deployment",
                ".spec.template.spec.containers[name=\"app\"].env[name=\"LOG_LEVEL\"].value",
                json!("debug"),
            ),
            ("Deployment", ".spec.template.spec.volumes[name=\"tls\"].secret.secretName", json!("shop-tls")),
        ] {
            let mut value = conflict(kind, path, live.clone());
            Guard::over(&mut value);
            assert_eq!(value["live"], live, "{path}");
        }
    }

    #[test]
    fn a_container_loses_its_environment_only() {
        let container = json!({"image": "a:1", "env": [{"name": "TOKEN", "value": "hunter22"}]});
        let mut value = conflict("Deployment", ".spec.template.spec.containers[name=\"app\"]", container);
        Guard::over(&mut value);
        assert_eq!(value["live"]["image"], "a:1");
        assert!(!value.to_string().contains("hunter22"));
    }
}
