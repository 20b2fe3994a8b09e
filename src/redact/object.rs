//! Kubernetes objects without what nobody outside may see, still whole enough to tell who owns what.
//!
//! Rules are by place, not by look: values of Secrets, ConfigMaps, environments, arguments and Helm, and
//! annotations, go whatever they hold. Names, references, numbers, images and replicas stay.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::is_secret_name;
use super::mask::{Masker, Removed};

/// What is done with the value of a key, wherever the key stands.
#[derive(Clone, Copy)]
enum Rule {
    /// Every scalar below goes.
    Mask(Removed),
    /// `name` and `value` pairs: the value goes.
    MaskPairs(Removed),
    /// A list of words: each goes, names of flags stay.
    MaskWords,
}

/// Keys that hold values in the objects of Kubernetes and of the deployers.
const RULES: &[(&str, Rule)] = &[
    ("env", Rule::MaskPairs(Removed::EnvironmentValues)),
    ("agentEnvVars", Rule::MaskPairs(Removed::EnvironmentValues)),
    ("httpHeaders", Rule::MaskPairs(Removed::Credentials)),
    ("args", Rule::MaskWords),
    ("command", Rule::MaskWords),
    // Helm values: Fleet, Flux, Argo CD, k3s.
    ("values", Rule::Mask(Removed::HelmValues)),
    ("valuesObject", Rule::Mask(Removed::HelmValues)),
    ("valuesContent", Rule::Mask(Removed::HelmValues)),
    ("templateValues", Rule::Mask(Removed::HelmValues)),
    ("set", Rule::Mask(Removed::HelmValues)),
    ("parameters", Rule::MaskPairs(Removed::HelmValues)),
    ("commonAnnotations", Rule::Mask(Removed::Annotations)),
    ("patches", Rule::Mask(Removed::HelmValues)),
    ("postRenderers", Rule::Mask(Removed::HelmValues)),
    ("substitute", Rule::Mask(Removed::HelmValues)),
    // Whole charts and manifests.
    ("chartContent", Rule::Mask(Removed::HelmValues)),
    ("content", Rule::Mask(Removed::HelmValues)),
    // Credentials.
    ("caBundle", Rule::Mask(Removed::Credentials)),
    ("repoCA", Rule::Mask(Removed::Credentials)),
    ("caData", Rule::Mask(Removed::Credentials)),
    ("certData", Rule::Mask(Removed::Credentials)),
    ("keyData", Rule::Mask(Removed::Credentials)),
    ("volumeAttributes", Rule::Mask(Removed::Credentials)),
    // Digests of values.
    ("valuesHash", Rule::Mask(Removed::Digests)),
    ("configDigest", Rule::Mask(Removed::Digests)),
    ("lastAttemptedConfigDigest", Rule::Mask(Removed::Digests)),
    ("lastAttemptedValuesChecksum", Rule::Mask(Removed::Digests)),
];

/// Annotations that tell how an object is delivered. All others may hold anything.
const ANNOTATIONS: &[&str] = &[
    "meta.helm.sh/",
    "helm.sh/",
    "fleet.cattle.io/",
    "management.cattle.io/",
    "deployment.kubernetes.io/",
    "helm.toolkit.fluxcd.io/",
    "kustomize.toolkit.fluxcd.io/",
    "reconcile.fluxcd.io/",
    "argocd.argoproj.io/",
    "helmcharts.helm.cattle.io/",
    "helmcharts.cattle.io/",
    "objectset.rio.cattle.io/id",
    "objectset.rio.cattle.io/owner",
    "autoscaling.alpha.kubernetes.io/",
];

/// Annotations below these prefixes that repeat values or digests of them.
const NEVER: &[&str] = &["objectset.rio.cattle.io/applied", "helmcharts.cattle.io/configHash"];

/// Variables of the Jobs of k3s' helm-controller that tell which release a Job is for (helm-controller
/// 0.17, pkg/controllers/chart). The hash is one of the whole spec.
const HELM_CONTROLLER: &[&str] = &[
    "NAME",
    "VERSION",
    "REPO",
    "CHART",
    "CHART_NAMESPACE",
    "TARGET_NAMESPACE",
    "EXPECTED_RELEASE_REVISION",
    "FAILURE_POLICY",
    "HELM_DRIVER",
    "CONFIG_HASH",
    "TIMEOUT",
];

/// Whether the annotation tells how an object is delivered, and holds nothing else.
pub fn is_of_delivery(annotation: &str) -> bool {
    ANNOTATIONS.iter().any(|prefix| annotation.starts_with(prefix))
        && !NEVER.contains(&annotation)
        && !annotation.contains("values")
}

/// Takes the values out of an object, in place.
pub fn redact(object: &mut Value, masker: &mut Masker) {
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_helm_controllers = object
        .pointer("/metadata/labels")
        .and_then(Value::as_object)
        .is_some_and(|labels| labels.keys().any(|key| key.starts_with("helmcharts.helm.cattle.io/")));
    masker.variables = if is_helm_controllers { HELM_CONTROLLER } else { &[] };
    let is_argo_cluster =
        object.pointer("/metadata/labels/argocd.argoproj.io~1secret-type").and_then(Value::as_str)
            == Some("cluster");
    let Some(fields) = object.as_object_mut() else { return };
    for (key, value) in fields.iter_mut() {
        match (kind.as_str(), key.as_str()) {
            ("Secret", "data") if is_argo_cluster => argo_cluster(value, masker),
            ("Secret", "data") => {
                each_text(value, &mut |text| masker.mask_base64(Removed::SecretValues, text))
            }
            ("Secret", "stringData") => mask_all(value, Removed::SecretValues, masker),
            ("ConfigMap", "data") => config_map_data(value, masker),
            ("ConfigMap", "binaryData") => mask_all(value, Removed::ConfigMapValues, masker),
            (_, "metadata") => metadata(value, masker),
            _ => field(key, value, masker),
        }
    }
}

/// Which cluster an Application goes to is told by the Secret's `name` and `server`; `config` is the credentials.
fn argo_cluster(data: &mut Value, masker: &mut Masker) {
    for (key, value) in data.as_object_mut().into_iter().flatten() {
        if !matches!(key.as_str(), "name" | "server") || holds_credentials(value) {
            each_text(value, &mut |text| masker.mask_base64(Removed::SecretValues, text));
        }
    }
}

/// `https://user:password@host`, and anything that is not text at all.
fn holds_credentials(encoded: &Value) -> bool {
    let bytes = encoded.as_str().and_then(|text| STANDARD.decode(text).ok());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_none_or(|text| text.contains(['@', '?', '#', '\n']))
}

/// Switches (`debug`, `4`) stay, so that a conflict over one can be told; everything else may hold anything.
fn config_map_data(data: &mut Value, masker: &mut Masker) {
    for (key, value) in data.as_object_mut().into_iter().flatten() {
        if let Value::String(text) = value {
            let is_word = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
            let stays = is_plain(text) || (is_word && !is_secret_name(key));
            if !stays {
                *text = masker.mask(Removed::ConfigMapValues, text);
            }
        }
    }
}

fn metadata(value: &mut Value, masker: &mut Masker) {
    let Some(metadata) = value.as_object_mut() else { return };
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        for (key, value) in annotations {
            if key == LAST_APPLIED && last_applied(value, masker) {
                continue;
            }
            if !is_of_delivery(key) {
                mask_all(value, Removed::Annotations, masker);
            }
        }
    }
    if let Some(entries) = metadata.get_mut("managedFields").and_then(Value::as_array_mut) {
        for entry in entries {
            if let Some(fields) = entry.get_mut("fieldsV1") {
                field_set(fields, masker);
            }
        }
    }
}

/// What `kubectl apply` and client-side appliers compare with: an object of its own.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Argo CD's drift is told by it, so it is redacted like any object, where it is one.
fn last_applied(value: &mut Value, masker: &mut Masker) -> bool {
    let Some(Ok(mut object)) = value.as_str().map(serde_json::from_str::<Value>) else { return false };
    if !object.is_object() {
        return false;
    }
    let variables = masker.variables;
    redact(&mut object, masker);
    masker.variables = variables;
    *value = object.to_string().into();
    true
}

/// Keys of keyed lists in Kubernetes' own types (`x-kubernetes-list-map-keys`).
const LIST_KEYS: [&str; 14] = [
    "name",
    "type",
    "key",
    "protocol",
    "containerPort",
    "port",
    "ip",
    "uid",
    "topologyKey",
    "whenUnsatisfiable",
    "mountPath",
    "devicePath",
    "namespace",
    "kind",
];

/// `k:{"name":"web"}` with every value masked whose key no list of Kubernetes is keyed by.
fn list_key(key: &str, masker: &mut Masker) -> Option<String> {
    let mut parts: Map<String, Value> = serde_json::from_str(key.strip_prefix("k:")?).ok()?;
    let mut is_changed = false;
    for (name, value) in &mut parts {
        if let Value::String(text) = value
            && !LIST_KEYS.contains(&name.as_str())
            && !is_name(text)
        {
            *text = masker.mask(Removed::Arguments, text);
            is_changed = true;
        }
    }
    is_changed.then(|| format!("k:{}", Value::Object(parts)))
}

/// Members of sets (`v:"--password=x"`) are values; finalizers are names.
fn field_set(fields: &mut Value, masker: &mut Masker) {
    let Some(fields) = fields.as_object_mut() else { return };
    let members: Vec<String> = fields.keys().filter(|key| key.starts_with("v:")).cloned().collect();
    for key in members {
        let text = key.get(2..).and_then(|json| serde_json::from_str::<String>(json).ok());
        if let Some(text) = text.filter(|text| !is_name(text))
            && let Some(value) = fields.remove(&key)
        {
            let marker = Value::from(masker.mask(Removed::Arguments, &text));
            fields.insert(format!("v:{marker}"), value);
        }
    }
    let keys: Vec<String> = fields.keys().filter(|key| key.starts_with("k:")).cloned().collect();
    for key in keys {
        if let Some(masked) = list_key(&key, masker)
            && let Some(value) = fields.remove(&key)
        {
            fields.insert(masked, value);
        }
    }
    for (_, value) in fields {
        field_set(value, masker);
    }
}

fn walk(value: &mut Value, masker: &mut Masker) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, masker)),
        Value::Object(fields) => {
            // A template has metadata of its own; a selector's `values` are label values.
            let is_selector = fields.contains_key("operator");
            for (key, value) in fields {
                match key.as_str() {
                    "metadata" => metadata(value, masker),
                    "values" if is_selector => {}
                    _ => field(key, value, masker),
                }
            }
        }
        _ => {}
    }
}

fn field(key: &str, value: &mut Value, masker: &mut Masker) {
    match RULES.iter().find(|(name, _)| *name == key) {
        Some((_, Rule::Mask(what))) => mask_all(value, *what, masker),
        Some((_, Rule::MaskPairs(what))) => pairs(value, *what, masker),
        Some((_, Rule::MaskWords)) => each_text(value, &mut |word| argument(word, masker)),
        None => match value {
            Value::String(text) if holds_secret(key) => *text = masker.mask(Removed::Credentials, text),
            _ => walk(value, masker),
        },
    }
}

fn pairs(value: &mut Value, what: Removed, masker: &mut Masker) {
    let Some(items) = value.as_array_mut() else { return mask_all(value, what, masker) };
    for item in items {
        match item {
            Value::Object(fields) if stays(fields, masker) => {}
            Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| match key.as_str() {
                "name" | "valueFrom" | "forceString" | "path" => {}
                _ => mask_all(value, what, masker),
            }),
            other => mask_all(other, what, masker),
        }
    }
}

fn stays(pair: &Map<String, Value>, masker: &Masker) -> bool {
    pair.get("name").and_then(Value::as_str).is_some_and(|name| masker.variables.contains(&name))
}

/// `--name=value` keeps its name; a plain number or switch stays whole.
fn argument(word: &str, masker: &mut Masker) -> String {
    match word.split_once('=') {
        Some((name, value)) if name.starts_with('-') && is_plain(value) => format!("{name}={value}"),
        Some((name, value)) if name.starts_with('-') && !value.is_empty() => {
            format!("{name}={}", masker.mask(Removed::Arguments, value))
        }
        _ if is_flag(word) || is_plain(word) => word.to_owned(),
        _ => masker.mask(Removed::Arguments, word),
    }
}

fn is_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| {
        name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    })
}

/// Numbers and switches say nothing; six digits are the most that a port or a size in MiB has.
fn is_plain(text: &str) -> bool {
    matches!(text, "true" | "false" | "on" | "off" | "yes" | "no" | "null")
        || (!text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `foregroundDeletion`, `example.com/finalizer`: words of a name, without a digit.
fn is_name(text: &str) -> bool {
    text.len() <= 63 && text.bytes().all(|byte| byte.is_ascii_alphabetic() || b"./-".contains(&byte))
}

/// Whether the key's name says that its text is a secret; names of Secrets are none.
fn holds_secret(key: &str) -> bool {
    const WORDS: [&str; 12] = [
        "password",
        "passwd",
        "passphrase",
        "token",
        "apikey",
        "api_key",
        "secretkey",
        "privatekey",
        "credential",
        "accesskey",
        "kubeconfig",
        "dockerconfigjson",
    ];
    const REFERENCES: [&str; 6] = ["name", "namespace", "ref", "secret", "path", "expiration"];
    let key = key.to_ascii_lowercase();
    WORDS.iter().any(|word| key.contains(word)) && !REFERENCES.iter().any(|end| key.ends_with(end))
}

fn mask_all(value: &mut Value, what: Removed, masker: &mut Masker) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::String(text) => *text = masker.mask(what, text),
        Value::Number(number) => {
            let text = number.to_string();
            if !is_plain(&text) {
                *value = masker.mask(what, &text).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mask_all(item, what, masker)),
        Value::Object(fields) => mask_map(fields, what, masker),
    }
}

fn mask_map(fields: &mut Map<String, Value>, what: Removed, masker: &mut Masker) {
    fields.values_mut().for_each(|value| mask_all(value, what, masker));
}

fn each_text(value: &mut Value, with: &mut dyn FnMut(&str) -> String) {
    match value {
        Value::String(text) => *text = with(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, with)),
        Value::Object(fields) => fields.values_mut().for_each(|value| each_text(value, with)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn redacted(mut object: Value) -> Value {
        redact(&mut object, &mut Masker::default());
        object
    }

    #[test]
    fn values_go_and_ownership_stays() {
        for (object, want) in [
            (
                json!({"kind": "Secret", "data": {"a": "aHVudGVy", "empty": ""}, "stringData": {"b": "hunter"}, "type": "Opaque"}),
                json!({"kind": "Secret", "data": {"a": "PHJlZGFjdGVkLTE+", "empty": ""}, "stringData": {"b": "<redacted-1>"}, "type": "Opaque"}),
            ),
            (
                json!({"kind": "ConfigMap", "data": {"debug": "true", "level": "info", "replicas": "4", "password": "info", "app.yaml": "password: x"}}),
                json!({"kind": "ConfigMap", "data": {"debug": "true", "level": "info", "replicas": "4", "password": "<redacted-2>", "app.yaml": "<redacted-1>"}}),
            ),
            (
                json!({"kind": "Deployment", "spec": {"replicas": 2, "template": {
                    "metadata": {"annotations": {"checksum/secret": "abc", "helm.sh/hook": "pre-install"}},
                    "spec": {"containers": [{"name": "c", "image": "i:1",
                        "env": [{"name": "A", "value": "x"}, {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
                        "args": ["--level=debug", "--port=80", "--verbose", "x"]}]}}}}),
                json!({"kind": "Deployment", "spec": {"replicas": 2, "template": {
                    "metadata": {"annotations": {"checksum/secret": "<redacted-2>", "helm.sh/hook": "pre-install"}},
                    "spec": {"containers": [{"name": "c", "image": "i:1",
                        "env": [{"name": "A", "value": "<redacted-1>"}, {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
                        "args": ["--level=<redacted-3>", "--port=80", "--verbose", "<redacted-1>"]}]}}}}),
            ),
            (
                json!({"kind": "HelmRelease", "spec": {"values": {"a": {"b": "x", "c": 123_456, "d": true}}, "valuesFrom": [{"name": "s"}]}}),
                json!({"kind": "HelmRelease", "spec": {"values": {"a": {"b": "<redacted-1>", "c": "<redacted-2>", "d": true}}, "valuesFrom": [{"name": "s"}]}}),
            ),
            (
                json!({"kind": "Widget", "spec": {"size": "big", "adminPassword": "x", "secretName": "s", "match": {"operator": "In", "values": ["a"]}}}),
                json!({"kind": "Widget", "spec": {"size": "big", "adminPassword": "<redacted-1>", "secretName": "s", "match": {"operator": "In", "values": ["a"]}}}),
            ),
        ] {
            let redacted = redacted(object);
            // Numbers are given in the order of the keys; the equality classes count.
            assert_eq!(classes(&redacted.to_string()), classes(&want.to_string()));
        }
    }

    /// Markers renumbered in the order of their appearance.
    fn classes(text: &str) -> String {
        let mut seen: Vec<String> = Vec::new();
        let pattern = regex::Regex::new("<redacted-[0-9]+>").unwrap();
        pattern
            .replace_all(text, |found: &regex::Captures<'_>| {
                let at = seen.iter().position(|one| *one == found[0]).unwrap_or_else(|| {
                    seen.push(found[0].to_owned());
                    seen.len() - 1
                });
                format!("<{at}>")
            })
            .into_owned()
    }

    #[test]
    fn sets_in_managed_fields_hold_values() {
        let object = json!({"kind": "X", "metadata": {"managedFields": [{"manager": "m", "fieldsV1": {
            "f:spec": {"f:args": {"v:\"--key=7\"": {}, ".": {}}}, "f:metadata": {"f:finalizers": {"v:\"a.io/b\"": {}}}}}]}});
        let text = redacted(object).to_string();
        assert!(text.contains(r#"v:\"<redacted-1>\""#) && text.contains(r#"v:\"a.io/b\""#), "{text}");
    }
}
