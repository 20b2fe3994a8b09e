//! Client-side apply: a patch made from the manifest before, the manifest now and the live object.

use std::borrow::Cow;

use serde_json::Value;

use super::super::managed::{Extent, ManagedFields, Owner};
use super::super::order;
use super::super::path::Path;
use super::super::schema::{PLAIN, Schema, SchemaSource, common_types};
use super::super::typed::{field_set, set_by};
use super::defaults::default_of;
use super::model::{Applied, Change, Overwrite, Prediction, Reset, Shared, WhyOverwritten, value_at};
use super::server_side::{mean_the_same, topmost, without_managed_fields};
use super::string_data;

pub(super) fn predict(applied: &Applied<'_>, live: &Value) -> Prediction {
    let recorded = ManagedFields::of(live);
    let ownership_unknown = recorded.is_none();
    let managed = recorded.unwrap_or_default();
    let built_in = Schema::built_in(applied.text("apiVersion"), applied.text("kind"));
    // Kinds that are not built in get a JSON merge patch: their lists are atomic.
    let is_custom = built_in.is_none();
    let schema = built_in.unwrap_or_else(|| Schema::new(common_types(), PLAIN, SchemaSource::ManagedFields));
    let live = &without_managed_fields(live);
    let at = schema.root();
    let previous = previous(applied, live);
    let difference = set_by(at, live, applied.desired);
    let touched = difference.modified.union(&difference.added).leaves();
    let mut prediction = Prediction {
        ownership_unknown,
        overwrites: string_data::overwrites(applied, live, &managed),
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
        let owners = others(&managed, applied, &path);
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
    let last = previous.as_deref().map(|previous| field_set(at, previous).0).unwrap_or_default();
    for path in topmost(&last.difference(&config)) {
        if config.touches(&path) || is_set_by_server(&path) {
            continue;
        }
        if let Some(found) = path.get(live) {
            let default = default_of(applied.text("kind"), &path);
            if default.as_ref() == Some(found) {
                continue;
            }
            prediction.resets.push(Reset {
                live: found.clone(),
                default,
                owners: others(&managed, applied, &path),
                path,
            });
        }
    }
    for path in config.leaves().difference(&touched).paths() {
        let owners = others(&managed, applied, &path);
        if !owners.is_empty() {
            prediction.shared.push(Shared { value: value_at(live, &path), owners, path });
        }
    }
    prediction.troubles = managed.troubles;
    prediction
}

/// What the deployer set last: the manifest before, else what `kubectl apply` and Argo CD leave on the object.
/// managedFields do not tell: an Update entry owns the server's defaults too.
fn previous<'a>(applied: &Applied<'a>, live: &Value) -> Option<Cow<'a, Value>> {
    const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
    let annotated = || serde_json::from_str(live.pointer(LAST_APPLIED)?.as_str()?).ok().map(Cow::Owned);
    applied.previous.map(Cow::Borrowed).or_else(annotated)
}

fn others(managed: &ManagedFields, applied: &Applied<'_>, path: &Path) -> Vec<Owner> {
    let entries = managed.entries.iter().filter(|entry| entry.manager != applied.manager);
    entries.filter(|entry| entry.set.has(path)).map(|entry| entry.owner(Extent::Field)).collect()
}

fn is_set_by_server(path: &Path) -> bool {
    const NAMES: &[&[&str]] = &[&["status"], &["metadata", "creationTimestamp"], &["apiVersion"], &["kind"]];
    NAMES.iter().any(|names| Path::fields(names.iter().copied()).is_prefix_of(path))
}
