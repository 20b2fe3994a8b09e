//! One conflict of a text with the values and owners of the living object.

use serde_json::Value;

use crate::evidence::{Case, manifest_objects};
use crate::failure::{self, Failure, NamedObject};
use crate::fields::{ManagedFields, Manager, Path};
use crate::helm::{Manifest, Release};
use crate::object::ObjectRef;
use crate::redact;
use crate::report::{Conflict, Owned};

use super::since;

/// The conflicts that a failure names, each with what the revision wants and what lives.
pub fn conflicts(case: &Case, failure: &Failure, release: Option<&Release>) -> Vec<Conflict> {
    failure.conflicts.iter().filter_map(|told| one(case, failure, told, release)).collect()
}

fn one(
    case: &Case,
    failure: &Failure,
    told: &failure::Conflict,
    release: Option<&Release>,
) -> Option<Conflict> {
    let named = told.object_index.and_then(|at| failure.objects.get(at));
    let object = reference(case, named, told, release)?;
    let live_object = case.living(&object);
    let managed = case.managed(&object);
    let desired = release.and_then(|it| Manifest::of(it).find(&object));
    let path = resolve(&told.field, managed, live_object, desired.as_ref());
    let value = |object: Option<&Value>| {
        path.as_ref().zip(object).and_then(|(path, object)| path.get(object)).cloned().unwrap_or(Value::Null)
    };
    let value = |from: Option<&Value>| masked(&object, &told.field, value(from));
    let owners = path.as_ref().zip(managed).map(|(path, it)| it.owners_of(path)).unwrap_or_default();
    let manager = Manager::seen_by(case.delivery.manager, &told.manager, &told.subresource);
    let taken = since::of(case, &object, told, &owners);
    Some(Conflict {
        path: told.field.clone(),
        manager: told.manager.clone(),
        operation: format!("{:?}", told.operation),
        subresource: told.subresource.clone(),
        who: manager.who.to_owned(),
        since: taken.at,
        since_from: Some(taken.from),
        wanted: value(desired.as_ref()),
        live: value(live_object),
        owners: owners
            .iter()
            .map(|it| Owned {
                manager: it.manager.clone(),
                operation: format!("{:?}", it.operation),
                subresource: it.subresource.clone(),
                since: it.since,
            })
            .collect(),
        object,
    })
}

/// The path's elements: field names are not escaped, so only the object tells where they end.
pub fn resolve(
    text: &str,
    managed: Option<&ManagedFields>,
    live: Option<&Value>,
    desired: Option<&Value>,
) -> Option<Path> {
    let sets: Vec<_> = managed.iter().flat_map(|it| it.sets()).collect();
    Path::resolve(text, sets.iter().copied(), live.or(desired)).ok()
}

/// The object as the text names it; where the text names none (Helm before 4.2), the only object of the
/// release on which that manager owns that field.
fn reference(
    case: &Case,
    named: Option<&NamedObject>,
    told: &failure::Conflict,
    release: Option<&Release>,
) -> Option<ObjectRef> {
    if let Some(named) = named {
        return Some(ObjectRef::new(
            named.api_version.clone().unwrap_or_default(),
            named.kind.clone().unwrap_or_default(),
            named.namespace.clone().unwrap_or_default(),
            named.name.clone()?,
        ));
    }
    let candidates: Vec<ObjectRef> = manifest_objects(release?)
        .into_iter()
        .filter(|object| {
            let Some(managed) = case.managed(object) else { return false };
            managed.entries.iter().any(|it| it.manager == told.manager && it.subresource == told.subresource)
        })
        .collect();
    match candidates.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// The contract's word for a value that must not leave: everything a Secret holds, and what stands under a
/// name that usually holds a secret (`env[name="DB_PASSWORD"].value`).
pub fn masked(object: &ObjectRef, path: &str, value: Value) -> Value {
    let is_secret = object.kind == "Secret" || redact::is_secret_name(path);
    if is_secret && value.is_string() { redact::hidden() } else { redact::redacted_json(value) }
}
