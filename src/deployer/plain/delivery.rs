//! A release that nobody but Helm keeps, as a delivery.

use jiff::{SignedDuration, Timestamp};

use crate::deployer::quote::quote;
use crate::deployer::{Delivery, ReleaseTarget, Standing, evidence};
use crate::helm::{RevisionMeta, Status};
use crate::report::{Evidence, Gap};
use crate::source::ClusterWanted;

/// `helm` waits for 5 minutes unless it is told otherwise; hooks and waiting may both take that long.
const AT_WORK: SignedDuration = SignedDuration::from_mins(10);

/// The delivery that a release's records make; `None` for no records.
pub fn delivery(revisions: &[RevisionMeta], cluster: &str, now: Timestamp) -> Option<Delivery> {
    let newest = revisions.iter().max_by_key(|meta| meta.revision)?;
    let is_locked = newest.status.pending() || newest.status == Status::Uninstalling;
    let standing =
        if is_locked || newest.status == Status::Failed { Standing::Stuck } else { Standing::Landed };
    Some(Delivery {
        deployer: "helm",
        manager: "helm",
        cluster: Some(ClusterWanted { id: cluster.to_owned(), is_hub: true, ..ClusterWanted::default() }),
        standing,
        release: Some(ReleaseTarget {
            namespace: newest.namespace.clone(),
            name: newest.release.clone(),
            claimed_revision: None,
        }),
        wanted_since: newest.created,
        evidence: if is_locked { lock(newest, now) } else { Vec::new() },
        gaps: if is_locked { process(newest) } else { Vec::new() },
        ..Delivery::default()
    })
}

/// Since when the release is locked, by whom, and whether work may still go on.
fn lock(newest: &RevisionMeta, now: Timestamp) -> Vec<Evidence> {
    let writer = newest.last_writer.as_deref().unwrap_or("an unknown writer");
    // The uninstall rewrites an old record: only its last write tells when it began.
    let since = if newest.status == Status::Uninstalling { newest.last_write } else { newest.created };
    let age = since.map(|since| now.duration_since(since));
    let says = match (since, age) {
        (Some(since), Some(age)) if age < AT_WORK => {
            format!("{} since {since}, written by {writer}: young enough for work in progress", newest.status)
        }
        (Some(since), _) => {
            format!("{} since {since}, written by {writer}: older than Helm waits by default", newest.status)
        }
        _ => format!("{}, written by {writer}", newest.status),
    };
    vec![evidence(newest.source(), says)]
}

/// Helm leaves no mark of its process in the cluster.
fn process(newest: &RevisionMeta) -> Vec<Gap> {
    vec![Gap {
        missing: format!("whether a helm process still works on {}/{}", newest.namespace, newest.release),
        why: "Helm runs outside the cluster (a terminal, a pipeline) and keeps no lease".into(),
        fill: Some(format!(
            "helm history {} -n {}; kubectl -n {} get jobs,pods",
            quote(&newest.release),
            quote(&newest.namespace),
            quote(&newest.namespace)
        )),
    }]
}
