//! A schedule governs the cluster, and it is closed now.

use super::Seen;
use crate::deployer::fleet::collect::Workspace;
use crate::deployer::fleet::records::BundleDeployment;
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::report::{Confidence, Gap, Risk, WayOut};
use crate::shell;

/// Whether the schedule keeps the agent from touching this deployment now.
pub fn is_closed(deployment: &BundleDeployment, workspace: &Workspace) -> bool {
    let cluster = workspace.cluster_of(deployment);
    deployment.spec.off_schedule
        || cluster.is_some_and(|it| it.status.scheduled && !it.status.active_schedule)
}

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    if !is_closed(seen.deployment, seen.workspace) {
        return None;
    }
    let cluster = seen.workspace.cluster_of(seen.deployment);
    let metadata = &seen.deployment.metadata;
    let mut says = vec![evidence(
        format!("BundleDeployment {}/{}", metadata.namespace, metadata.name),
        format!("spec.offSchedule is {}", seen.deployment.spec.off_schedule),
    )];
    let namespace = cluster.map_or(String::new(), |it| it.metadata.namespace.clone());
    if let Some(cluster) = cluster {
        says.push(evidence(
            format!("Cluster {namespace}/{}", cluster.metadata.name),
            format!(
                "status.scheduled is {}, status.activeSchedule is {}",
                cluster.status.scheduled, cluster.status.active_schedule
            ),
        ));
    }
    let show =
        shell::command(["kubectl", "-n", &namespace, "get", "schedules.fleet.cattle.io", "-o", "yaml"]);
    Some(Sign {
        class: Class("sync.window"),
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary: "outside the cluster's schedule: nothing is brought there until it opens".into(),
        evidence: says,
        ways_out: vec![WayOut {
            title: "wait until the schedule opens, or ask its owner to open it".into(),
            risk: Risk::Safe,
            who: "owner of the schedule".into(),
            commands: show.clone().into_iter().collect(),
            then: "the agent tries as soon as the schedule is active".into(),
        }],
        gaps: vec![Gap {
            missing: "when the schedule opens again".into(),
            why: "the Cluster tells only whether it is open".into(),
            fill: show,
        }],
    })
}
