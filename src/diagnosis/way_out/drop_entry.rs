//! End the shared ownership: remove just one manager's entry from managedFields, guarded by tests.
//!
//! Measured with Helm 4.3.1 and Fleet 0.16.1: no value changes, the next try lands and the deployer is
//! sole owner; a patch whose tests no longer hold is refused and changes nothing.

use serde_json::{Value, json};

use crate::diagnosis::command::{kubectl, target};
use crate::evidence::Case;
use crate::failure::Operation;
use crate::fields::{Entry, ManagedFields};
use crate::object::ObjectRef;
use crate::report::{Conflict, Risk, WayOut};

/// One way out per entry that holds fields in conflict.
pub fn ways(case: &Case, conflicts: &[&Conflict]) -> Vec<WayOut> {
    let mut done: Vec<(&ObjectRef, usize)> = Vec::new();
    let mut ways = Vec::new();
    for conflict in conflicts {
        let Some(live) = case.living(&conflict.object) else { continue };
        let Some(managed) = ManagedFields::of(live) else { continue };
        let Some(entry) = entry_of(&managed, conflict) else { continue };
        if done.contains(&(&conflict.object, entry.index)) {
            continue;
        }
        done.push((&conflict.object, entry.index));
        ways.extend(way(case, conflict, live, entry));
    }
    ways
}

fn entry_of<'a>(managed: &'a ManagedFields, conflict: &Conflict) -> Option<&'a Entry> {
    let operation = if conflict.operation == "Apply" { Operation::Apply } else { Operation::Update };
    let path = super::super::conflict::resolve(&conflict.path, Some(managed), None, None)?;
    managed.entries.iter().find(|entry| {
        entry.manager == conflict.manager
            && entry.operation == operation
            && entry.subresource == conflict.subresource
            && entry.set.touches(&path)
    })
}

fn way(case: &Case, conflict: &Conflict, live: &Value, entry: &Entry) -> Option<WayOut> {
    let object = &conflict.object;
    let patch = guarded_patch(live, entry.index)?.to_string();
    let command = kubectl(case, &object.namespace, &["patch", &target(object), "--type=json", "-p", &patch])?;
    let others = others(entry, conflict);
    Some(WayOut {
        title: format!(
            "end the shared ownership: drop the one managedFields entry of {:?} on {object}",
            entry.manager
        ),
        risk: Risk::Safe,
        who: "on call".into(),
        commands: vec![command],
        then: format!(
            "no value changes until the next try, which lands and makes {} sole owner; refused, changing nothing, if \
             the object moved on{others}",
            case.delivery.manager
        ),
    })
}

/// What else the entry owns: dropping it gives that up too.
fn others(entry: &Entry, conflict: &Conflict) -> String {
    let others: Vec<String> = entry
        .set
        .paths()
        .iter()
        .map(ToString::to_string)
        .filter(|path| *path != conflict.path && !conflict.path.starts_with(&format!("{path}.")))
        .collect();
    match others.as_slice() {
        [] => String::new(),
        some if some.len() > 4 => format!("; the entry also owns {} and {} more", some[0], some.len() - 1),
        some => format!("; the entry also owns {}", some.join(", ")),
    }
}

/// Tests that pin the entry at its place, then its removal.
fn guarded_patch(live: &Value, index: usize) -> Option<Value> {
    let entry = live.pointer("/metadata/managedFields")?.get(index)?;
    let place = format!("/metadata/managedFields/{index}");
    let mut patch: Vec<Value> = ["manager", "operation", "subresource", "fieldsV1"]
        .iter()
        .filter_map(|key| {
            Some(json!({"op": "test", "path": format!("{place}/{key}"), "value": entry.get(key)?}))
        })
        .collect();
    patch.push(json!({"op": "remove", "path": place}));
    Some(Value::Array(patch))
}
