//! End the shared ownership: remove just one manager's entry from managedFields, guarded by tests.
//!
//! Measured with Helm 4.3.1 and Fleet 0.16.1: no value changes, the next try lands and the deployer is
//! sole owner; a patch whose tests no longer hold is refused and changes nothing.

use serde_json::Value;

use crate::diagnosis::command::{kubectl, target};
use crate::diagnosis::conflict::resolve;
use crate::evidence::Case;
use crate::failure::Operation;
use crate::fields::guard::drop_entry;
use crate::fields::{Entry, ManagedFields, Path};
use crate::object::ObjectRef;
use crate::report::{Conflict, Risk, WayOut};

/// One way out per entry that holds fields in conflict.
pub fn ways(case: &Case, conflicts: &[&Conflict]) -> Vec<WayOut> {
    let mut done: Vec<(&ObjectRef, usize)> = Vec::new();
    let mut ways = Vec::new();
    for conflict in conflicts {
        let Some(live) = case.living(&conflict.object) else { continue };
        let Some(managed) = case.managed(&conflict.object) else { continue };
        let Some(entry) = entry_of(managed, conflict) else { continue };
        if done.contains(&(&conflict.object, entry.index)) {
            continue;
        }
        done.push((&conflict.object, entry.index));
        ways.extend(way(case, conflict, conflicts, live, entry));
    }
    ways
}

fn entry_of<'a>(managed: &'a ManagedFields, conflict: &Conflict) -> Option<&'a Entry> {
    let operation = if conflict.operation == "Apply" { Operation::Apply } else { Operation::Update };
    let path = resolve(&conflict.path, Some(managed), None, None)?;
    managed.entries.iter().find(|entry| {
        entry.manager == conflict.manager
            && entry.operation == operation
            && entry.subresource == conflict.subresource
            && entry.set.touches(&path)
    })
}

fn way(
    case: &Case,
    conflict: &Conflict,
    conflicts: &[&Conflict],
    live: &Value,
    entry: &Entry,
) -> Option<WayOut> {
    let object = &conflict.object;
    let managed = case.managed(object);
    let contested = conflicts.iter().filter(|it| it.object.is_same_object(object));
    let paths: Vec<Path> = contested.filter_map(|it| resolve(&it.path, managed, Some(live), None)).collect();
    // The last entry of an object is never dropped: that would wipe managedFields.
    let dropped = drop_entry(live, entry.index, &paths).ok()?;
    let patch = dropped.patch.to_string();
    let command = kubectl(case, &object.namespace, &["patch", &target(object), "--type=json", "-p", &patch])?;
    Some(WayOut {
        title: format!(
            "end the shared ownership: drop the one managedFields entry of {:?} on {object}",
            entry.manager
        ),
        risk: Risk::Safe,
        who: "on call".into(),
        commands: vec![command],
        then: format!(
            "no value changes until the next try, which lands and makes {} sole owner; if that entry is not there any more the \
             patch changes nothing and kubectl says only `The request is invalid`: look again{}",
            case.delivery.manager,
            others(&dropped.also_gives_up)
        ),
    })
}

/// What else the entry owns: dropping it gives that up too.
fn others(paths: &[Path]) -> String {
    match paths {
        [] => String::new(),
        [first, .., _] if paths.len() > 4 => {
            format!("; the entry also owns {first} and {} more", paths.len() - 1)
        }
        some => {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("; the entry also owns {}", some.join(", "))
        }
    }
}
