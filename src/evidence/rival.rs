//! Other releases that set the same objects.

use serde::Deserialize;

use super::Case;
use super::gather::{manifest_objects, manifest_of};
use super::releases::{Depth, Releases};
use crate::deployer::{Delivery, ReleaseTarget};
use crate::fields::{Manager, ManagerKind};
use crate::object::ObjectRef;
use crate::source::Reader;

/// Payloads that are read at the most in search of rivals.
const MOST: usize = 20;

/// Another release whose manifest holds objects of this one.
pub struct Rival {
    /// The release.
    pub release: ReleaseTarget,
    /// The objects that both set.
    pub objects: Vec<ObjectRef>,
}

/// Looks for rivals in the release's own namespace, only where a living object shows that another
/// deployment tool wrote it.
pub async fn look(reader: &Reader, releases: &Releases, case: &Case) -> Vec<Rival> {
    let Some(own) = case.delivery.release.as_ref().filter(|_| has_foreign_writer(case)) else {
        return Vec::new();
    };
    let others = releases.keys().filter(|(namespace, name)| *namespace == own.namespace && *name != own.name);
    let mut rivals = Vec::new();
    for (namespace, name) in others.take(MOST) {
        let release =
            ReleaseTarget { namespace: namespace.clone(), name: name.clone(), claimed_revision: None };
        let Some(history) = releases.history(reader, &release, Depth::Live).await else { continue };
        let Some(theirs) = manifest_of(&Delivery::default(), &history) else { continue };
        let theirs = manifest_objects(theirs);
        let shared = case.living.iter().map(|it| &it.object);
        let objects: Vec<ObjectRef> =
            shared.filter(|object| theirs.iter().any(|it| it.is_same_object(object))).cloned().collect();
        if !objects.is_empty() {
            rivals.push(Rival { release, objects });
        }
    }
    rivals
}

/// Names alone tell; the sets of fields are not read for it.
fn has_foreign_writer(case: &Case) -> bool {
    let written = case.living.iter().filter_map(|it| serde_json::from_str::<Written>(it.json()?).ok());
    written.flat_map(|it| it.metadata.managed_fields).any(|writer| {
        let manager = Manager::seen_by(case.delivery.manager, &writer.manager, &writer.subresource);
        manager.kind == ManagerKind::Deployer
    })
}

#[derive(Deserialize)]
struct Written {
    metadata: WrittenBy,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct WrittenBy {
    managed_fields: Vec<Writer>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Writer {
    manager: String,
    subresource: String,
}
