//! Objects that two releases claim: no error, no status tells it.

use super::Releases;
use super::case::Case;
use super::gather::manifest_objects;
use super::releases::Depth;
use crate::deployer::ReleaseTarget;
use crate::helm::Revision;
use crate::object::ObjectRef;
use crate::source::Reader;

/// Managers of tools that keep releases. A second one on an object is what makes it worth to read the
/// manifests of other releases.
const RELEASE_KEEPERS: [&str; 3] = ["helm", "fleetagent", "helm-controller"];

/// More releases of one namespace are not read for this.
const MOST: usize = 8;

/// The case's living objects that another release of their namespace sets too.
pub async fn find(reader: &Reader, releases: &Releases, case: &Case) -> Vec<(ObjectRef, String)> {
    let Some(own) = &case.delivery.release else { return Vec::new() };
    let held: Vec<&ObjectRef> = case
        .living
        .iter()
        .filter(|living| living.value().is_some_and(|value| has_other_keeper(value, case.delivery.manager)))
        .map(|living| &living.object)
        .collect();
    let mut shared = Vec::new();
    let others = releases
        .keys()
        .filter(|(namespace, name)| (namespace, name) != (&own.namespace, &own.name))
        .filter(|(namespace, _)| held.iter().any(|object| object.namespace == *namespace));
    for (namespace, name) in others.take(MOST) {
        let target =
            ReleaseTarget { namespace: namespace.clone(), name: name.clone(), claimed_revision: None };
        let Some(history) = releases.history(reader, &target, Depth::Live).await else { continue };
        let objects =
            history.deployed().and_then(Revision::release).map(manifest_objects).unwrap_or_default();
        let both = held.iter().filter(|held| objects.iter().any(|object| object.is_same_object(held)));
        shared.extend(both.map(|object| ((*object).clone(), format!("{namespace}/{name}"))));
    }
    shared
}

fn has_other_keeper(object: &serde_json::Value, own: &str) -> bool {
    let managers = object.pointer("/metadata/managedFields").and_then(serde_json::Value::as_array);
    managers.into_iter().flatten().any(|entry| {
        let manager = entry.get("manager").and_then(serde_json::Value::as_str).unwrap_or_default();
        manager != own && RELEASE_KEEPERS.contains(&manager)
    })
}
