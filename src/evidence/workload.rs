//! What stands around a workload: its ReplicaSets, its pods, its events.

use serde_json::Value;

use crate::object::ObjectRef;
use crate::record::Metadata;
use crate::rollout::{self, Event, Pod};
use crate::source::{Query, Reader, Resource, resources};

/// A Deployment, StatefulSet or DaemonSet with what belongs to it.
pub struct Workload {
    /// Which.
    pub object: ObjectRef,
    /// The workload itself.
    pub own: rollout::Workload,
    /// Its ReplicaSets (Deployments only).
    pub replica_sets: Vec<rollout::Workload>,
    /// Its pods.
    pub pods: Vec<Pod>,
    /// Events of its ReplicaSets and pods.
    pub events: Vec<Event>,
}

/// Kinds whose pods tell why they do not run.
const WITH_PODS: [&str; 3] = ["Deployment", "StatefulSet", "DaemonSet"];

impl Workload {
    /// Whether an object is one.
    pub fn is_one(object: &ObjectRef) -> bool {
        WITH_PODS.contains(&object.kind.as_str())
    }

    /// Reads what belongs to it, by its own label selector. `None` where the object is not one.
    pub async fn read(reader: &Reader, object: &ObjectRef, live: &Value) -> Option<Self> {
        let mut own: rollout::Workload = serde_json::from_value(live.clone()).ok()?;
        own.kind.clone_from(&object.kind);
        let labels = selector(live);
        let owned = |resource: Resource| {
            Query::all(resource).within(object.namespace.clone()).labelled(labels.clone())
        };
        let replica_sets: Vec<rollout::Workload> = if object.kind == "Deployment" {
            reader.select(owned(resources::REPLICA_SETS)).await
        } else {
            Vec::new()
        };
        let pods: Vec<Pod> = reader.select(owned(resources::PODS)).await;
        let mut events = Vec::new();
        for part in replica_sets
            .iter()
            .map(|it| ("ReplicaSet", &it.metadata))
            .chain(pods.iter().map(|it| ("Pod", &it.metadata)))
        {
            events.extend(events_about(reader, part.0, part.1).await);
        }
        Some(Self { object: object.clone(), own, replica_sets, pods, events })
    }
}

/// `spec.selector.matchLabels` as a label selector; `matchExpressions` only narrow it further.
fn selector(live: &Value) -> String {
    live.pointer("/spec/selector/matchLabels")
        .and_then(Value::as_object)
        .map(|labels| {
            let pairs: Vec<String> =
                labels.iter().filter_map(|(key, value)| Some(format!("{key}={}", value.as_str()?))).collect();
            pairs.join(",")
        })
        .unwrap_or_default()
}

/// Events of one object, oldest first.
pub async fn events_of(reader: &Reader, object: &ObjectRef) -> Vec<Event> {
    let metadata =
        Metadata { name: object.name.clone(), namespace: object.namespace.clone(), ..Metadata::default() };
    events_about(reader, &object.kind, &metadata).await
}

async fn events_about(reader: &Reader, kind: &str, metadata: &Metadata) -> Vec<Event> {
    let query = Query::all(resources::EVENTS)
        .within(metadata.namespace.clone())
        .selected(format!("involvedObject.name={},involvedObject.kind={kind}", metadata.name));
    let mut events: Vec<Event> = reader.select(query).await;
    events.retain(|event| event.is_about(kind, metadata));
    events.sort_by_key(Event::time);
    events
}
