//! Release payloads without values: opened, reduced to what tells who owns what, closed again.

use serde_json::{Map, Value, json};

use crate::helm::{Limit, Payload, encode};
use crate::redact::{Masker, Removed, object};
use crate::yaml;

/// Key under which an opened payload stands until it is closed.
const OPENED: &str = "release";

/// Opens the payload of a release's Secret or ConfigMap in place of its text. What does not decode is
/// replaced by something that does not decode either: the damage is the finding, the bytes may hold values.
pub fn open(record: &mut Value, masker: &mut Masker) {
    let Some(kind) = release_kind(record) else { return };
    let Some(text) = record.pointer("/data/release").and_then(Value::as_str) else { return };
    let payload = match kind {
        Kind::Secret => Payload::from_secret_data(text),
        Kind::ConfigMap => Payload::from_config_map_data(text),
    };
    let opened = payload.json(Limit::default()).map(|release| reduce(release, masker));
    if let Some(data) = record.get_mut("data").and_then(Value::as_object_mut) {
        // Other keys are none of Helm's.
        data.retain(|key, _| key == OPENED);
        data.insert(OPENED.into(), opened.unwrap_or_else(|_| json!({"damaged": true})));
    }
}

/// Closes a payload that [`open`] opened.
pub fn close(record: &mut Value) {
    let Some(kind) = release_kind(record) else { return };
    let Some(Value::Object(opened)) = record.pointer_mut("/data/release") else { return };
    let text = match opened.remove("damaged") {
        Some(_) => DAMAGED.to_owned(),
        None => {
            let release = written(std::mem::take(opened));
            match kind {
                Kind::Secret => encode::secret_data(release.to_string().as_bytes()),
                Kind::ConfigMap => encode::config_map_data(release.to_string().as_bytes()),
            }
        }
    };
    if let Some(data) = record.get_mut("data").and_then(Value::as_object_mut) {
        data.insert(OPENED.into(), text.into());
    }
}

/// A gzip header with nothing behind it, in base64 twice: damaged in every driver.
const DAMAGED: &str = "SDRzSUFBQUFBQUFB";

#[derive(Clone, Copy)]
enum Kind {
    Secret,
    ConfigMap,
}

fn release_kind(record: &Value) -> Option<Kind> {
    let kind = record.get("kind").and_then(Value::as_str)?;
    let is_owned = record.pointer("/metadata/labels/owner").and_then(Value::as_str) == Some("helm");
    match kind {
        "Secret" if record.get("type").and_then(Value::as_str) == Some("helm.sh/release.v1") || is_owned => {
            Some(Kind::Secret)
        }
        "ConfigMap" if is_owned => Some(Kind::ConfigMap),
        _ => None,
    }
}

/// Whether this object is the record of a release.
pub fn is_release(record: &Value) -> bool {
    release_kind(record).is_some()
}

/// What is left of a release: who, when, what state, why, and the objects without values.
fn reduce(mut release: Value, masker: &mut Masker) -> Value {
    let Some(fields) = release.as_object_mut() else { return json!({"damaged": true}) };
    if fields.remove("config").is_some_and(|config| config.as_object().is_none_or(|map| !map.is_empty())) {
        masker.count(Removed::HelmValues);
    }
    let mut kept = Map::new();
    for key in ["name", "version", "namespace", "apply_method"] {
        if let Some(value) = fields.remove(key) {
            kept.insert(key.into(), value);
        }
    }
    let mut info = fields.remove("info").unwrap_or_default();
    if let Some(info) = info.as_object_mut() {
        let notes =
            info.remove("notes").is_some_and(|notes| notes.as_str().is_some_and(|text| !text.is_empty()));
        if notes {
            masker.count(Removed::Notes);
        }
        info.retain(|key, _| INFO.contains(&key.as_str()));
    }
    kept.insert("info".into(), info);
    let mut metadata = fields.get_mut("chart").and_then(|chart| chart.get_mut("metadata")).map(Value::take);
    if let Some(metadata) = metadata.as_mut().and_then(Value::as_object_mut) {
        metadata.retain(|key, _| CHART.contains(&key.as_str()));
        if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
            annotations.retain(|key, _| key.starts_with("fleet.cattle.io/"));
        }
    }
    kept.insert("chart".into(), json!({"metadata": metadata}));
    let manifest = fields.get("manifest").and_then(Value::as_str).unwrap_or_default();
    kept.insert("manifest".into(), documents(manifest, masker));
    let hooks = fields.remove("hooks").and_then(|hooks| match hooks {
        Value::Array(hooks) => Some(hooks),
        _ => None,
    });
    let hooks = hooks.unwrap_or_default().into_iter().map(|mut hook| {
        if let Some(hook) = hook.as_object_mut() {
            hook.retain(|key, _| HOOK.contains(&key.as_str()));
            let text = hook.get("manifest").and_then(Value::as_str).unwrap_or_default();
            let manifest = documents(text, masker);
            hook.insert("manifest".into(), manifest);
        }
        hook
    });
    kept.insert("hooks".into(), hooks.collect());
    Value::Object(kept)
}

/// Keys of `info` that stay.
const INFO: [&str; 6] =
    ["first_deployed", "last_deployed", "deleted", "description", "status", "rollback_revision"];
/// Keys of `chart.metadata` that stay.
const CHART: [&str; 4] = ["name", "version", "appVersion", "annotations"];
/// Keys of a hook that stay.
const HOOK: [&str; 8] =
    ["name", "kind", "path", "manifest", "events", "last_run", "weight", "delete_policies"];

/// The objects of a manifest, redacted, each with the template that made it.
fn documents(text: &str, masker: &mut Masker) -> Value {
    let mut documents = Vec::new();
    for document in yaml::documents(text) {
        let source = document.text.lines().find_map(|line| line.trim().strip_prefix("# Source: "));
        // What does not parse cannot be told to be harmless.
        let Ok(mut object) = yaml::parse(document.text) else { continue };
        match object.get_mut("items").and_then(Value::as_array_mut) {
            Some(items) => items.iter_mut().for_each(|item| object::redact(item, masker)),
            None => object::redact(&mut object, masker),
        }
        documents.push(json!({"source": source, "object": object}));
    }
    documents.into()
}

/// The release with its manifests as text again.
fn written(mut release: Map<String, Value>) -> Value {
    if let Some(manifest) = release.get_mut("manifest") {
        *manifest = manifest_text(manifest).into();
    }
    for hook in release.get_mut("hooks").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(manifest) = hook.get_mut("manifest") {
            *manifest = manifest_text(manifest).into();
        }
    }
    Value::Object(release)
}

fn manifest_text(documents: &Value) -> String {
    let mut text = String::new();
    for document in documents.as_array().into_iter().flatten() {
        text.push_str("---\n");
        if let Some(source) = document.get("source").and_then(Value::as_str) {
            text.push_str("# Source: ");
            text.push_str(source);
            text.push('\n');
        }
        text.push_str(&yaml::emit(&document["object"]));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
