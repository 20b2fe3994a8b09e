//! Who owns what on an object, and the guarded patch that ends one owner's share.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    pub manager: String,
    pub operation: String,
    pub subresource: String,
}

impl Owner {
    pub fn new(manager: &str, operation: &str, subresource: &str) -> Self {
        Self {
            manager: manager.to_owned(),
            operation: operation.to_owned(),
            subresource: subresource.to_owned(),
        }
    }

    fn of(entry: &Value) -> Self {
        let field = |name: &str| entry[name].as_str().unwrap_or_default();
        Self::new(field("manager"), field("operation"), field("subresource"))
    }
}

fn entries(object: &Value) -> &[Value] {
    object["metadata"]["managedFields"].as_array().map_or(&[], Vec::as_slice)
}

/// The owners of a field, given by its names from the root on, without order.
pub fn owners(object: &Value, path: &[&str]) -> Vec<Owner> {
    let mut owners: Vec<Owner> = entries(object)
        .iter()
        .filter(|entry| {
            path.iter().try_fold(&entry["fieldsV1"], |set, name| set.get(format!("f:{name}"))).is_some()
        })
        .map(Owner::of)
        .collect();
    owners.sort();
    owners
}

/// A JSON patch that removes one owner's entry and nothing else. It names the entry by its index, which other
/// writers shift, so it tests first that the entry is the one that was looked at.
#[track_caller]
pub fn drop_entry_patch(object: &Value, owner: &Owner) -> Value {
    let (index, entry) = entries(object)
        .iter()
        .enumerate()
        .find(|(_, entry)| Owner::of(entry) == *owner)
        .unwrap_or_else(|| panic!("no entry of {owner:?} in {}", object["metadata"]["managedFields"]));
    let at = format!("/metadata/managedFields/{index}");
    let mut patch: Vec<Value> = ["manager", "operation", "subresource", "fieldsV1"]
        .into_iter()
        .filter_map(|field| Some((field, entry.get(field)?)))
        .map(|(field, value)| json!({"op": "test", "path": format!("{at}/{field}"), "value": value}))
        .collect();
    patch.push(json!({"op": "remove", "path": at}));
    Value::from(patch)
}
