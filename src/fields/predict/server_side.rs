//! Server-side apply: structured-merge-diff's decision, field by field.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Operation;

use super::super::element::Element;
use super::super::live::Live;
use super::super::managed::{Entry, Extent, ManagedFields, Owner};
use super::super::path::Path;
use super::super::schema::{At, Schema};
use super::super::set::Set;
use super::super::typed::{
    Comparison, compare, field_set, merge, reconcile, remove, set_by, with_named_fields,
};
use super::super::{order, quantity::Quantity};
use super::defaults::default_of;
use super::model::{
    Applied, Change, Conflict, Method, Overwrite, Prediction, Released, Reset, Shared, WhyOverwritten,
    value_at,
};
use super::string_data;

/// Never part of any set (apimachinery 0.37, `stripmeta.go`), with what the status endpoint alone may write.
/// `metadata` itself is no member either; taking it away with its children would take labels too.
static NOT_OWNED: LazyLock<Set> = LazyLock::new(|| {
    let of_metadata = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let of_metadata = of_metadata.map(|name| Path::fields(["metadata", name]));
    let whole = ["apiVersion", "kind", "status"].map(|name| Path::fields([name]));
    Set::of(whole.iter().chain(&of_metadata))
});

pub(super) fn predict(applied: &Applied<'_>, found: &Live) -> Prediction {
    let live = found.object();
    let recorded = found.managed().filter(|managed| !managed.entries.is_empty());
    let schema = applied.schema_for(found.managed());
    let at = schema.root();
    let managed = match recorded {
        Some(managed) => Cow::Borrowed(managed),
        None => Cow::Owned(before_first_apply(applied, at, found)),
    };
    let (config, invalid) = field_set(at, applied.desired);
    let config = config.difference_with_children(&NOT_OWNED);
    let parties = Parties::of(&managed, applied, &schema);
    let mut difference = set_by(at, live, applied.desired);
    let pruned = prune(at, live, applied.desired, &parties, &config);
    if let Some(pruned) = &pruned {
        difference.removed = compare(at, live, pruned).removed;
    }
    for set in [&mut difference.added, &mut difference.modified, &mut difference.removed] {
        *set = set.difference_with_children(&NOT_OWNED);
    }
    let world = World { applied, live, schema: &schema, parties: &parties, config: &config };
    let touched = difference.modified.union(&difference.added);
    let (conflicts, forced) = world.conflicts(&touched);
    let mut overwrites = forced;
    overwrites.extend(world.without_owner(&difference));
    overwrites.extend(string_data::overwrites(applied, live, &managed));
    Prediction {
        creates: false,
        ownership_unknown: recorded.is_none(),
        shared: world.shared(&touched),
        changes: world.changes(&touched),
        resets: world.resets(&difference.removed),
        released: world.released(pruned.as_ref().unwrap_or(live)),
        conflicts,
        overwrites,
        invalid,
        troubles: managed.troubles.clone(),
    }
}

/// The managers of the object, from the applier's point of view.
struct Parties<'a> {
    /// What the applier applied last. Its own older Update entry counts as applied: Helm 4 turns it into
    /// Apply first (client-go's csaupgrade).
    last: Set,
    /// The part of it that an Apply entry owns.
    applied: Set,
    /// Everybody else in the server's order, each with its set under today's schema.
    others: Vec<(&'a Entry, Cow<'a, Set>)>,
}

impl<'a> Parties<'a> {
    fn of(managed: &'a ManagedFields, applied: &Applied<'_>, schema: &Schema) -> Self {
        let (mut last, mut own_applied) = (Set::default(), Set::default());
        let mut others = Vec::new();
        for entry in &managed.entries {
            if !schema.serves(&entry.api_version, applied.text("kind")) {
                continue;
            }
            let set = reconcile(schema.root(), &entry.set);
            if entry.manager == applied.manager && entry.subresource.is_empty() {
                last = last.union(&set);
                if entry.operation == Operation::Apply {
                    own_applied = own_applied.union(&set);
                }
            } else {
                others.push((entry, set));
            }
        }
        others.sort_by_cached_key(|(entry, _)| entry.identity());
        Self { last, applied: own_applied, others }
    }

    fn owners_of(&self, path: &Path) -> Vec<Owner> {
        let owning = self.others.iter().filter(|(_, set)| set.has(path));
        owning.map(|(entry, _)| entry.owner(Extent::Field)).collect()
    }
}

/// The merged object without what the applier applied last, does not apply now and nobody else owns; `None`
/// where nothing has to go.
fn prune(at: At<'_>, live: &Value, desired: &Value, parties: &Parties<'_>, config: &Set) -> Option<Value> {
    if parties.last.is_empty() {
        return None;
    }
    // An Apply entry owns every item that it owns fields of, so a subset of what is owned keeps all.
    let is_applied = parties.last.is_subset_of(&parties.applied);
    let others = || parties.others.iter().map(|(_, set)| &**set);
    if is_applied
        && others().fold(parties.last.difference(config), |left, set| left.difference(set)).is_empty()
    {
        return None;
    }
    let owned = others().fold(config.clone(), |all, set| all.union(set));
    let merged = merge(at, Some(live), Some(desired)).unwrap_or(Value::Null);
    let named = |set: &Set| with_named_fields(at, set);
    let fields_of = |value: &Value| named(&field_set(at, value).0);
    let everything = fields_of(&merged);
    let last = named(&parties.last);
    let pruned = remove(at, &merged, &last);
    let kept = fields_of(&pruned).union(&named(&owned));
    let pruned = remove(at, &merged, &everything.difference(&kept));
    let gone = everything.difference(&fields_of(&pruned)).intersection(&last);
    Some(remove(at, &merged, &gone))
}

struct World<'a> {
    applied: &'a Applied<'a>,
    live: &'a Value,
    schema: &'a Schema,
    parties: &'a Parties<'a>,
    config: &'a Set,
}

impl World<'_> {
    fn wanted(&self, path: &Path) -> Value {
        value_at(self.applied.desired, path)
    }

    fn live(&self, path: &Path) -> Value {
        value_at(self.live, path)
    }

    fn conflicts(&self, touched: &Set) -> (Vec<Conflict>, Vec<Overwrite>) {
        let mut conflicts = Vec::new();
        for (entry, set) in &self.parties.others {
            conflicts.extend(set.intersection(touched).paths().into_iter().map(|path| {
                let (wanted, live) = (self.wanted(&path), self.live(&path));
                let same_meaning = mean_the_same(self.schema, &path, &wanted, &live);
                Conflict { owner: entry.owner(Extent::Field), wanted, live, same_meaning, path }
            }));
        }
        if self.applied.method != Method::Forced {
            return (conflicts, Vec::new());
        }
        let mut overwrites: Vec<Overwrite> = Vec::new();
        for conflict in conflicts {
            match overwrites.iter_mut().find(|overwrite| overwrite.path == conflict.path) {
                Some(overwrite) => overwrite.owners.push(conflict.owner),
                None => overwrites.push(Overwrite {
                    path: conflict.path,
                    wanted: conflict.wanted,
                    live: conflict.live,
                    owners: vec![conflict.owner],
                    why: WhyOverwritten::Forced,
                }),
            }
        }
        (Vec::new(), overwrites)
    }

    /// Values that somebody changed without leaving an entry: an HPA's write to a field that nobody owned.
    fn without_owner(&self, difference: &Comparison) -> Vec<Overwrite> {
        let Some(previous) = self.applied.previous else { return Vec::new() };
        let modified = difference.modified.paths().into_iter();
        modified
            .filter(|path| self.parties.owners_of(path).is_empty())
            .filter_map(|path| {
                let (wanted, live, before) = (self.wanted(&path), self.live(&path), path.get(previous)?);
                let is_ours = order::same(before, &live) || mean_the_same(self.schema, &path, before, &live);
                (!is_ours && !mean_the_same(self.schema, &path, &wanted, &live)).then(|| Overwrite {
                    owners: Vec::new(),
                    why: WhyOverwritten::NoOwner,
                    wanted,
                    live,
                    path,
                })
            })
            .collect()
    }

    fn shared(&self, touched: &Set) -> Vec<Shared> {
        let equal = self.config.leaves().difference(touched);
        let leaves = equal.paths().into_iter().filter(|path| !is_key_field(path));
        leaves
            .filter_map(|path| {
                let owners = self.parties.owners_of(&path);
                (!owners.is_empty()).then(|| Shared { value: self.live(&path), owners, path })
            })
            .collect()
    }

    fn changes(&self, touched: &Set) -> Vec<Change> {
        let leaves = touched.leaves().paths().into_iter();
        leaves
            .filter(|path| self.parties.owners_of(path).is_empty())
            .map(|path| Change { wanted: self.wanted(&path), live: self.live(&path), path })
            .filter(|change| !mean_the_same(self.schema, &change.path, &change.wanted, &change.live))
            .filter(|change| !string_data::is_unchanged(self.applied, self.live, &change.path))
            .collect()
    }

    fn resets(&self, removed: &Set) -> Vec<Reset> {
        topmost(removed)
            .into_iter()
            .filter(|path| self.parties.applied.touches(path) || self.was_set(path))
            .map(|path| Reset {
                live: self.live(&path),
                default: default_of(self.applied.text("kind"), &path),
                owners: Vec::new(),
                path,
            })
            .filter(|reset| reset.default.as_ref() != Some(&reset.live))
            .collect()
    }

    /// An Update entry owns the server's defaults too: what only such an entry owns was set where the manifest
    /// before says so.
    fn was_set(&self, path: &Path) -> bool {
        self.applied.previous.is_some_and(|previous| path.get(previous).is_some())
    }

    fn released(&self, merged: &Value) -> Vec<Released> {
        let dropped = self.parties.last.leaves().difference(self.config);
        let dropped = dropped.paths().into_iter().filter(|path| !self.config.touches(path));
        dropped
            .filter(|path| path.get(merged).is_some())
            .map(|path| Released { live: self.live(&path), owners: self.parties.owners_of(&path), path })
            .filter(|released| !released.owners.is_empty())
            .collect()
    }
}

/// Whether two different texts are one value to the server once it has stored them.
pub(super) fn mean_the_same(schema: &Schema, path: &Path, a: &Value, b: &Value) -> bool {
    order::same(a, b)
        || (schema.is_quantity(&path.0) && Quantity::of(a).is_some() && Quantity::of(a) == Quantity::of(b))
}

/// Members without a member above them: what goes as a whole.
pub(super) fn topmost(set: &Set) -> Vec<Path> {
    let mut paths = set.paths();
    paths.sort();
    let mut top: Vec<Path> = Vec::new();
    for path in paths {
        if !top.last().is_some_and(|above| above.is_prefix_of(&path)) {
            top.push(path);
        }
    }
    top
}

/// The key of a list's item cannot change without becoming another item.
fn is_key_field(path: &Path) -> bool {
    let [.., Element::Key(keys), Element::Field(name)] = path.0.as_slice() else { return false };
    keys.iter().any(|(key, _)| key == name)
}

/// The owner that the server makes up for an object without managedFields.
fn before_first_apply(applied: &Applied<'_>, at: At<'_>, live: &Live) -> ManagedFields {
    let entry = Entry {
        index: 0,
        manager: "before-first-apply".to_owned(),
        operation: Operation::Update,
        subresource: String::new(),
        api_version: applied.text("apiVersion").to_owned(),
        time: None,
        set: compare(at, &Value::Null, live.object()).added.difference_with_children(&NOT_OWNED),
    };
    let troubles = live.managed().map(|managed| managed.troubles.clone()).unwrap_or_default();
    ManagedFields { entries: vec![entry], troubles }
}
