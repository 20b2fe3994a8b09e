//! The verdict on one workload.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::pod::{Pod, Trouble};
use super::record::{Event, Workload};
use crate::failure::Class;
use crate::object::ObjectRef;
use crate::report::Evidence;

/// A workload that does not run as it was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollout {
    /// The workload.
    pub object: ObjectRef,
    /// `rollout.progressing`, `rollout.deadline` or `rollout.refused`.
    pub class: Class,
    /// One line.
    pub summary: String,
    /// The text of the refusal, which has a class of its own (quota, podsecurity, webhook).
    pub refusal: Option<String>,
    /// What is to run.
    pub new: Option<Side>,
    /// What goes on serving, where there is something.
    pub old: Option<Side>,
    /// What keeps the new pods from being ready, each pod once.
    pub troubles: Vec<Trouble>,
    /// Since when, as far as known.
    pub since: Option<Timestamp>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
}

/// One revision of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// ReplicaSet, or the StatefulSet's revision.
    pub name: String,
    /// Image by container.
    pub images: BTreeMap<String, String>,
    /// Pods that are ready.
    pub ready: i64,
    /// Pods that are wanted.
    pub wanted: i64,
}

/// Whether and why a workload does not run as it was applied. Give the ReplicaSets, pods and events of its
/// namespace; what does not belong to it is passed over.
pub fn why(
    workload: &Workload,
    replica_sets: &[Workload],
    pods: &[Pod],
    events: &[Event],
    now: Timestamp,
) -> Option<Rollout> {
    let progress = Progress::of(workload);
    let class = progress.class(workload)?;
    let mut sets: Vec<&Workload> =
        replica_sets.iter().filter(|set| set.is_owned_by(&workload.metadata)).collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.revision()));
    let new = sets.first().copied();
    let old = sets.iter().skip(1).copied().find(|set| set.spec.replicas.unwrap_or(1) > 0);
    let troubles: Vec<Trouble> = pods
        .iter()
        .filter(|pod| is_new_pod(pod, workload, new))
        .filter_map(|pod| pod.trouble(events))
        .collect();
    let condition = told_by(workload, class);
    let object = workload.as_object();
    let refusal = condition.filter(|_| class.0 == "rollout.refused").map(|(_, text, _)| text.to_owned());
    let since = condition.and_then(|(_, _, since)| since);
    let mut evidence: Vec<Evidence> = condition
        .map(|(kind, text, _)| Evidence {
            source: format!("{object}, condition {kind}"),
            says: text.to_owned(),
        })
        .into_iter()
        .collect();
    evidence.extend(troubles.iter().map(|trouble| {
        Evidence {
            source: format!("Pod {}/{}", workload.metadata.namespace, trouble.pod),
            says: [&trouble.container, &trouble.reason, &trouble.message]
                .into_iter()
                .filter(|part| !part.is_empty())
                .cloned()
                .collect::<Vec<_>>()
                .join(": "),
        }
    }));
    Some(Rollout {
        summary: summary(
            &object,
            class,
            &progress,
            &troubles,
            refusal.as_deref(),
            since.map(|since| now.duration_since(since)),
        ),
        object,
        class,
        refusal,
        new: new.map(side).or_else(|| stateful_side(workload, &progress)),
        old: old.map(side),
        troubles,
        since,
        evidence,
    })
}

/// The counters, whatever the kind calls them.
struct Progress {
    wanted: i64,
    total: i64,
    updated: i64,
    available: i64,
    ready: i64,
    is_observed: bool,
}

impl Progress {
    fn of(workload: &Workload) -> Self {
        let status = &workload.status;
        let is_observed = status.observed_generation >= workload.metadata.generation;
        match status.desired_number_scheduled {
            Some(wanted) => Self {
                wanted,
                total: wanted,
                updated: status.updated_number_scheduled,
                available: status.number_available,
                ready: status.number_ready,
                is_observed,
            },
            None => Self {
                wanted: workload.spec.replicas.unwrap_or(1),
                total: status.replicas,
                updated: status.updated_replicas,
                // A StatefulSet of an old API server counts only ready pods.
                available: status.available_replicas.max(if workload.kind == "StatefulSet" {
                    status.ready_replicas
                } else {
                    0
                }),
                ready: status.ready_replicas,
                is_observed,
            },
        }
    }

    fn class(&self, workload: &Workload) -> Option<Class> {
        let is_true = |kind| workload.condition(kind).is_some_and(|condition| condition.is_true());
        let is_late = workload.condition("Progressing").is_some_and(|progressing| {
            progressing.is_false() && progressing.reason == "ProgressDeadlineExceeded"
        });
        let is_done = self.is_observed
            && self.updated >= self.wanted
            && self.total <= self.updated
            && self.available >= self.wanted;
        if is_true("ReplicaFailure") {
            Some(Class("rollout.refused"))
        } else if is_done {
            None
        } else if is_late {
            Some(Class("rollout.deadline"))
        } else {
            Some(Class("rollout.progressing"))
        }
    }
}

/// The condition that a class rests on: type, text, since when.
fn told_by(workload: &Workload, class: Class) -> Option<(&'static str, &str, Option<Timestamp>)> {
    let kind = if class.0 == "rollout.refused" { "ReplicaFailure" } else { "Progressing" };
    workload.condition(kind).map(|found| (kind, found.message.as_str(), found.last_transition_time))
}

/// Pods of the newest ReplicaSet, or of the workload itself where there are no ReplicaSets.
fn is_new_pod(pod: &Pod, workload: &Workload, new: Option<&Workload>) -> bool {
    let owner = new.map_or(&workload.metadata.uid, |set| &set.metadata.uid);
    let is_owned = pod.metadata.owner_references.iter().any(|reference| reference.uid == *owner);
    let update = &workload.status.update_revision;
    let hash = pod.metadata.label("controller-revision-hash");
    is_owned && (update.is_empty() || hash.is_empty() || hash == update)
}

fn side(set: &Workload) -> Side {
    Side {
        name: set.metadata.name.clone(),
        images: set.images(),
        ready: set.status.ready_replicas,
        wanted: set.spec.replicas.unwrap_or(1),
    }
}

fn stateful_side(workload: &Workload, progress: &Progress) -> Option<Side> {
    (workload.kind != "Deployment").then(|| Side {
        name: workload.status.update_revision.clone(),
        images: workload.images(),
        ready: progress.ready,
        wanted: progress.wanted,
    })
}

fn summary(
    object: &ObjectRef,
    class: Class,
    progress: &Progress,
    troubles: &[Trouble],
    refusal: Option<&str>,
    age: Option<jiff::SignedDuration>,
) -> String {
    let state = match class.0 {
        "rollout.refused" => "its pods are refused at creation".to_owned(),
        "rollout.deadline" => {
            format!("{} of {} new pods, the progress deadline has passed", progress.updated, progress.wanted)
        }
        _ => {
            format!("{} of {} new pods, {} available", progress.updated, progress.wanted, progress.available)
        }
    };
    let reason = refusal.map(str::to_owned).or_else(|| {
        troubles.first().map(|trouble| {
            let text =
                if trouble.message.is_empty() { String::new() } else { format!(", {}", trouble.message) };
            format!("{}{text}", trouble.reason)
        })
    });
    let since = age.map(|age| format!(" for {:#}", jiff::SignedDuration::from_secs(age.as_secs().max(0))));
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    format!("{object}: {state}{}{reason}", since.unwrap_or_default())
}

#[cfg(test)]
mod tests;
