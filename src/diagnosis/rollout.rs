//! Applied, and not running: the reason from Deployment, ReplicaSets, pods and events.

use crate::evidence::Case;
use crate::report::{Confidence, Finding};
use crate::rollout;

use super::finding;

/// Classes whose reason the pods tell.
const TOLD_BY_PODS: [&str; 5] =
    ["wait.timeout", "rollout.progressing", "rollout.deadline", "rollout.refused", "hook.failed"];

/// Adds what the pods tell to a finding of such a class.
pub fn refine(case: &Case, finding: &mut Finding) {
    if !TOLD_BY_PODS.contains(&finding.class.as_str()) {
        return;
    }
    for why in whys(case) {
        if finding.class.starts_with("rollout.") && why.class.0 != finding.class {
            finding.class = why.class.to_string();
        }
        finding.summary = why.summary.clone();
        finding.confidence = Confidence::Certain;
        finding.evidence.extend(why.evidence);
    }
}

/// The finding of a case whose deployer did not wait: applied, and the workloads do not run.
pub fn finding(case: &Case) -> Option<Finding> {
    if !case.delivery.hints.follow_rollouts {
        return None;
    }
    let why = whys(case).into_iter().next()?;
    let mut finding = finding::base(case, why.class, why.summary);
    finding.confidence = Confidence::Certain;
    finding.evidence = why.evidence;
    finding.release = case.history.as_ref().and_then(|it| it.newest()).map(|it| finding::release(case, it));
    Some(finding)
}

/// What the pods of the workloads in question tell.
pub fn whys(case: &Case) -> Vec<rollout::Rollout> {
    case.workloads
        .iter()
        .filter_map(|workload| {
            let events: Vec<_> = case.events.iter().chain(&workload.events).cloned().collect();
            rollout::why(&workload.own, &workload.replica_sets, &workload.pods, &events, case.now)
        })
        .collect()
}
