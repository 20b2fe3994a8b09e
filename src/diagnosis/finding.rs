//! One case to its findings.

use serde_json::Value;

use crate::deployer::{ReleaseTarget, Sign, evidence};
use crate::evidence::Case;
use crate::failure::{Class, Failure};
use crate::helm::Revision;
use crate::report::{Confidence, Conflict, Earlier, Evidence, Finding, Packed, Release};

use super::cause::{self, Cause};
use super::{
    conflict, drift, lost, robots, rollback, rollout, running, shared, silence, summary, timeline, way_out,
};

/// The finding of a case, and for plain Helm those of the failed revisions that it overtook.
pub fn findings(case: &Case) -> Vec<Finding> {
    let Some(finding) = newest(case) else { return Vec::new() };
    let overtaken = overtaken(case, &finding);
    std::iter::once(finding).chain(overtaken).map(Finding::trimmed).collect()
}

fn newest(case: &Case) -> Option<Finding> {
    let mut finding = match cause::of(case) {
        Some(Cause::Revision { revision, failure, is_confirmed }) => {
            by_revision(case, revision, &failure, is_confirmed)
        }
        Some(Cause::Statement { statement, failure }) => {
            let mut finding = by_failure(case, &failure, None);
            finding.message = Some(statement.text.clone());
            finding.confidence = Confidence::Likely.min(failure.confidence);
            finding.evidence.push(evidence(&statement.source, &failure.text));
            finding.release = beside_statement(case);
            finding
        }
        Some(Cause::Sign(sign)) => by_sign(case, sign),
        Some(Cause::Unknown) => unexplained(case),
        None => {
            return rollout::finding(case).or_else(|| drift::finding(case)).or_else(|| shared::finding(case));
        }
    };
    rollout::refine(case, &mut finding);
    drift::add(case, &mut finding);
    robots::add(case, &mut finding);
    signs_beside(case, &mut finding);
    finding.evidence.extend(case.delivery.evidence.clone());
    finding.evidence.extend(silence::of(case, &finding));
    finding.evidence.extend(old_news(case));
    finding.evidence.extend(rollback::images(case, &finding));
    finding.earlier = earlier(case, &finding);
    finding.timeline = timeline::timeline(case, &finding.conflicts);
    finding.gaps.extend(lost::gaps(case));
    finding.gaps.extend(case.delivery.gaps.clone());
    finding.gaps.extend(case.gaps.clone());
    finding.gaps.dedup();
    Some(finding)
}

/// What every finding of a case has in common.
pub(super) fn base(case: &Case, class: Class, summary: String) -> Finding {
    let delivery = &case.delivery;
    let message = delivery.statements.iter().find(|it| it.is_current).map(|it| it.text.clone());
    Finding {
        owner: delivery.owner.clone(),
        cluster: case.cluster.clone(),
        state: delivery.state.clone(),
        release: None,
        class: class.to_string(),
        also: Vec::new(),
        summary,
        message,
        conflicts: Vec::new(),
        entities: Packed::default(),
        wanted: delivery.wanted.clone(),
        tries_lost: case.history.as_ref().map(|it| it.tries_lost()).filter(|lost| *lost > 0),
        running: running::running(case),
        earlier: Vec::new(),
        overtaken_by: None,
        chain: delivery.chain.clone(),
        heals_itself: delivery.heals_itself,
        confidence: Confidence::Likely,
        evidence: Vec::new(),
        timeline: Vec::new(),
        ways_out: Vec::new(),
        gaps: Vec::new(),
    }
}

fn by_failure(case: &Case, failure: &Failure, revision: Option<&Revision>) -> Finding {
    let conflicts = conflict::conflicts(case, failure, revision.and_then(Revision::release));
    let mut finding = base(case, failure.class, summary::of(failure, &conflicts));
    finding.also = failure.also.iter().map(ToString::to_string).collect();
    finding.entities = entities(failure).into();
    finding.ways_out = way_out::ways_out(case, failure, revision, &conflicts);
    finding.conflicts = conflicts;
    finding
}

fn by_revision(case: &Case, revision: &Revision, failure: &Failure, is_confirmed: bool) -> Finding {
    let mut finding = by_failure(case, failure, Some(revision));
    finding.confidence = confidence(failure, &finding.conflicts, is_confirmed);
    finding.release = Some(release(case, revision));
    finding.evidence.push(evidence(
        revision.meta.source(),
        revision.description().unwrap_or("the payload does not decode"),
    ));
    finding.evidence.extend(finding.conflicts.iter().flat_map(|it| owners(case, it)));
    finding
}

/// Text and live state agree, or two texts do: certain. One of them: likely.
fn confidence(failure: &Failure, conflicts: &[Conflict], is_confirmed: bool) -> Confidence {
    let live_agrees = !conflicts.is_empty()
        && conflicts.iter().all(|it| it.owners.iter().any(|owner| owner.manager == it.manager));
    match live_agrees || is_confirmed {
        true => failure.confidence,
        false => failure.confidence.min(Confidence::Likely),
    }
}

fn by_sign(case: &Case, sign: &Sign) -> Finding {
    let mut finding = base(case, sign.class, sign.summary.clone());
    finding.confidence = sign.confidence;
    finding.evidence.clone_from(&sign.evidence);
    finding.ways_out.clone_from(&sign.ways_out);
    finding.gaps.clone_from(&sign.gaps);
    finding.release = beside_statement(case);
    finding
}

/// Nothing that was read tells why: that is an answer too, with the places that are left to look.
fn unexplained(case: &Case) -> Finding {
    let mut finding = base(case, Class("unknown"), summary::unexplained(case));
    finding.confidence = Confidence::Possible;
    finding.ways_out = way_out::for_unknown(case);
    finding.gaps = summary::places_left(case);
    finding.release = beside_statement(case);
    finding
}

/// Signs that are not the reason stand beside it.
fn signs_beside(case: &Case, finding: &mut Finding) {
    for sign in &case.delivery.signs {
        let class = sign.class.to_string();
        if class == finding.class {
            finding.confidence = finding.confidence.max(sign.confidence.min(Confidence::Certain));
            for way in &sign.ways_out {
                if !finding.ways_out.contains(way) {
                    finding.ways_out.insert(0, way.clone());
                }
            }
        } else if !finding.also.contains(&class) {
            finding.also.push(class);
            finding.ways_out.extend(sign.ways_out.clone());
        }
        for it in &sign.evidence {
            if !finding.evidence.contains(it) {
                finding.evidence.push(it.clone());
            }
        }
    }
}

/// The release as the finding shows it. Flux' status speaks of the newest revision even where an earlier
/// one holds the reason.
pub(super) fn release(case: &Case, cause: &Revision) -> Release {
    let newest = case.history.as_ref().and_then(|it| it.newest()).unwrap_or(cause);
    let shown = if case.delivery.deployer == "flux" { newest } else { cause };
    let deployed = case.history.as_ref().and_then(|it| it.deployed()).map(Revision::number);
    Release {
        namespace: shown.meta.namespace.clone(),
        name: shown.meta.release.clone(),
        revision: Some(shown.number()),
        status: Some(shown.status().to_string()),
        description: cause.description().map(str::to_owned),
        chart: cause.release().map(crate::helm::Release::chart_title),
        deployed_revision: deployed.filter(|number| *number != shown.number()),
        started: cause.started(),
        cause_revision: (shown.number() != cause.number()).then(|| cause.number()),
    }
}

/// The release beside a reason that no revision tells. Under Fleet only where its newest record is
/// not a good one; a Flux or k3s owner is always shown with its release, even where it has no record yet.
fn beside_statement(case: &Case) -> Option<Release> {
    let is_fleet = case.delivery.deployer == "fleet";
    let Some(newest) = case.history.as_ref().and_then(|it| it.newest()) else {
        return case.delivery.release.as_ref().filter(|_| !is_fleet).map(unwritten);
    };
    let is_good = *newest.status() == crate::helm::Status::Deployed;
    if is_good && is_fleet {
        return None;
    }
    Some(release(case, newest))
}

/// A release that has no record.
fn unwritten(target: &ReleaseTarget) -> Release {
    Release {
        namespace: target.namespace.clone(),
        name: target.name.clone(),
        revision: None,
        status: None,
        description: None,
        chart: None,
        deployed_revision: None,
        started: None,
        cause_revision: None,
    }
}

/// For plain Helm every failed revision that nothing healed is a finding of its own.
fn overtaken(case: &Case, newest: &Finding) -> Vec<Finding> {
    let Some(release) = newest.release.as_ref().filter(|_| newest.owner.is_none()) else { return Vec::new() };
    let by = case.history.as_ref().and_then(|it| it.newest()).map(Revision::number);
    told_beside(case, release.revision)
        .map(|(revision, failure)| {
            let mut finding = by_revision(case, revision, &failure, false);
            finding.overtaken_by = by;
            finding.ways_out.clear();
            finding
        })
        .collect()
}

fn earlier(case: &Case, newest: &Finding) -> Vec<Earlier> {
    let told = newest.release.as_ref().and_then(|it| it.cause_revision.or(it.revision));
    told_beside(case, told)
        .map(|(revision, failure)| Earlier {
            revision: revision.number(),
            status: revision.status().to_string(),
            class: failure.class.to_string(),
            description: revision.description().unwrap_or_default().to_owned(),
            conflicts: conflict::conflicts(case, &failure, revision.release()),
        })
        .collect()
}

/// Stored revisions whose texts tell of a failure, but for the one that the finding rests on.
fn told_beside(case: &Case, told: Option<u32>) -> impl Iterator<Item = (&Revision, Failure)> {
    let revisions = case.history.iter().flat_map(|it| it.revisions()).filter(|it| it.has_failed());
    revisions.filter(move |it| Some(it.number()) != told).filter_map(|it| Some((it, cause::classify(it)?)))
}

/// Texts that stand beside the reason and speak of an earlier try.
fn old_news(case: &Case) -> Vec<Evidence> {
    let old = case.delivery.statements.iter().filter(|it| !it.is_current);
    old.map(|it| evidence(format!("{} (old news)", it.source), &it.text)).collect()
}

fn owners(case: &Case, conflict: &Conflict) -> Option<Evidence> {
    let living = case.living.find(&conflict.object)?;
    let owners: Vec<String> = conflict.owners.iter().map(|it| it.manager.clone()).collect();
    let holders = if owners.is_empty() { "nobody in managedFields".to_owned() } else { owners.join(", ") };
    Some(evidence(
        format!("{} ({})", conflict.object, living.origin),
        format!("{} is {}, owned by {holders}", conflict.path, conflict.live),
    ))
}

/// What a failure names, as one JSON object.
fn entities(failure: &Failure) -> Value {
    let mut entities: serde_json::Map<String, Value> =
        failure.entities.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    if !failure.objects.is_empty() {
        entities.insert("objects".into(), serde_json::to_value(&failure.objects).unwrap_or_default());
    }
    if entities.is_empty() { Value::Null } else { Value::Object(entities) }
}
