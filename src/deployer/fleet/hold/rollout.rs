//! The rollout holds a newer commit back, because other clusters of its partition are not available.

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::fleet::collect::Workspace;
use crate::deployer::fleet::records::{Bundle, BundleDeployment};
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::report::{Confidence, Risk, WayOut};

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    if State::of(seen.deployment) != State::OutOfSync || seen.deployment.spec.paused {
        return None;
    }
    let bundle = seen.workspace.bundle_of(seen.deployment);
    let blockers = blockers(seen.workspace, seen.deployment);
    let summary = match blockers.as_slice() {
        [] => "the rollout holds the newer commit back".to_owned(),
        [one] => format!("the rollout holds the newer commit back: cluster {one} is not ready"),
        [one, rest @ ..] => {
            format!(
                "the rollout holds the newer commit back: cluster {one} and {} more are not ready",
                rest.len()
            )
        }
    };
    Some(Sign {
        class: Class("sync.queued"),
        confidence: if bundle.is_some() { Confidence::Certain } else { Confidence::Likely },
        outranks_texts: false,
        summary,
        evidence: bundle.map(limits).into_iter().flatten().collect(),
        ways_out: vec![WayOut {
            title: if blockers.is_empty() {
                "get the clusters of the partition ready; this one follows by itself".into()
            } else {
                format!("get {} ready; this cluster follows by itself", blockers.join(", "))
            },
            risk: Risk::Safe,
            who: "on call".into(),
            commands: Vec::new(),
            then: "Fleet goes on with the next partition; a larger rolloutStrategy.maxUnavailable in fleet.yaml would \
                   not wait"
                .into(),
        }],
        gaps: Vec::new(),
    })
}

/// Clusters of the same Bundle that are not ready, by the name that people use.
fn blockers(workspace: &Workspace, held: &BundleDeployment) -> Vec<String> {
    let key = |it: &BundleDeployment| {
        let label = |name: &str| it.metadata.label(name).to_owned();
        (label("fleet.cattle.io/bundle-namespace"), label("fleet.cattle.io/bundle-name"))
    };
    let bundle = key(held);
    workspace
        .deployments
        .iter()
        .filter(|it| key(it) == bundle && !matches!(State::of(it), State::Ready | State::OutOfSync))
        .filter_map(|it| workspace.cluster_of(it))
        .map(|cluster| cluster.display_name().unwrap_or(&cluster.metadata.name).to_owned())
        .collect()
}

fn limits(bundle: &Bundle) -> Vec<crate::report::Evidence> {
    let source = format!("Bundle {}/{}", bundle.metadata.namespace, bundle.metadata.name);
    let status = &bundle.status;
    let whole = evidence(
        source.clone(),
        format!(
            "{} of its clusters are unavailable, {} may be; {} of its partitions are, {} may be",
            status.unavailable,
            status.max_unavailable,
            status.unavailable_partitions,
            status.max_unavailable_partitions
        ),
    );
    let parts = status.partitions.iter().filter(|it| it.unavailable > 0).map(|part| {
        evidence(
            source.clone(),
            format!(
                "partition {}: {} of {} clusters unavailable, {} may be",
                part.name, part.unavailable, part.count, part.max_unavailable
            ),
        )
    });
    std::iter::once(whole).chain(parts).collect()
}
