//! What stands around a workload: its ReplicaSets, its pods, its events.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::record::{Metadata, null_is_default};
use crate::object::ObjectRef;
use crate::source::{Query, Reader, Record, Resource, resources};

/// A Deployment, StatefulSet, DaemonSet or Job with what belongs to it.
pub struct Workload {
    /// Which.
    pub object: ObjectRef,
    /// Its ReplicaSets (Deployments only).
    pub replica_sets: Vec<Value>,
    /// Its pods.
    pub pods: Vec<Value>,
}

/// An event of the core API, as far as it is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Event {
    /// Its name and namespace.
    pub metadata: Metadata,
    /// What it is about.
    #[serde(deserialize_with = "null_is_default")]
    pub involved_object: Involved,
    /// `ScalingReplicaSet`, `FailedCreate`, …
    #[serde(deserialize_with = "null_is_default")]
    pub reason: String,
    /// A text for people.
    #[serde(deserialize_with = "null_is_default")]
    pub message: String,
    /// `Normal`, `Warning`.
    #[serde(rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// When it happened last.
    pub last_timestamp: Option<Timestamp>,
    /// The same in newer events.
    pub event_time: Option<Timestamp>,
}

/// What an event is about.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Involved {
    /// `Deployment`.
    #[serde(deserialize_with = "null_is_default")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: String,
}

impl Record for Event {
    const RESOURCE: Resource = resources::EVENTS;
}

impl Event {
    /// When it happened last, as far as it tells.
    pub fn time(&self) -> Option<Timestamp> {
        self.last_timestamp.or(self.event_time).or(self.metadata.creation_timestamp)
    }

    /// Whether it is about this object.
    pub fn concerns(&self, object: &ObjectRef) -> bool {
        let involved = &self.involved_object;
        involved.kind == object.kind && involved.namespace == object.namespace && involved.name == object.name
    }
}

/// Kinds whose pods tell why they do not run.
const WITH_PODS: [&str; 5] = ["Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet"];

impl Workload {
    /// Whether an object is one.
    pub fn is_one(object: &ObjectRef) -> bool {
        WITH_PODS.contains(&object.kind.as_str())
    }

    /// Reads what belongs to it, by its own label selector.
    pub async fn read(reader: &Reader, object: &ObjectRef, live: &Value) -> Self {
        let labels = selector(live);
        let owned = |resource: Resource| {
            Query::all(resource).within(object.namespace.clone()).labelled(labels.clone())
        };
        let replica_sets = if object.kind == "Deployment" {
            reader.select(owned(resources::REPLICA_SETS)).await
        } else {
            Vec::new()
        };
        let pods = reader.select(owned(resources::PODS)).await;
        Self { object: object.clone(), replica_sets, pods }
    }
}

/// `spec.selector.matchLabels` as a label selector; `matchExpressions` only narrow it further.
fn selector(live: &Value) -> String {
    live.pointer("/spec/selector/matchLabels")
        .and_then(Value::as_object)
        .map(|labels| {
            let pairs: Vec<String> = labels
                .iter()
                .filter_map(|(key, value)| Some(format!("{key}={}", value.as_str()?)))
                .collect();
            pairs.join(",")
        })
        .unwrap_or_default()
}

/// Events of one object, oldest first.
pub async fn events_of(reader: &Reader, object: &ObjectRef) -> Vec<Event> {
    let query = Query::all(resources::EVENTS)
        .within(object.namespace.clone())
        .selected(format!("involvedObject.name={},involvedObject.kind={}", object.name, object.kind));
    let mut events: Vec<Event> = reader.select(query).await;
    events.retain(|event| event.concerns(object));
    events.sort_by_key(Event::time);
    events
}
