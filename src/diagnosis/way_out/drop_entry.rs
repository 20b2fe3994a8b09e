//! End the shared ownership: remove just one manager's entry from managedFields, guarded by tests.
//!
//! Measured with Helm 4.3.1 and Fleet 0.16.1: no value changes, the next try lands and the deployer is
//! sole owner; a patch whose tests no longer hold is refused and changes nothing.

use std::collections::{HashMap, HashSet};

use crate::diagnosis::command::{kubectl, target};
use crate::diagnosis::conflict::resolve;
use crate::evidence::{Case, Living};
use crate::failure::Operation;
use crate::fields::guard::drop_entry;
use crate::fields::{Entry, ManagedFields, Path};
use crate::report::{Conflict, Risk, WayOut};

/// One way out per entry that holds fields in conflict.
pub fn ways(case: &Case, conflicts: &[&Conflict]) -> Vec<WayOut> {
    let mut of_object: HashMap<_, Vec<&Conflict>> = HashMap::new();
    for conflict in conflicts {
        of_object.entry(conflict.object.identity()).or_default().push(conflict);
    }
    let mut done = HashSet::new();
    let mut ways = Vec::new();
    for conflict in conflicts {
        let Some(living) = case.living.find(&conflict.object) else { continue };
        let Some(entry) = living.managed().and_then(|it| entry_of(it, conflict)) else { continue };
        let identity = conflict.object.identity();
        if done.insert((identity, entry.index)) {
            ways.extend(way(case, &of_object[&identity], living, entry));
        }
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

fn way(case: &Case, contested: &[&Conflict], living: &Living, entry: &Entry) -> Option<WayOut> {
    let object = &living.object;
    let (stored, live, managed) = (living.json()?, living.live()?, living.managed()?);
    let resolve = |it: &&Conflict| resolve(&it.path, Some(managed), Some(live.object()), None);
    let paths: Vec<Path> = contested.iter().filter_map(resolve).collect();
    // The last entry of an object is never dropped: that would wipe managedFields.
    let dropped = drop_entry(stored, managed, entry.index, &paths).ok()?;
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
