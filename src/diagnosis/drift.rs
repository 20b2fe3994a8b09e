//! Fields of a release that somebody changed: its manifest held against the living objects.

use serde_json::Value;

use crate::deployer::Standing;
use crate::evidence::{Case, Living, manifest_of};
use crate::failure::Class;
use crate::fields::{Applied, Live, Manager, Method, Owner, Path, Prediction, as_helm_applies, predict};
use crate::helm::{Manifest, Release};
use crate::object::ObjectRef;
use crate::parallel;
use crate::report::{Confidence, Conflict, Finding, Owned};

use super::conflict::masked;
use super::{finding, since, unreleased, way_out};

/// Classes beside which the changed fields are shown.
const SHOWN_WITH: [&str; 5] = ["drift", "drift.endless", "ownership.shared", "suspended", "sync.window"];

/// The finding of a case whose only trouble is that somebody changed an object.
pub fn finding(case: &Case) -> Option<Finding> {
    if !case.delivery.hints.compare_live || case.delivery.standing == Standing::Stuck {
        return None;
    }
    let fields = fields(case);
    if fields.is_empty() {
        return None;
    }
    let mut finding = finding::base(case, Class("drift"), summary(&fields));
    finding.release = case.history.as_ref().and_then(|it| it.newest()).map(|it| finding::release(case, it));
    add(case, &mut finding);
    Some(finding)
}

/// Adds the fields that differ to a finding about drift or a pause.
pub fn add(case: &Case, finding: &mut Finding) {
    if !SHOWN_WITH.contains(&finding.class.as_str()) || !finding.conflicts.is_empty() {
        return;
    }
    let fields = fields(case);
    if fields.is_empty() {
        return;
    }
    if finding.class == "drift" {
        finding.summary = summary(&fields);
        finding.confidence = Confidence::Certain;
    } else if finding.class != "drift.endless" && !finding.also.contains(&"drift".to_owned()) {
        finding.also.push("drift".into());
    }
    // Without a release what is wanted is known in part only: the deployer's own ways out have to do.
    if deployed(case).is_some() {
        finding.ways_out.splice(0..0, way_out::of_conflicts(case, &fields));
    }
    finding.conflicts = fields;
}

fn summary(fields: &[Conflict]) -> String {
    match fields {
        // Under server-side apply without a release nobody tells the wanted value.
        [one] if one.wanted.is_null() => format!("{} of {} is {}", one.path, one.object, one.live),
        [one] => format!("{} of {} is {}, not {}", one.path, one.object, one.live, one.wanted),
        [first, ..] => format!(
            "{} fields differ from what was deployed, the first is {} of {}",
            fields.len(),
            first.path,
            first.object
        ),
        [] => String::new(),
    }
}

/// Every field that the deployed revision sets and that lives with another value.
pub fn fields(case: &Case) -> Vec<Conflict> {
    let Some(release) = deployed(case) else { return unreleased::fields(case) };
    let manager = case.delivery.manager;
    let predictions = each_object(case, release, |_, desired, live| {
        let method = Method::ServerSide;
        predict(&Applied { desired, live: Some(live), previous: None, manager, method, schema: None })
    });
    predictions.iter().flat_map(|(object, prediction)| changed(case, object, prediction)).collect()
}

/// The revision whose manifest should live.
pub fn deployed(case: &Case) -> Option<&Release> {
    manifest_of(&case.delivery, case.history.as_ref()?)
}

/// What `look` makes of every object of a release that lives, given as the deployer applies it and as it is. All cores
/// look; what a release of thousands of objects needs is mostly the reading of their managedFields.
pub fn each_object<'c, R: Send>(
    case: &'c Case,
    release: &Release,
    look: impl Fn(&ObjectRef, &Value, &Live) -> R + Sync,
) -> Vec<(&'c ObjectRef, R)> {
    let manifest = Manifest::of(release);
    let found: Vec<&Living> = case.living.iter().filter(|it| it.json().is_some()).collect();
    let texts: Vec<_> = found.iter().filter_map(|it| Some((&it.object, it.json()?))).collect();
    let looked = parallel::map(&texts, |(object, json)| {
        let Some(desired) = as_applied(&manifest, release, object) else { return Ok(None) };
        Live::parse(json).map(|live| Some(look(object, &desired, &live)))
    });
    let told = found.into_iter().zip(looked).filter_map(|(living, looked)| match looked {
        Ok(result) => Some((&living.object, result?)),
        Err(error) => {
            living.is_damaged(error.to_string());
            None
        }
    });
    told.collect()
}

/// An object of a release as the deployer sends it.
pub fn as_applied(manifest: &Manifest<'_>, release: &Release, object: &ObjectRef) -> Option<Value> {
    let is_namespaced = !object.namespace.is_empty();
    Some(as_helm_applies(&manifest.find(object)?, &release.name, &release.namespace, is_namespaced))
}

pub fn changed(case: &Case, object: &ObjectRef, prediction: &Prediction) -> Vec<Conflict> {
    let conflicts = prediction
        .conflicts
        .iter()
        .filter(|it| !it.same_meaning)
        .map(|it| field(case, object, &it.path, std::slice::from_ref(&it.owner), &it.wanted, &it.live));
    let overwrites = prediction
        .overwrites
        .iter()
        .map(|it| field(case, object, &it.path, &it.owners, &it.wanted, &it.live));
    conflicts.chain(overwrites).collect()
}

/// A field in the report's terms, held by the first of its owners.
pub fn field(
    case: &Case,
    object: &ObjectRef,
    path: &Path,
    owners: &[Owner],
    wanted: &Value,
    live: &Value,
) -> Conflict {
    let holder = owners.first();
    let (name, subresource) = holder.map_or(("", ""), |it| (it.manager.as_str(), it.subresource.as_str()));
    let taken = since::of_owner(case, object, holder);
    Conflict {
        object: object.clone(),
        path: path.to_string(),
        manager: name.to_owned(),
        operation: holder.map(|it| format!("{:?}", it.operation)).unwrap_or_default(),
        subresource: subresource.to_owned(),
        who: Manager::seen_by(case.delivery.manager, name, subresource).who.to_owned(),
        since: taken.at,
        since_from: Some(taken.from),
        wanted: masked(object, &path.to_string(), wanted.clone()),
        live: masked(object, &path.to_string(), live.clone()),
        owners: owners.iter().map(owned).collect(),
    }
}

/// An owner in the report's terms.
pub fn owned(owner: &Owner) -> Owned {
    Owned {
        manager: owner.manager.clone(),
        operation: format!("{:?}", owner.operation),
        subresource: owner.subresource.clone(),
        since: owner.since,
    }
}
