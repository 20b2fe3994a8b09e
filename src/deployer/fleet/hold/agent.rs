//! The agent on the downstream cluster is silent, or never came.

use jiff::{SignedDuration, Timestamp};

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::fleet::records::FleetCluster;
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::report::{Confidence, Gap, Risk, WayOut};
use crate::shell;

/// The agent checks in once a minute: three misses are no hiccup.
const SILENT: SignedDuration = SignedDuration::from_mins(3);

/// The sign of a cluster that never finished its registration.
pub fn unregistered(cluster: &FleetCluster) -> Sign {
    Sign {
        class: Class("deployer.down"),
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary: format!(
            "cluster {} never finished its registration: no agent has checked in",
            name(cluster)
        ),
        evidence: vec![evidence(
            format!("Cluster {}/{}", cluster.metadata.namespace, cluster.metadata.name),
            "status.agent.lastSeen is empty",
        )],
        ways_out: ways_out(cluster),
        gaps: log_gap(cluster).into_iter().collect(),
    }
}

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    let cluster = seen.workspace.cluster_of(seen.deployment)?;
    let summary = match cluster.status.agent.last_seen {
        None => format!("the Fleet agent of cluster {} never checked in", name(cluster)),
        Some(last) if seen.now.duration_since(last) > SILENT => format!(
            "the Fleet agent of cluster {} has been silent since {last} ({} min)",
            name(cluster),
            minutes(seen.now, last)
        ),
        Some(_) => return None,
    };
    // A silent agent explains whatever is not applied; what was applied before it fell silent stands.
    let is_waiting = matches!(State::of(seen.deployment), State::WaitApplied | State::OutOfSync);
    Some(Sign {
        class: Class("deployer.down"),
        confidence: if is_waiting { Confidence::Certain } else { Confidence::Likely },
        outranks_texts: false,
        summary,
        evidence: vec![evidence(
            format!("Cluster {}/{}", cluster.metadata.namespace, cluster.metadata.name),
            match cluster.status.agent.last_seen {
                Some(last) => format!("status.agent.lastSeen is {last}; an agent checks in once a minute"),
                None => "status.agent.lastSeen is empty".into(),
            },
        )],
        ways_out: ways_out(cluster),
        gaps: log_gap(cluster).into_iter().collect(),
    })
}

/// What only the agent's log tells, with the command that shows it.
pub fn log_gap(cluster: &FleetCluster) -> Option<Gap> {
    Some(Gap {
        missing: "the Fleet agent's log".into(),
        why: "some errors (options secret, copied resources, its own start) are logged and written nowhere else"
            .into(),
        fill: Some(agent_command(cluster, &["logs", "deployment/fleet-agent", "--since=1h"])?),
    })
}

/// The name of the kubeconfig context that people most likely have for this cluster.
fn name(cluster: &FleetCluster) -> &str {
    cluster.display_name().unwrap_or(&cluster.metadata.name)
}

fn agent_command(cluster: &FleetCluster, words: &[&str]) -> Option<String> {
    let namespace = match cluster.status.agent.namespace.as_str() {
        "" => "cattle-fleet-system",
        namespace => namespace,
    };
    shell::command(
        ["kubectl", "--context", name(cluster), "-n", namespace].into_iter().chain(words.iter().copied()),
    )
}

fn ways_out(cluster: &FleetCluster) -> Vec<WayOut> {
    let look = agent_command(cluster, &["get", "pods", "-l", "app=fleet-agent", "-o", "wide"]);
    let restart = agent_command(cluster, &["rollout", "restart", "deployment/fleet-agent"]);
    vec![
        WayOut {
            title: "look at the agent's pod: is it there, does it reach the upstream API server?".into(),
            risk: Risk::Safe,
            who: "cluster admin".into(),
            commands: look.into_iter().collect(),
            then: "nothing changes; leave the release alone, it is not the cause".into(),
        },
        WayOut {
            title: "restart the agent".into(),
            risk: Risk::Restarts,
            who: "cluster admin".into(),
            commands: restart.into_iter().collect(),
            then: "only the agent restarts; it tries every waiting bundle at once".into(),
        },
    ]
}

fn minutes(now: Timestamp, then: Timestamp) -> i64 {
    now.duration_since(then).as_mins()
}
