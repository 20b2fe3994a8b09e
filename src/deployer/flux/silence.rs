//! A controller that does not answer.

use jiff::{SignedDuration, Timestamp};

use super::helm_release::HelmRelease;
use super::way_out;
use crate::deployer::Sign;
use crate::record::go_duration;
use crate::report::{Confidence, Evidence};

/// A living controller notes a new generation or a request at once, in the conditions if not in
/// `observedGeneration`; this much is left for a busy one.
pub(super) const PATIENCE: SignedDuration = SignedDuration::from_secs(60);

/// helm-controller's own timeout where the HelmRelease names none.
const ACTION_TIMEOUT: SignedDuration = SignedDuration::from_mins(5);

/// Writers of a HelmRelease whose writes are no wish of anybody.
const CONTROLLERS: [&str; 1] = ["helm-controller"];

/// The sign that helm-controller does not look at this HelmRelease.
pub fn sign(helm_release: &HelmRelease, now: Timestamp) -> Option<Sign> {
    if helm_release.spec.suspend {
        return None;
    }
    let (since, says) = unseen_generation(helm_release)
        .or_else(|| unseen_request(helm_release))
        .or_else(|| endless_action(helm_release, now))?;
    let age = since.map(|since| now.duration_since(since));
    let confidence = match age {
        Some(age) if age > PATIENCE => Confidence::Likely,
        Some(_) => return None,
        None => Confidence::Possible,
    };
    let summary = format!("helm-controller does not answer: {says}");
    let evidence = vec![Evidence { source: helm_release.as_object().to_string(), says }];
    Some(Sign {
        ways_out: way_out::look_at_controller("helm-controller"),
        ..Sign::new("deployer.down", confidence, summary, evidence)
    })
}

/// No condition speaks of the present generation.
fn unseen_generation(helm_release: &HelmRelease) -> Option<(Option<Timestamp>, String)> {
    let generation = helm_release.metadata.generation?;
    let status = &helm_release.status;
    let is_seen = status.observed_generation.is_some_and(|seen| seen >= generation)
        || status
            .conditions
            .iter()
            .any(|condition| condition.observed_generation.is_some_and(|seen| seen >= generation));
    if is_seen {
        return None;
    }
    let says = if status.conditions.is_empty() {
        "it has no status at all".to_owned()
    } else {
        format!(
            "generation {generation} is in no condition, latest generation of object has not been reconciled"
        )
    };
    Some((helm_release.metadata.last_written(&CONTROLLERS), says))
}

/// `reconcile.fluxcd.io/requestedAt` was never taken up, and no action is running that would delay it.
fn unseen_request(helm_release: &HelmRelease) -> Option<(Option<Timestamp>, String)> {
    let asked = helm_release.metadata.annotation("reconcile.fluxcd.io/requestedAt");
    if asked.is_empty()
        || asked == helm_release.status.last_handled_reconcile_at
        || running_since(helm_release).is_some()
    {
        return None;
    }
    Some((asked.parse().ok(), format!("the reconcile requested at {asked} was not taken up")))
}

/// An action that runs for longer than its own timeout: the controller was killed.
fn endless_action(helm_release: &HelmRelease, now: Timestamp) -> Option<(Option<Timestamp>, String)> {
    let (since, says) = running_since(helm_release)?;
    let timeout = [&helm_release.last_action().timeout, &helm_release.spec.timeout]
        .into_iter()
        .find_map(|timeout| go_duration(timeout))
        .unwrap_or(ACTION_TIMEOUT);
    let over = since.checked_add(timeout).ok()?;
    (now > over).then(|| (Some(over), format!("\"{says}\" since {since}, longer than its own timeout")))
}

/// Since when an action runs, as `Reconciling` tells (`Running 'upgrade' action with timeout of 1m0s`).
pub fn running_since(helm_release: &HelmRelease) -> Option<(Timestamp, String)> {
    let reconciling = helm_release.condition("Reconciling").filter(|condition| condition.is_true())?;
    // `Ready` False beside it is of the try before; a running first try reads Unknown.
    let is_running = reconciling.reason == "Progressing" && reconciling.message.starts_with("Running '");
    is_running.then_some(())?;
    Some((reconciling.last_transition_time?, reconciling.message.clone()))
}
