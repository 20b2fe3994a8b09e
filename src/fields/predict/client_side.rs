//! Client-side apply: a patch made from the manifest before, the manifest now and the live object.

use std::borrow::Cow;

use serde_json::Value;

use super::super::element::Element;
use super::super::live::Live;
use super::super::managed::{Extent, ManagedFields, Owner};
use super::super::order;
use super::super::path::Path;
use super::super::schema::{At, PLAIN, Schema, SchemaSource, Shape, common_types};
use super::super::set::Set;
use super::super::typed::{field_set, set_by};
use super::defaults::default_of;
use super::model::{Applied, Change, Overwrite, Prediction, Reset, Shared, WhyOverwritten, value_at};
use super::server_side::mean_the_same;
use super::string_data;

pub(super) fn predict(applied: &Applied<'_>, found: &Live) -> Prediction {
    let live = found.object();
    let nobody = ManagedFields::default();
    let managed = found.managed().unwrap_or(&nobody);
    let built_in = Schema::built_in(applied.text("apiVersion"), applied.text("kind"));
    // Kinds that are not built in get a JSON merge patch: their lists are atomic.
    let is_custom = built_in.is_none();
    let schema = built_in.unwrap_or_else(|| Schema::new(common_types(), PLAIN, SchemaSource::ManagedFields));
    let at = schema.root();
    let previous = previous(applied, live);
    let difference = set_by(at, live, applied.desired);
    let touched = difference.modified.union(&difference.added).leaves();
    let mut prediction = Prediction {
        ownership_unknown: found.managed().is_none(),
        overwrites: string_data::overwrites(applied, live, managed),
        ..Prediction::default()
    };
    for path in touched.paths().into_iter().filter(|path| !is_set_by_server(path)) {
        let (wanted, found) = (value_at(applied.desired, &path), value_at(live, &path));
        let before = previous.as_deref().map(|previous| value_at(previous, &path));
        // Of custom resources Helm patches only what differs between the two manifests (3.22, 4.3).
        let is_patched = !is_custom || before.as_ref().is_none_or(|before| !order::same(before, &wanted));
        if !is_patched
            || mean_the_same(&schema, &path, &wanted, &found)
            || string_data::is_unchanged(applied, live, &path)
        {
            continue;
        }
        let owners = others(managed, applied, &path);
        let is_ours = before.as_ref().is_none_or(|before| mean_the_same(&schema, &path, before, &found));
        if owners.is_empty() && is_ours {
            prediction.changes.push(Change { path, wanted, live: found });
        } else {
            let why = if owners.is_empty() { WhyOverwritten::NoOwner } else { WhyOverwritten::ClientSide };
            prediction.overwrites.push(Overwrite { path, wanted, live: found, owners, why });
        }
    }
    let (config, invalid) = field_set(at, applied.desired);
    prediction.invalid = invalid;
    let mut dropped = Vec::new();
    if let Some(before) = previous.as_deref() {
        find_dropped(at, before, applied.desired, &mut Vec::new(), &mut dropped);
    }
    find_nulls(at, applied.desired, &mut Vec::new(), &mut dropped);
    dropped.sort();
    dropped.dedup();
    for path in dropped.into_iter().filter(|path| !is_set_by_server(path)) {
        if let Some(found) = path.get(live) {
            let default = default_of(applied.text("kind"), &path);
            if default.as_ref() == Some(found) {
                continue;
            }
            prediction.resets.push(Reset {
                live: found.clone(),
                default,
                owners: others_within(managed, applied, &path),
                path,
            });
        }
    }
    for path in config.leaves().difference(&touched).paths() {
        let owners = others(managed, applied, &path);
        if !owners.is_empty() {
            prediction.shared.push(Shared { value: value_at(live, &path), owners, path });
        }
    }
    prediction.troubles.clone_from(&managed.troubles);
    prediction
}

/// What the deployer set last: the manifest before, else what `kubectl apply` and Argo CD leave on the object.
/// managedFields do not tell: an Update entry owns the server's defaults too.
fn previous<'a>(applied: &Applied<'a>, live: &Value) -> Option<Cow<'a, Value>> {
    const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
    let annotated = || serde_json::from_str(live.pointer(LAST_APPLIED)?.as_str()?).ok().map(Cow::Owned);
    applied.previous.map(Cow::Borrowed).or_else(annotated)
}

/// What the manifest before sets and this one does not. It goes as a whole, whoever else has put something into it
/// (apimachinery 0.37, `CreateThreeWayMergePatch`; measured with Helm 3.22: a list of finalizers goes with those of
/// others, a map with its defaults).
fn find_dropped(at: At<'_>, before: &Value, now: &Value, path: &mut Vec<Element>, found: &mut Vec<Path>) {
    let mut step = |element: Element, at: At<'_>, before: &Value, now: Option<&Value>| {
        path.push(element);
        match now.filter(|now| !now.is_null()) {
            Some(now) => find_dropped(at, before, now, path, found),
            None => found.push(Path(path.clone())),
        }
        path.pop();
    };
    match at.shape(before, Some(now)) {
        Shape::Map => {
            for (name, value) in
                before.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null())
            {
                step(Element::field(name.as_str()), at.field(name), value, now.get(name));
            }
        }
        Shape::List => {
            let kept: Vec<_> = items(at, now).collect();
            for (element, item) in items(at, before) {
                let same = kept.iter().find(|(other, _)| *other == element);
                step(element, at.item(), item, same.map(|(_, item)| *item));
            }
        }
        Shape::Leaf => {}
    }
}

/// Fields that the manifest says are null: what lives there is taken away (Helm 3.22).
fn find_nulls(at: At<'_>, now: &Value, path: &mut Vec<Element>, found: &mut Vec<Path>) {
    let children: Vec<(Element, At<'_>, &Value)> = match at.shape(now, None) {
        Shape::Leaf => return,
        Shape::Map => {
            let fields = now.as_object().into_iter().flatten();
            fields.map(|(name, value)| (Element::field(name.as_str()), at.field(name), value)).collect()
        }
        Shape::List => items(at, now).map(|(element, item)| (element, at.item(), item)).collect(),
    };
    for (element, at, value) in children {
        path.push(element);
        if value.is_null() {
            found.push(Path(path.clone()));
        } else {
            find_nulls(at, value, path, found);
        }
        path.pop();
    }
}

/// The items of a list that can be told apart.
fn items<'v>(at: At<'v>, list: &'v Value) -> impl Iterator<Item = (Element, &'v Value)> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(move |item| Some((at.element_of(item)?, item)))
}

/// Everybody else who owns the field or something in it.
fn others_within(managed: &ManagedFields, applied: &Applied<'_>, path: &Path) -> Vec<Owner> {
    others_whose(managed, applied, |set| set.touches(path))
}

fn others(managed: &ManagedFields, applied: &Applied<'_>, path: &Path) -> Vec<Owner> {
    others_whose(managed, applied, |set| set.has(path))
}

fn others_whose(managed: &ManagedFields, applied: &Applied<'_>, owns: impl Fn(&Set) -> bool) -> Vec<Owner> {
    let entries = managed.entries.iter().filter(|entry| entry.manager != applied.manager);
    entries.filter(|entry| owns(&entry.set)).map(|entry| entry.owner(Extent::Field)).collect()
}

fn is_set_by_server(path: &Path) -> bool {
    const NAMES: &[&[&str]] = &[&["status"], &["metadata", "creationTimestamp"], &["apiVersion"], &["kind"]];
    NAMES.iter().any(|names| Path::fields(names.iter().copied()).is_prefix_of(path))
}
