//! What goes into a prediction, and what comes out.

use serde::Serialize;
use serde_json::Value;

use super::super::live::Live;
use super::super::managed::{ManagedFields, ManagedTrouble, Owner};
use super::super::path::Path;
use super::super::schema::Schema;
use super::super::typed::Invalid;

/// One object as a deployer applies it, and what it meets.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'a> {
    /// The object as it is sent: with the labels and annotations that the deployer adds.
    pub desired: &'a Value,
    /// The object as it is; `None` where it does not exist.
    pub live: Option<&'a Live>,
    /// What the deployer applied last, where that is known: the deployed revision's manifest.
    pub previous: Option<&'a Value>,
    /// The deployer's field manager.
    pub manager: &'a str,
    /// How it applies.
    pub method: Method,
    /// The schema of a custom resource, from its definition. Built-in kinds need none; without one the
    /// shape of managedFields has to do.
    pub schema: Option<&'a Schema>,
}

/// How a deployer applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Server-side apply that stops at conflicts: Helm 4, Fleet since 0.15.
    #[serde(rename = "ssa")]
    ServerSide,
    /// Server-side apply that takes what it meets: Argo CD, Flux, `--force-conflicts`.
    Forced,
    /// A patch made from the manifest before, the manifest now and the live object: Helm 3, Argo CD's
    /// default.
    #[serde(rename = "csa")]
    ClientSide,
}

/// What applying would do to one object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prediction {
    /// The object does not exist yet: nothing else can be said.
    pub creates: bool,
    /// The live object has no managedFields: they were not asked for, or somebody wiped them. Conflicts are
    /// then those of a wiped object (manager `before-first-apply`).
    pub ownership_unknown: bool,
    /// What the server would refuse, in its order: by manager, then by path. The object stays untouched
    /// while there is one.
    pub conflicts: Vec<Conflict>,
    /// Values that somebody else set and that are undone without an error.
    pub overwrites: Vec<Overwrite>,
    /// Fields that the deployer no longer sets and that go, or fall back to a default.
    pub resets: Vec<Reset>,
    /// Fields that the deployer no longer sets and that stay, because others own them.
    pub released: Vec<Released>,
    /// Fields that others own too, equal today: the next change of the value is a conflict.
    pub shared: Vec<Shared>,
    /// Values that change with nobody in the way.
    pub changes: Vec<Change>,
    /// Reasons for which the server would not even look at conflicts.
    #[serde(serialize_with = "printed")]
    pub invalid: Vec<Invalid>,
    /// What could not be read of managedFields.
    #[serde(serialize_with = "printed")]
    pub troubles: Vec<ManagedTrouble>,
}

fn printed<T: ToString, S: serde::Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(items.iter().map(ToString::to_string))
}

/// A field that somebody else owns with another value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The field.
    pub path: Path,
    /// Who owns it.
    #[serde(flatten)]
    pub owner: Owner,
    /// What the deployer sets.
    pub wanted: Value,
    /// What the object holds; null where it holds nothing.
    pub live: Value,
    /// Both mean the same (`500m`, `0.5`); the server compares texts and refuses all the same.
    pub same_meaning: bool,
}

/// A value that is undone without an error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overwrite {
    /// The field.
    pub path: Path,
    /// What the deployer sets.
    pub wanted: Value,
    /// What the object holds and loses.
    pub live: Value,
    /// Other owners; none where the writer left no entry.
    pub owners: Vec<Owner>,
    /// Why the server does not object.
    pub why: WhyOverwritten,
}

/// Why an overwrite meets no conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum WhyOverwritten {
    /// The deployer forces.
    Forced,
    /// Client-side apply knows no owners.
    ClientSide,
    /// The live value is not the one applied last, and managedFields name nobody who changed it.
    NoOwner,
    /// A Secret's `stringData` is written over `data` behind the back of its owners.
    StringData,
}

/// A field that the deployer stops setting and that goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reset {
    /// The field, or the item of a list as a whole.
    pub path: Path,
    /// What the object holds and loses.
    pub live: Value,
    /// The default that the server fills in, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Other owners, who do not keep it: only with client-side apply.
    pub owners: Vec<Owner>,
}

/// A field that the deployer stops setting and that stays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Released {
    /// The field.
    pub path: Path,
    /// Its value.
    pub live: Value,
    /// Who keeps it.
    pub owners: Vec<Owner>,
}

/// A field that others own too, with the value that the deployer sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shared {
    /// The field.
    pub path: Path,
    /// Its value.
    pub value: Value,
    /// The others.
    pub owners: Vec<Owner>,
}

/// A value that changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The field.
    pub path: Path,
    /// What the deployer sets.
    pub wanted: Value,
    /// What the object holds; null where it holds nothing.
    pub live: Value,
}

impl Applied<'_> {
    pub(super) fn text(&self, key: &str) -> &str {
        self.desired.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn schema_for(&self, managed: Option<&ManagedFields>) -> Schema {
        self.schema
            .cloned()
            .or_else(|| Schema::built_in(self.text("apiVersion"), self.text("kind")))
            .unwrap_or_else(|| Schema::from_managed_fields(managed.into_iter().flat_map(ManagedFields::sets)))
    }
}

/// The value at `path`, null where there is none.
pub(super) fn value_at(object: &Value, path: &Path) -> Value {
    path.get(object).cloned().unwrap_or(Value::Null)
}
