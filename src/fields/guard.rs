//! Ways out computed from sets: drop one manager's entry, or give a field back.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::managed::{ManagedFields, Owner};
use super::order;
use super::path::Path;

/// A JSON patch that takes one manager's entry out of managedFields, and what follows from it.
///
/// Measured with Helm 4.3.1, Fleet 0.16.1 on Kubernetes 1.37.2: it changes no value, the deployer's next try
/// lands; when a test no longer holds, the server refuses the whole patch and changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DropEntry {
    /// For `kubectl patch --type=json`.
    pub patch: Value,
    /// The entry.
    pub entry: Owner,
    /// Other fields that the manager stops owning with it, without parents and list keys.
    pub also_gives_up: Vec<Path>,
    /// For each field in question, who owns it afterwards. Nobody: its value stays until somebody sets it.
    pub afterwards: Vec<OwnedAfterwards>,
}

/// Who owns a field once an entry is gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnedAfterwards {
    /// The field.
    pub path: Path,
    /// Its owners.
    pub owners: Vec<Owner>,
}

/// Why an entry must not be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DropError {
    /// There is no such entry, or the object has no managedFields.
    #[error("the object has no managedFields entry at that place")]
    NoSuchEntry,
    /// An empty list is what the API server takes for "wipe managedFields": every field would then belong to
    /// `before-first-apply` and conflict.
    #[error("it is the only entry: without it managedFields would be wiped")]
    OnlyEntry,
}

/// Pins the entry at its place and removes it. `stored` is the object as the server gave it: a pin holds only if it
/// repeats what the server keeps to the letter.
///
/// # Errors
/// The entry is not there, or it is the only one.
pub fn drop_entry(
    stored: &str,
    managed: &ManagedFields,
    index: usize,
    fields: &[Path],
) -> Result<DropEntry, DropError> {
    let entry = managed.entries.iter().find(|entry| entry.index == index).ok_or(DropError::NoSuchEntry)?;
    let Stored { metadata } = serde_json::from_str(stored).map_err(|_| DropError::NoSuchEntry)?;
    if metadata.managed_fields.len() < 2 {
        return Err(DropError::OnlyEntry);
    }
    let raw = metadata.managed_fields.get(index).ok_or(DropError::NoSuchEntry)?;
    let raw: Value = serde_json::from_str(raw.get()).map_err(|_| DropError::NoSuchEntry)?;
    let place = format!("/metadata/managedFields/{index}");
    let pins = ["manager", "operation", "subresource", "fieldsV1"].into_iter();
    let mut patch: Vec<Value> = pins
        .filter_map(|key| {
            Some(json!({"op": "test", "path": format!("{place}/{key}"), "value": raw.get(key)?}))
        })
        .collect();
    patch.push(json!({"op": "remove", "path": place}));
    let leaves = entry.set.leaves().paths();
    let also_gives_up =
        leaves.into_iter().filter(|path| !fields.iter().any(|field| field.is_prefix_of(path)));
    let afterwards = fields.iter().map(|path| OwnedAfterwards {
        path: path.clone(),
        owners: managed.owners_of(path).into_iter().filter(|owner| owner.index != index).collect(),
    });
    Ok(DropEntry {
        patch: Value::Array(patch),
        entry: entry.owner(super::Extent::Field),
        also_gives_up: also_gives_up.collect(),
        afterwards: afterwards.collect(),
    })
}

/// The entries of an object, not yet read.
#[derive(Deserialize)]
struct Stored<'a> {
    #[serde(borrow)]
    metadata: StoredMetadata<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredMetadata<'a> {
    #[serde(borrow)]
    managed_fields: Vec<&'a RawValue>,
}

/// How a field gets the value that the deployer wants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum GiveBack {
    /// `kubectl scale`: the entry of whoever scaled before stays, as co-owner of the wanted number.
    Scale {
        /// The wanted number.
        replicas: u64,
    },
    /// For `kubectl patch --type=json`; whoever patches becomes a co-owner (`kubectl-patch`) instead of the
    /// manager before.
    JsonPatch(Value),
}

/// Kinds with a `scale` subresource among the built-in ones.
const SCALED: &[&str] = &["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"];

/// Sets one field of the live object to `wanted`, if it still holds what it holds now. `None` where nothing
/// has to be done, or where the place of the field cannot be told. The patch quotes both values: not to be
/// printed for a Secret.
pub fn give_back(live: &Value, path: &Path, wanted: &Value) -> Option<GiveBack> {
    let kind = live.get("kind").and_then(Value::as_str).unwrap_or_default();
    let found = path.get(live);
    if found.is_some_and(|found| order::same(found, wanted)) {
        return None;
    }
    if *path == Path::fields(["spec", "replicas"]) && SCALED.contains(&kind) {
        return Some(GiveBack::Scale { replicas: wanted.as_u64()? });
    }
    let Some(found) = found else {
        let place = path.pointer_to_add(live)?;
        return Some(GiveBack::JsonPatch(json!([{"op": "add", "path": place, "value": wanted}])));
    };
    let place = path.pointer_in(live)?;
    let mut change = Map::new();
    change.insert("op".into(), if wanted.is_null() { "remove" } else { "replace" }.into());
    change.insert("path".into(), place.clone().into());
    if !wanted.is_null() {
        change.insert("value".into(), wanted.clone());
    }
    // A list's place can shift between reading and patching; the value before pins it.
    Some(GiveBack::JsonPatch(json!([{"op": "test", "path": place, "value": found}, change])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(live: &Value, index: usize, fields: &[Path]) -> Result<DropEntry, DropError> {
        drop_entry(&live.to_string(), &ManagedFields::of(live).unwrap_or_default(), index, fields)
    }

    fn live() -> Value {
        json!({"kind": "Deployment", "metadata": {"managedFields": [
            {"manager": "helm", "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:replicas": {}, "f:paused": {}}}},
            {"manager": "kubectl", "operation": "Update", "apiVersion": "apps/v1", "subresource": "scale", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:replicas": {}, "f:template": {"f:x": {}}}}}]},
            "spec": {"replicas": 4, "containers": [{"name": "a"}, {"name": "web", "image": "w:1"}]}})
    }

    #[test]
    fn the_entry_is_pinned_and_what_else_it_owns_is_told() {
        let replicas = Path::fields(["spec", "replicas"]);
        let told = dropped(&live(), 1, std::slice::from_ref(&replicas)).unwrap();
        let place = "/metadata/managedFields/1";
        assert_eq!(
            told.patch,
            json!([{"op": "test", "path": format!("{place}/manager"), "value": "kubectl"},
                {"op": "test", "path": format!("{place}/operation"), "value": "Update"},
                {"op": "test", "path": format!("{place}/subresource"), "value": "scale"},
                {"op": "test", "path": format!("{place}/fieldsV1"), "value": {"f:spec": {"f:replicas": {}, "f:template": {"f:x": {}}}}},
                {"op": "remove", "path": place}])
        );
        assert_eq!(told.also_gives_up, [Path::fields(["spec", "template", "x"])]);
        let [after] = told.afterwards.as_slice() else { panic!("{:?}", told.afterwards) };
        assert_eq!(after.owners.iter().map(|owner| owner.manager.as_str()).collect::<Vec<_>>(), ["helm"]);
        assert_eq!(dropped(&live(), 2, &[]), Err(DropError::NoSuchEntry));
    }

    #[test]
    fn the_last_entry_is_never_dropped() {
        let mut only = live();
        only["metadata"]["managedFields"].as_array_mut().unwrap().truncate(1);
        assert_eq!(dropped(&only, 0, &[]), Err(DropError::OnlyEntry));
        assert_eq!(dropped(&json!({}), 0, &[]), Err(DropError::NoSuchEntry));
    }

    #[test]
    fn a_field_is_given_back_by_scale_or_by_a_pinned_patch() {
        let live = live();
        let image = Path::parse(".spec.containers[name=\"web\"].image").unwrap();
        for (path, wanted, expected) in [
            (Path::fields(["spec", "replicas"]), json!(2), Some(GiveBack::Scale { replicas: 2 })),
            (Path::fields(["spec", "replicas"]), json!(4), None),
            (
                image.clone(),
                json!("w:2"),
                Some(GiveBack::JsonPatch(
                    json!([{"op": "test", "path": "/spec/containers/1/image", "value": "w:1"},
                    {"op": "replace", "path": "/spec/containers/1/image", "value": "w:2"}]),
                )),
            ),
            (
                image,
                Value::Null,
                Some(GiveBack::JsonPatch(
                    json!([{"op": "test", "path": "/spec/containers/1/image", "value": "w:1"},
                    {"op": "remove", "path": "/spec/containers/1/image"}]),
                )),
            ),
            (
                Path::fields(["spec", "paused"]),
                json!(true),
                Some(GiveBack::JsonPatch(json!([{"op": "add", "path": "/spec/paused", "value": true}]))),
            ),
            (Path::fields(["status", "x", "y"]), json!(1), None),
        ] {
            assert_eq!(give_back(&live, &path, &wanted), expected, "{path}");
        }
    }
}
