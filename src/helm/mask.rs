//! Values, Secrets and notes as they may be shown: keys stay, what they hold goes.
//!
//! Structure decides here; free text (descriptions, container arguments) goes through `redact` at the door.

use serde_json::{Map, Value};

use crate::{redact, yaml};

/// Stands in a masked text.
pub const MASK: &str = "<redacted>";

/// Keys, in lower case without `-`, `_` and `.`, whose end gives them away as secret wherever they stand.
const SECRET_KEYS: [&str; 18] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "token",
    "secret",
    "apikey",
    "accesskey",
    "accesskeyid",
    "secretkey",
    "privatekey",
    "encryptionkey",
    "credentials",
    "connectionstring",
    "dsn",
    "dockerconfigjson",
    "lastappliedconfiguration",
    "htpasswd",
];

/// Keys of values whose texts are no secrets and tell what was deployed.
const HARMLESS_KEYS: [&str; 26] = [
    "repository",
    "registry",
    "image",
    "tag",
    "pullpolicy",
    "imagepullpolicy",
    "kind",
    "apiversion",
    "type",
    "protocol",
    "name",
    "namespace",
    "nameoverride",
    "fullnameoverride",
    "storageclass",
    "storageclassname",
    "ingressclassname",
    "size",
    "cpu",
    "memory",
    "storage",
    "schedule",
    "loglevel",
    "pathtype",
    "operator",
    "effect",
];

/// Chart values: texts go, unless their key is known to be harmless; numbers and switches stay, unless
/// their key says secret.
pub fn values(values: &Value) -> Value {
    masked_values(values, Key::Other)
}

#[derive(Clone, Copy, PartialEq)]
enum Key {
    Secret,
    Harmless,
    Other,
}

fn masked_values(value: &Value, under: Key) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, member)| {
                (key.clone(), masked_values(member, if under == Key::Secret { under } else { judge(key) }))
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| masked_values(item, under)).collect(),
        Value::Null => Value::Null,
        Value::String(text) if text.is_empty() => value.clone(),
        Value::String(_) if under == Key::Harmless => value.clone(),
        Value::String(_) => MASK.into(),
        Value::Bool(_) | Value::Number(_) if under == Key::Secret => MASK.into(),
        Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn judge(key: &str) -> Key {
    let key = normal(key);
    if SECRET_KEYS
        .iter()
        .any(|secret| key.ends_with(secret) || key.strip_suffix('s').is_some_and(|key| key.ends_with(secret)))
    {
        Key::Secret
    } else if HARMLESS_KEYS.contains(&key.as_str()) {
        Key::Harmless
    } else {
        Key::Other
    }
}

fn normal(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
}

/// A Kubernetes object: Secrets' data, `env` values, whatever stands under a secret's key.
pub fn object(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(object),
        Value::Object(members) => {
            if members.get("kind").and_then(Value::as_str) == Some("Secret") {
                for key in ["data", "stringData"] {
                    members.get_mut(key).into_iter().for_each(texts);
                }
            }
            // `env`, and every other list of names with values: Argo's parameters, Jobs' variables.
            if members.contains_key("name") {
                members.get_mut("value").into_iter().for_each(texts);
            }
            if let Some(annotations) = members.get_mut("annotations").and_then(Value::as_object_mut) {
                let others = annotations.iter_mut().filter(|(key, _)| !redact::object::is_of_delivery(key));
                others.for_each(|(_, value)| texts(value));
            }
            for (key, member) in members.iter_mut() {
                if judge(key) == Key::Secret && (member.is_string() || member.is_number()) {
                    *member = MASK.into();
                } else {
                    object(member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Masks every scalar below.
fn texts(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(texts),
        Value::Object(members) => members.values_mut().for_each(texts),
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => *value = MASK.into(),
    }
}

/// A YAML stream of Kubernetes objects. Comments but `# Source:` go, as they may quote values; a document
/// that is no YAML goes whole.
pub fn manifest(stream: &str) -> String {
    yaml::documents(stream)
        .map(|document| {
            let source = document.text.lines().find(|line| line.starts_with("# Source: "));
            let source = source.map(|line| format!("{line}\n")).unwrap_or_default();
            let body = match yaml::parse(document.text) {
                Ok(mut value) => {
                    object(&mut value);
                    yaml::emit(&value)
                }
                Err(_) => "# this document is no YAML; --show-secrets shows it as it is\n".to_owned(),
            };
            format!("---\n{source}{}\n", body.trim_end())
        })
        .collect()
}

/// A release record as stored, with nothing in it that a chart or a user may have put a secret into.
pub fn record(record: &Value) -> Value {
    let mut record = record.clone();
    let mut at = |pointer: &str, mask: &dyn Fn(&Value) -> Value| {
        if let Some(value) = record.pointer_mut(pointer).filter(|value| !value.is_null()) {
            *value = mask(value);
        }
    };
    at("/config", &values);
    at("/chart/values", &values);
    at("/chart/metadata/description", &|_| redact::hidden());
    at("/chart/metadata/annotations", &|annotations| {
        let mut masked = serde_json::json!({ "annotations": annotations });
        object(&mut masked);
        masked.get("annotations").cloned().unwrap_or_default()
    });
    at("/chart/templates", &files);
    at("/chart/files", &files);
    at("/chart/schema", &|_| redact::hidden());
    at("/manifest", &|text| manifest(text.as_str().unwrap_or_default()).into());
    at("/hooks", &hooks);
    at("/info/notes", &|_| redact::hidden());
    at("/info/resources", &|_| redact::hidden());
    record
}

fn hooks(hooks: &Value) -> Value {
    each(hooks, &|hook| {
        if let Some(text) = hook.get_mut("manifest") {
            *text = manifest(text.as_str().unwrap_or_default()).into();
        }
    })
}

/// Templates and files may hold whatever their author wrote, Secrets included.
fn files(files: &Value) -> Value {
    each(files, &|file| {
        if let Some(data) = file.get_mut("data") {
            *data = redact::hidden();
        }
    })
}

fn each(list: &Value, change: &dyn Fn(&mut Map<String, Value>)) -> Value {
    let items = list.as_array().into_iter().flatten();
    items
        .map(|item| {
            let mut item = item.clone();
            match item.as_object_mut() {
                Some(members) => change(members),
                None => item = redact::hidden(),
            }
            item
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLANTED: &str = "s3cr3t-planted";

    #[test]
    fn values_keep_their_keys_and_what_tells_the_deployment() {
        let masked = values(&json!({
            "image": {"repository": "ghcr.io/x", "tag": "6.15.0"}, "replicas": 2, "debug": true, "greeting": PLANTED,
            "adminPassword": 12345, "db": {"PASSWORD": PLANTED, "name": "shop"}, "tokens": [{"name": PLANTED}, PLANTED],
            "empty": "", "none": null,
        }));
        assert_eq!(
            masked,
            json!({
                "image": {"repository": "ghcr.io/x", "tag": "6.15.0"}, "replicas": 2, "debug": true, "greeting": MASK,
                "adminPassword": MASK, "db": {"PASSWORD": MASK, "name": "shop"}, "tokens": [{"name": MASK}, MASK],
                "empty": "", "none": null,
            })
        );
    }

    #[test]
    fn manifests_lose_secrets_and_keep_the_rest() {
        let text = format!(
            "---\n# Source: a/b.yaml\n# {PLANTED}\napiVersion: v1\nkind: Secret\nmetadata:\n  name: x\nstringData:\n  a: {PLANTED}\n\
             ---\nkind: List\nitems:\n- kind: Secret\n  data: {{b: {PLANTED}}}\n\
             ---\nkind: Deployment\nspec:\n  replicas: 2\n  template: {{spec: {{containers: [{{name: c, env: [{{name: A, value: {PLANTED}}}]}}]}}}}\n\
             ---\nkind: ConfigMap\ndata: {{DB_PASSWORD: {PLANTED}, secretName: kept}}\n\
             ---\n{{{PLANTED}: [\n"
        );
        let masked = manifest(&text);
        assert!(!masked.contains(PLANTED), "{masked}");
        for kept in
            ["# Source: a/b.yaml", "kind: Secret", "replicas: 2", "name: A", "secretName: kept", "no YAML"]
        {
            assert!(masked.contains(kept), "{kept} in {masked}");
        }
    }

    #[test]
    fn records_are_masked_wherever_a_chart_can_put_a_secret() {
        let job = format!("kind: Job\nspec: {{env: [{{name: A, value: {PLANTED}}}]}}\n");
        let masked = record(&json!({
            "name": "shop", "info": {"notes": PLANTED, "description": "Upgrade complete"},
            "chart": {"metadata": {"name": "c"}, "values": {"a": PLANTED}, "files": [{"name": "f", "data": PLANTED}],
                      "templates": [{"name": "t", "data": PLANTED}, PLANTED]},
            "config": {"a": PLANTED}, "manifest": job, "hooks": [{"name": "h", "manifest": job}],
        }));
        assert!(!masked.to_string().contains(PLANTED), "{masked}");
        assert_eq!(masked["info"]["description"], "Upgrade complete");
        assert_eq!(masked["chart"]["templates"][0]["name"], "t");
    }
}
