//! The answers of an API server, worded as Kubernetes 1.37 does.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::route::{Question, parameters, question};
use super::selector::{fields_match, labels_match};
use super::store::{Kind, Store};

/// Code, media type, body.
pub type Answer = (u16, &'static str, String);

/// Answers one path below the cluster's prefix.
pub fn answer(store: &Store, path: &str, query: &str, accept: &str) -> Answer {
    match question(path) {
        Question::Version => ok(&json!({"major": "1", "minor": "37", "gitVersion": "v1.37.2"})),
        Question::Groups { core: true } => ok(&json!({"kind": "APIVersions", "versions": ["v1"]})),
        Question::Groups { core: false } => groups(store),
        Question::Kinds { group, version } => kinds(store, &group, &version),
        Question::List { group, version, plural, namespace } => {
            match find(store, &group, &version, &plural) {
                Some(kind) => list(kind, &group, &plural, &namespace, &parameters(query), accept),
                None => not_served(),
            }
        }
        Question::Get { group, version, plural, namespace, name } => {
            match find(store, &group, &version, &plural) {
                Some(kind) => get(kind, &group, &plural, &namespace, &name),
                None => not_served(),
            }
        }
        Question::Unknown => not_served(),
    }
}

/// A failure as an API server words it.
pub fn status(code: u16, message: &str) -> Answer {
    let reason = match code {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        410 => "Expired",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "InternalError",
    };
    let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code});
    (code, "application/json", body.to_string())
}

/// What an API server says of a path that it does not have.
pub fn not_served() -> Answer {
    (404, "text/plain; charset=utf-8", "404 page not found\n".into())
}

fn ok(body: &Value) -> Answer {
    (200, "application/json", body.to_string())
}

fn find<'a>(store: &'a Store, group: &str, version: &str, plural: &str) -> Option<&'a Kind> {
    let kind = store.kinds.get(&(group.to_owned(), plural.to_owned()))?;
    (kind.version == version).then_some(kind)
}

fn groups(store: &Store) -> Answer {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for ((group, _), kind) in store.kinds.iter().filter(|((group, _), _)| !group.is_empty()) {
        names.insert(group, &kind.version);
    }
    let groups: Vec<Value> = names
        .iter()
        .map(|(group, version)| {
            let version = json!({"groupVersion": format!("{group}/{version}"), "version": version});
            json!({"name": group, "versions": [version], "preferredVersion": version})
        })
        .collect();
    ok(&json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}))
}

fn kinds(store: &Store, group: &str, version: &str) -> Answer {
    let served = store.kinds.iter().filter(|((of, _), kind)| of == group && kind.version == version);
    let resources: Vec<Value> = served
        .flat_map(|((_, plural), kind)| {
            let entry = |name: String| {
                json!({"name": name, "singularName": "", "namespaced": kind.namespaced,
                    "kind": kind.kind, "verbs": ["get", "list"]})
            };
            [entry(format!("{plural}/status")), entry(plural.clone())]
        })
        .collect();
    if resources.is_empty() {
        return not_served();
    }
    let group_version = if group.is_empty() { version.into() } else { format!("{group}/{version}") };
    ok(&json!({"kind": "APIResourceList", "groupVersion": group_version, "resources": resources}))
}

fn list(
    kind: &Kind,
    group: &str,
    plural: &str,
    namespace: &str,
    parameters: &BTreeMap<String, String>,
    accept: &str,
) -> Answer {
    let parameter = |name: &str| parameters.get(name).map_or("", String::as_str);
    let mut found = Vec::new();
    for object in &kind.objects {
        let metadata = &object["metadata"];
        if !namespace.is_empty() && metadata["namespace"] != namespace {
            continue;
        }
        match fields_match(parameter("fieldSelector"), plural, kind.is_built_in, object) {
            Err(field) => return status(400, &format!("field label not supported: {field}")),
            Ok(is_match) if is_match && labels_match(parameter("labelSelector"), &metadata["labels"]) => {
                found.push(object);
            }
            Ok(_) => {}
        }
    }
    let start: usize = parameter("continue").strip_prefix("from-").map_or(0, |n| n.parse().expect("a token"));
    let limit: usize = parameter("limit").parse().unwrap_or(usize::MAX);
    let end = start.saturating_add(limit).min(found.len());
    let token = if end < found.len() { format!("from-{end}") } else { String::new() };
    let is_metadata = accept.contains("as=PartialObjectMetadataList");
    let items: Vec<Value> = found[start.min(end)..end]
        .iter()
        .map(|object| if is_metadata { partial(object) } else { in_list(object, kind) })
        .collect();
    let (list_kind, api_version) = if is_metadata {
        ("PartialObjectMetadataList".to_owned(), "meta.k8s.io/v1".to_owned())
    } else {
        let api_version =
            if group.is_empty() { kind.version.clone() } else { format!("{group}/{}", kind.version) };
        (format!("{}List", kind.kind), api_version)
    };
    ok(&json!({"kind": list_kind, "apiVersion": api_version,
        "metadata": {"resourceVersion": "1", "continue": token}, "items": items}))
}

fn partial(object: &Value) -> Value {
    json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": object["metadata"]})
}

/// Items of built-in kinds stand in a list without their type.
fn in_list(object: &Value, kind: &Kind) -> Value {
    let mut object = object.clone();
    if kind.is_built_in
        && let Some(fields) = object.as_object_mut()
    {
        fields.remove("apiVersion");
        fields.remove("kind");
    }
    object
}

fn get(kind: &Kind, group: &str, plural: &str, namespace: &str, name: &str) -> Answer {
    let found = kind.objects.iter().find(|object| {
        let metadata = &object["metadata"];
        metadata["name"] == name && metadata["namespace"].as_str().unwrap_or_default() == namespace
    });
    match found {
        Some(object) => ok(object),
        None => {
            let dot = if group.is_empty() { "" } else { "." };
            status(404, &format!("{plural}{dot}{group} \"{name}\" not found"))
        }
    }
}
