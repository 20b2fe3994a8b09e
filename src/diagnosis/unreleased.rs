//! Fields that differ from what is wanted where no release tells what is wanted (Argo CD).

use serde_json::Value;

use crate::evidence::Case;
use crate::fields::{Applied, Live, Method, Path, predict};
use crate::object::ObjectRef;
use crate::report::Conflict;

use super::drift;

/// Client-side apply leaves what it wanted here.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The fields of the objects that the deployer names as changed. After client-side apply an annotation
/// tells what was wanted; after server-side apply only the fields are known that somebody else holds
/// alone, and what was wanted is null.
pub fn fields(case: &Case) -> Vec<Conflict> {
    let mut fields: Vec<Conflict> = Vec::new();
    for living in &case.living {
        let is_named = case.delivery.objects.iter().any(|object| object.is_same_object(&living.object));
        let Some(live) = living.live().filter(|_| is_named) else { continue };
        let found = match last_applied(live.object()) {
            Some(desired) => against_applied(case, &living.object, &desired, live),
            None => held_by_others(case, &living.object, live),
        };
        for it in found {
            if !fields.iter().any(|seen| seen.object == it.object && seen.path == it.path) {
                fields.push(it);
            }
        }
    }
    fields
}

fn last_applied(live: &Value) -> Option<Value> {
    serde_json::from_str(live.pointer("/metadata/annotations")?.get(LAST_APPLIED)?.as_str()?).ok()
}

fn against_applied(case: &Case, object: &ObjectRef, desired: &Value, live: &Live) -> Vec<Conflict> {
    let prediction = predict(&Applied {
        desired,
        live: Some(live),
        previous: None,
        manager: case.delivery.manager,
        method: Method::ServerSide,
        schema: None,
    });
    let mut fields = drift::changed(case, object, &prediction);
    let mut lost = Vec::new();
    never_stored(desired, live.object(), &mut Vec::new(), &mut lost);
    fields.extend(lost.iter().map(|(path, wanted)| {
        let path = Path::fields(path.iter().map(String::as_str));
        drift::field(case, object, &path, &[], wanted, &Value::Null)
    }));
    fields
}

/// What was applied and is not there: unknown fields and nulls. Lists are merged by keys; a typo inside
/// of one is left to `argocd app diff`.
fn never_stored(desired: &Value, live: &Value, path: &mut Vec<String>, lost: &mut Vec<(Vec<String>, Value)>) {
    for (key, wanted) in desired.as_object().into_iter().flatten() {
        path.push(key.clone());
        match live.get(key) {
            Some(found) => never_stored(wanted, found, path, lost),
            None if path.first().is_none_or(|top| top != "metadata") => {
                lost.push((path.clone(), wanted.clone()));
            }
            None => {}
        }
        path.pop();
    }
}

fn held_by_others(case: &Case, object: &ObjectRef, live: &Live) -> Vec<Conflict> {
    let Some(managed) = live.managed() else { return Vec::new() };
    let tops = [Path::fields(["spec"]), Path::fields(["data"])];
    let mut fields = Vec::new();
    for path in managed.sets().flat_map(|set| set.leaves().paths()) {
        let owners = managed.owners_of(&path);
        let is_foreign = owners
            .iter()
            .all(|owner| owner.manager != case.delivery.manager && owner.subresource != "status");
        if is_foreign && !owners.is_empty() && tops.iter().any(|top| top.is_prefix_of(&path)) {
            let value = path.get(live.object()).cloned().unwrap_or(Value::Null);
            fields.push(drift::field(case, object, &path, &owners, &Value::Null, &value));
        }
    }
    fields
}
