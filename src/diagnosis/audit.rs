//! What will block the next deploy, before it does.
//!
//! Every release in scope is applied once more in thought: what would be refused, overwritten, reset, and
//! what is shared today and conflicts at the next change of its value.

use serde_json::Value;

use crate::deployer::Standing;
use crate::evidence::{Case, Evidence};
use crate::failure::Class;
use crate::fields::{Applied, Manager, ManagerKind, Method, Owner, Prediction, predict};
use crate::helm::{Manifest, Release};
use crate::object::ObjectRef;
use crate::report::{Confidence, Conflict, Finding, Gap, Report};

use super::{drift, finding, lost, way_out};

/// The landmine classes, the one that bites first first.
const CLASSES: [Class; 4] = [
    Class("landmine.conflict"),
    Class("landmine.overwrite"),
    Class("landmine.reset"),
    Class("landmine.coowner"),
];

/// What waits in one case.
pub struct Audited {
    findings: Vec<Finding>,
    gaps: Vec<Gap>,
}

/// The report that the landmines of all cases give. What could not be read of a case counts even where nothing was
/// found in the rest: a landmine may lie there.
pub fn audit(evidence: Evidence<Audited>) -> Report {
    let mut gaps = Vec::new();
    let evidence = evidence.map(|audited| {
        gaps.extend(audited.gaps);
        audited.findings
    });
    let mut report = super::diagnose::joined(evidence);
    for gap in gaps {
        if !report.gaps.contains(&gap) {
            report.gaps.push(gap);
        }
    }
    // What hides drift comes after the drift itself.
    report
        .findings
        .sort_by_key(|it| CLASSES.iter().position(|class| class.0 == it.class).unwrap_or(CLASSES.len()));
    report
}

/// The landmines of one case, one finding per class, and what its deployer hides.
pub fn landmines(case: &Case) -> Audited {
    let mut mines: Vec<(Class, Vec<Conflict>)> = CLASSES.iter().map(|class| (*class, Vec::new())).collect();
    if let Some(release) = drift::deployed(case) {
        let landed = landed(case).filter(|it| it.version != release.version);
        let landed = landed.map(|it| (it, Manifest::of(it)));
        let method = method(case, case.history.as_ref().and_then(|it| it.apply_method()));
        let manager = case.delivery.manager;
        let predictions = drift::each_object(case, release, |object, desired, live| {
            let previous = landed.as_ref().map(|(it, manifest)| drift::as_applied(manifest, it, object));
            predict(&Applied {
                desired,
                live: Some(live),
                // Of what landed last only people's changes differ; a revision that failed is still to come.
                previous: previous.as_ref().map_or(Some(desired), Option::as_ref),
                manager,
                method,
                schema: None,
            })
        });
        for (object, prediction) in &predictions {
            for (class, found) in classified(case, object, method, prediction) {
                if let Some((_, fields)) = mines.iter_mut().find(|(it, _)| *it == class) {
                    fields.push(found);
                }
            }
        }
    }
    let mut findings: Vec<Finding> = mines
        .into_iter()
        .filter(|(_, fields)| !fields.is_empty())
        .map(|(class, fields)| landmine(case, class, fields))
        .collect();
    findings.extend(hidden(case));
    Audited { findings, gaps: case.gaps.iter().cloned().chain(lost::unreadable(case)).collect() }
}

/// The revision whose objects live, as far as nobody changed them.
fn landed(case: &Case) -> Option<&Release> {
    let history = case.history.as_ref()?;
    history.deployed().or_else(|| history.last_good())?.release()
}

/// How this deployer applies what its release stores as applied by `apply_method`.
pub fn method(case: &Case, apply_method: Option<&str>) -> Method {
    match (case.delivery.deployer, apply_method) {
        ("flux" | "argo", _) => Method::Forced,
        (_, Some("ssa")) => Method::ServerSide,
        _ => Method::ClientSide,
    }
}

fn classified(
    case: &Case,
    object: &ObjectRef,
    method: Method,
    prediction: &Prediction,
) -> Vec<(Class, Conflict)> {
    let [conflict, overwrite, reset, co_owner] = CLASSES;
    let field = |path, owners: &[Owner], wanted: &Value, live: &Value| {
        drift::field(case, object, path, owners, wanted, live)
    };
    let conflicts = prediction
        .conflicts
        .iter()
        .map(|it| (conflict, field(&it.path, std::slice::from_ref(&it.owner), &it.wanted, &it.live)));
    let overwrites =
        prediction.overwrites.iter().map(|it| (overwrite, field(&it.path, &it.owners, &it.wanted, &it.live)));
    let resets = prediction.resets.iter().map(|it| {
        let default = it.default.clone().unwrap_or(Value::Null);
        (reset, field(&it.path, &it.owners, &default, &it.live))
    });
    // Who forces or applies client-side is never refused.
    let is_refusable = method == Method::ServerSide;
    let shared = prediction.shared.iter().filter(|_| is_refusable).filter_map(|it| {
        let others: Vec<Owner> = it.owners.iter().filter(|owner| is_foreign(case, owner)).cloned().collect();
        (!others.is_empty()).then(|| (co_owner, field(&it.path, &others, &it.value, &it.value)))
    });
    conflicts.chain(overwrites).chain(resets).chain(shared).collect()
}

/// Whether an owner is somebody else than the deployer under one of its own names.
fn is_foreign(case: &Case, owner: &Owner) -> bool {
    let manager = Manager::seen_by(case.delivery.manager, &owner.manager, &owner.subresource);
    manager.kind != ManagerKind::Itself
}

fn landmine(case: &Case, class: Class, fields: Vec<Conflict>) -> Finding {
    let [conflict, overwrite, reset, _] = CLASSES;
    let many = if fields.len() == 1 { "1 field".to_owned() } else { format!("{} fields", fields.len()) };
    let summary = if class == conflict {
        format!("{many} changed by hand: the next deploy of these objects is refused")
    } else if class == overwrite {
        format!("{many} changed by hand: the next deploy undoes it without a word")
    } else if class == reset {
        format!("{many} that the chart no longer sets: the next deploy removes or resets it")
    } else {
        format!("{many} owned by somebody else too, equal today: the next change of the value is refused")
    };
    let mut finding = finding::base(case, class, summary);
    finding.state = Value::Null;
    finding.message = None;
    finding.confidence = Confidence::Certain;
    finding.ways_out = way_out::of_conflicts(case, &fields);
    finding.conflicts = fields;
    super::robots::add(case, &mut finding);
    finding
}

/// Pauses and closed schedules: what they hide stands in the other findings.
fn hidden(case: &Case) -> Option<Finding> {
    if case.delivery.standing == Standing::Landed {
        return None;
    }
    let sign = case.delivery.signs.iter().find(|sign| matches!(sign.class.0, "suspended" | "sync.window"))?;
    let mut finding = finding::base(case, sign.class, sign.summary.clone());
    finding.state = Value::Null;
    finding.confidence = sign.confidence;
    finding.evidence.clone_from(&sign.evidence);
    finding.ways_out.clone_from(&sign.ways_out);
    finding.conflicts = drift::fields(case);
    Some(finding)
}
