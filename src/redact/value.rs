//! Secrets in JSON: structure and field names stay, values that may be secret go.

use serde_json::{Value, json};

use super::text::REDACTED;

/// Under these keys every value may be one.
const HOLD_VALUES: [&str; 5] = ["data", "stringdata", "binarydata", "args", "command"];
/// Longer strings are texts of their own: certificates, scripts, last-applied-configuration.
const LONGEST: usize = 256;

/// What stands for a whole value in JSON, by the report's contract.
pub fn hidden() -> Value {
    json!({"redacted": true})
}

/// The value with what may be secret replaced.
pub fn redacted_json(value: Value) -> Value {
    walk(value, false)
}

fn walk(value: Value, secret: bool) -> Value {
    match value {
        Value::Object(map) => {
            // `{"name": …, "value": …}` is an environment variable or a parameter, in either spelling.
            let named = ["name", "Name", "key"].iter().any(|key| map.get(*key).is_some_and(Value::is_string));
            Value::Object(
                map.into_iter()
                    .map(|(key, value)| {
                        let lower = key.to_ascii_lowercase();
                        let holds = HOLD_VALUES.contains(&lower.as_str())
                            || named && lower == "value"
                            || is_secret_name(&key) && !is_reference(&lower) && !value.is_object();
                        let value = walk(value, secret || holds);
                        (key, value)
                    })
                    .collect(),
            )
        }
        Value::Array(list) => Value::Array(list.into_iter().map(|value| walk(value, secret)).collect()),
        Value::Null => Value::Null,
        Value::String(said) if !secret => Value::String(plain(said)),
        other if !secret => other,
        _ => Value::String(REDACTED.to_owned()),
    }
}

fn plain(said: String) -> String {
    if said.len() > LONGEST || said.starts_with('{') {
        return REDACTED.to_owned();
    }
    // An address with credentials, a bearer token: as in any text.
    super::text::text(&said).into_owned()
}

/// `secretName`, `secretKeyRef`, `imagePullSecrets`: names of Secrets, not their contents.
fn is_reference(key: &str) -> bool {
    key.ends_with("name") || key.ends_with("ref") || key.ends_with("secrets") || key.ends_with("namespace")
}

/// Whether a field, variable or flag of this name usually holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    const WORDS: [&str; 14] = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "api_key",
        "api-key",
        "credential",
        "private_key",
        "privatekey",
        "private-key",
        "access_key",
        "accesskey",
    ];
    const WHOLE: [&str; 6] = ["pwd", "pass", "sig", "signature", "auth", "x-amz-signature"];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word)) && !is_reference(&name) || WHOLE.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn structure_stays() {
        let shown = redacted_json(json!({
            "spec": {"replicas": 3, "token": "x", "args": ["--a=b"], "env": [{"name": "A", "value": "b"}],
                     "secretName": "tls", "url": "https://u:p@h/"},
            "data": {"k": "v", "n": null},
        }));
        assert_eq!(
            shown,
            json!({
                "spec": {"replicas": 3, "token": "<redacted>", "args": ["<redacted>"],
                         "env": [{"name": "A", "value": "<redacted>"}],
                         "secretName": "tls", "url": "https://<redacted>@h/"},
                "data": {"k": "<redacted>", "n": null},
            })
        );
    }
}
