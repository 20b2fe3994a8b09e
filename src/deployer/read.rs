//! Reading beyond the deployer's own records: other versions of a CRD, single live objects, workloads.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Sign;
use crate::object::ObjectRef;
use crate::report::Confidence;
use crate::rollout::{self, Pod, Rollout, Workload};
use crate::source::{Query, Reader, Resource, resources};

/// All records of these resources, of each kind in the first version that has any.
pub async fn newest<T: DeserializeOwned>(hub: &Reader, resources: &[Resource]) -> Vec<T> {
    let mut records = Vec::new();
    let mut found: Vec<&str> = Vec::new();
    for resource in resources {
        if found.contains(&resource.kind.as_ref()) {
            continue;
        }
        let more: Vec<T> = hub.select(Query::all(resource.clone())).await;
        if !more.is_empty() {
            found.push(&resource.kind);
        }
        records.extend(more);
    }
    records
}

/// A live object as it is, if it is there and may be read.
pub async fn live(reader: &Reader, object: &ObjectRef) -> Option<Value> {
    let resource = match reader.cluster().resource_of(&object.api_version, &object.kind).await {
        Ok(resource) => resource,
        Err(miss) => {
            reader.missed(miss);
            return None;
        }
    };
    match reader.cluster().get(&resource, &object.namespace, &object.name).await {
        Ok(found) => found?.parse().ok(),
        Err(miss) => {
            reader.missed(miss);
            None
        }
    }
}

/// Kinds whose rollout can be followed.
const WORKLOADS: [Resource; 3] = [resources::DEPLOYMENTS, resources::STATEFUL_SETS, resources::DAEMON_SETS];

/// Which of a namespace's workloads do not run as applied, of those that are asked for.
pub async fn rollouts(
    reader: &Reader,
    namespace: &str,
    is_meant: impl Fn(&Workload) -> bool,
    now: Timestamp,
) -> Vec<Rollout> {
    let within = |resource: Resource| Query::all(resource).within(namespace);
    let mut workloads: Vec<Workload> = Vec::new();
    for resource in WORKLOADS {
        let mut found: Vec<Workload> = reader.select(within(resource.clone())).await;
        for workload in &mut found {
            workload.kind = resource.kind.to_string();
        }
        workloads.extend(found.into_iter().filter(|workload| is_meant(workload)));
    }
    if workloads.iter().all(|workload| rollout::why(workload, &[], &[], &[], now).is_none()) {
        return Vec::new();
    }
    let sets: Vec<Workload> = reader.select(within(resources::REPLICA_SETS)).await;
    let pods: Vec<Pod> = reader.select(within(resources::PODS)).await;
    let events = reader.select(within(resources::EVENTS)).await;
    workloads.iter().filter_map(|workload| rollout::why(workload, &sets, &pods, &events, now)).collect()
}

/// A rollout as a sign.
pub fn rollout_sign(rollout: Rollout) -> Sign {
    let mut evidence = rollout.evidence;
    for (what, side) in [("new", &rollout.new), ("old", &rollout.old)] {
        evidence.extend(side.iter().map(|side| crate::report::Evidence {
            source: rollout.object.to_string(),
            says: format!(
                "{what}: {} {}, {} of {} ready",
                side.name,
                side.images.values().cloned().collect::<Vec<_>>().join(", "),
                side.ready,
                side.wanted
            ),
        }));
    }
    let (namespace, name) = (
        super::quote::quote(&rollout.object.namespace).into_owned(),
        super::quote::quote(&rollout.object.name).into_owned(),
    );
    let kind = rollout.object.kind.to_lowercase();
    Sign {
        class: rollout.class,
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary: rollout.summary,
        evidence,
        ways_out: vec![crate::report::WayOut {
            title: "put right what the pods wait for, or go back".into(),
            risk: crate::report::Risk::Restarts,
            who: "owner of the chart".into(),
            commands: vec![
                format!("kubectl -n {namespace} describe {kind} {name}"),
                format!("kubectl -n {namespace} rollout history {kind}/{name}"),
            ],
            then:
                "the rollout goes on by itself once new pods become ready; Kubernetes does not roll back by \
                   itself, and an undo by hand is overwritten by the next sync"
                    .into(),
        }],
        gaps: Vec::new(),
    }
}
