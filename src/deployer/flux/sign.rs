//! Reasons that stand in Flux's objects and in no text that could be classified alone.

use jiff::Timestamp;

use super::collect::World;
use super::helm_release::HelmRelease;
use super::source::Link;
use super::{dependency, silence, way_out};
use crate::deployer::Sign;
use crate::report::{Confidence, Evidence, Gap};

/// Every sign of a HelmRelease, the strongest first.
pub fn signs(helm_release: &HelmRelease, world: &World, now: Timestamp) -> Vec<Sign> {
    [
        dependency::sign(helm_release, world),
        chart(helm_release, world),
        deleting(helm_release, now),
        suspended(helm_release, world),
        silence::sign(helm_release, now),
        drifted(helm_release),
        uninstalled(helm_release),
        retrying(helm_release),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sign(class: &'static str, confidence: Confidence, summary: String) -> Sign {
    Sign::new(class, confidence, summary, Vec::new())
}

/// The chart cannot be had: the text of the HelmRelease is second hand, the root is up to two objects away.
fn chart(helm_release: &HelmRelease, world: &World) -> Option<Sign> {
    let ready = helm_release.condition("Ready").filter(|ready| ready.is_false())?;
    if !["SourceNotReady", "ArtifactFailed"].contains(&ready.reason.as_str()) {
        return None;
    }
    let chain = world.sources.chain(helm_release);
    let root = chain.iter().rfind(|link| is_troubled(link, &ready.message));
    let summary = match root {
        None => "its chart cannot be had".to_owned(),
        Some(Link { object, found: None }) => format!("{object} does not exist"),
        Some(Link { object, found: Some(source) }) => {
            format!("{object}: {}", source.complaint().unwrap_or(&ready.message))
        }
    };
    let mut sign = sign("chart.fetch", Confidence::Certain, summary);
    sign.evidence = chain.iter().map(evidence_of).collect();
    sign.ways_out = root.map(|root| way_out::fetch_again(&root.object)).unwrap_or_default();
    if root.is_none() {
        sign.gaps.push(Gap {
            missing: "the source's own text".into(),
            why: "every object on the way reads ready: source-controller may not be reachable".into(),
            fill: Some("kubectl -n flux-system logs deployment/source-controller --tail=200".into()),
        });
    }
    Some(sign)
}

/// A link is troubled if it complains, or if it is absent and the text says so too (a dump may lack it).
fn is_troubled(link: &Link<'_>, text: &str) -> bool {
    match link.found {
        Some(source) => source.complaint().is_some(),
        None => text.contains("not found") && text.contains(&format!("{:?}", link.object.name)),
    }
}

fn evidence_of(link: &Link<'_>) -> Evidence {
    match link.found {
        None => Evidence { source: link.object.to_string(), says: "not found".into() },
        Some(source) => {
            let says = match source.complaint() {
                Some(complaint) => complaint.to_owned(),
                None if source.spec.suspend => "suspended".to_owned(),
                None => format!("ready, {}", source.status.artifact.revision),
            };
            let url = &source.spec.url;
            let says = if url.is_empty() { says } else { format!("{says} ({url})") };
            Evidence { source: format!("{}, condition Ready", link.object), says }
        }
    }
}

/// Its deletion was asked for and a finalizer holds it: the uninstall goes on, or nobody does it.
fn deleting(helm_release: &HelmRelease, now: Timestamp) -> Option<Sign> {
    let since = helm_release.metadata.deletion_timestamp?;
    (now.duration_since(since) > silence::PATIENCE).then(|| Sign {
        evidence: vec![Evidence {
            source: format!("{}, metadata.deletionTimestamp", helm_release.as_object()),
            says: format!("{since}, held by {}", helm_release.metadata.finalizers.join(", ")),
        }],
        ways_out: way_out::look_at_controller("helm-controller"),
        ..sign(
            "pending",
            Confidence::Likely,
            format!(
                "being deleted since {since}: helm-controller has not finished the uninstall, or does not run; \
                 taking the finalizer off by hand leaves the release and its objects behind"
            ),
        )
    })
}

/// Told to do nothing. The conditions are from before, `observedGeneration` goes on: what tells is what
/// was attempted last.
fn suspended(helm_release: &HelmRelease, world: &World) -> Option<Sign> {
    if !helm_release.spec.suspend {
        return None;
    }
    let status = &helm_release.status;
    let mut evidence =
        vec![Evidence { source: format!("{}, spec.suspend", helm_release.as_object()), says: "true".into() }];
    let is_generation_tried = status.last_attempted_generation == helm_release.metadata.generation;
    if !is_generation_tried {
        evidence.push(Evidence {
            source: format!("{}, status.lastAttemptedGeneration", helm_release.as_object()),
            says: format!(
                "generation {} was never tried, the last attempt was for {}",
                helm_release.metadata.generation.unwrap_or_default(),
                status.last_attempted_generation.map_or("none".into(), |tried| tried.to_string()),
            ),
        });
    }
    if let Some((wanted, tried)) = untried_version(helm_release, world) {
        evidence.push(Evidence {
            source: format!("{}, status.lastAttemptedRevision", helm_release.as_object()),
            says: format!("chart {wanted} was never tried, the last attempt was {tried}"),
        });
    }
    let is_behind = evidence.len() > 1;
    let summary = if is_behind {
        "suspended: what is wanted was never tried, and Ready speaks of the version before"
    } else {
        "suspended: nothing that is wanted from now on will be tried, and drift stays unseen"
    };
    let confidence = if is_behind { Confidence::Certain } else { Confidence::Likely };
    let mut sign = sign("suspended", confidence, summary.to_owned());
    sign.evidence = evidence;
    sign.ways_out = way_out::resume(helm_release);
    Some(sign)
}

/// The chart version that is ready to be tried and the one that was tried last, where they differ.
fn untried_version(helm_release: &HelmRelease, world: &World) -> Option<(String, String)> {
    let tried = &helm_release.status.last_attempted_revision;
    let chain = world.sources.chain(helm_release);
    let stored = chain
        .first()
        .and_then(|link| link.found)
        .map(|source| source.status.artifact.revision.clone())
        .filter(|revision| !revision.is_empty());
    let spelt = helm_release
        .spec
        .chart
        .as_ref()
        .map(|chart| chart.spec.version.clone())
        .filter(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.') && !version.is_empty());
    // An OCIRepository's revision is `TAG@sha256:DIGEST`, the attempted one `VERSION+12 digits of it`.
    let is_oci = helm_release.spec.chart_ref.is_some();
    let wanted = spelt.or(stored.filter(|_| !is_oci))?;
    let is_same = *tried == wanted || tried.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('+'));
    (!is_same && !tried.is_empty()).then(|| (wanted, tried.clone()))
}

/// `Drifted` True. It names objects and counts, never fields or values, and is as old as the last reconcile.
fn drifted(helm_release: &HelmRelease) -> Option<Sign> {
    let drifted = helm_release.condition("Drifted").filter(|drifted| drifted.is_true())?;
    let objects: Vec<&str> = drifted.message.lines().skip(1).collect();
    let mut sign = sign(
        "drift",
        Confidence::Certain,
        format!("the cluster differs from the release: {}", objects.join("; ")),
    );
    sign.evidence.push(Evidence {
        source: format!("{}, condition Drifted", helm_release.as_object()),
        says: drifted.message.clone(),
    });
    sign.ways_out = way_out::undo_drift(helm_release);
    Some(sign)
}

/// An uninstall as remediation took the working release with it; the counters are the trace.
fn uninstalled(helm_release: &HelmRelease) -> Option<Sign> {
    let status = &helm_release.status;
    let was_upgrade_undone = status.upgrade_failures > 0
        && status.install_failures > 0
        && helm_release.spec.upgrade.remediation.strategy == "uninstall";
    let remediated = helm_release
        .condition("Remediated")
        .filter(|remediated| remediated.is_true() && remediated.reason == "UninstallSucceeded");
    let says = match (was_upgrade_undone, remediated) {
        (true, _) => {
            "the failed upgrade was remediated by an uninstall: the release that worked and its history \
             are gone, what fails now is a fresh install"
        }
        (false, Some(_)) => {
            "the failed install was remediated by an uninstall: no release is left, and \
             status.inventory still lists its objects"
        }
        (false, None) => return None,
    };
    let mut sign = sign("release.missing", Confidence::Likely, says.to_owned());
    sign.evidence.push(Evidence {
        source: format!("{}, status", helm_release.as_object()),
        says: format!(
            "upgradeFailures {}, installFailures {}",
            status.upgrade_failures, status.install_failures
        ),
    });
    Some(sign)
}

/// Still being tried: the text is not final.
fn retrying(helm_release: &HelmRelease) -> Option<Sign> {
    let reconciling = helm_release.condition("Reconciling").filter(|reconciling| reconciling.is_true())?;
    let is_failing = helm_release.condition("Ready").is_some_and(|ready| ready.is_false());
    let failures = helm_release.status.failures;
    let is_retrying = reconciling.reason == "ProgressingWithRetry" || (is_failing && failures > 1);
    if !is_retrying {
        return None;
    }
    let mut sign = sign(
        "sync.retrying",
        Confidence::Certain,
        format!("helm-controller keeps trying, {failures} failed tries of this generation so far"),
    );
    sign.evidence.push(Evidence {
        source: format!("{}, condition Reconciling", helm_release.as_object()),
        says: format!("{} {}", reconciling.reason, reconciling.message),
    });
    Some(sign)
}
