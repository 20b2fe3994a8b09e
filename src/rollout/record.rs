//! Workloads and events as they are read.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};

/// Deployment, ReplicaSet, StatefulSet or DaemonSet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Workload {
    /// As the object has it; lists of a living API server leave it out.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Name, owner, annotations.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
    /// What runs.
    #[serde(deserialize_with = "lenient")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// 1 where it is absent.
    #[serde(deserialize_with = "lenient")]
    pub replicas: Option<i64>,
    /// A Deployment that is told not to roll out.
    #[serde(deserialize_with = "lenient")]
    pub paused: bool,
    /// The pods.
    #[serde(deserialize_with = "lenient")]
    pub template: Template,
}

/// `spec.template`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Template {
    /// Their spec.
    #[serde(deserialize_with = "lenient")]
    pub spec: PodSpec,
}

/// A pod's spec.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PodSpec {
    /// Its containers.
    #[serde(deserialize_with = "lenient")]
    pub containers: Vec<Container>,
}

/// A container.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Container {
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// Its image.
    #[serde(deserialize_with = "lenient")]
    pub image: String,
    /// Its environment.
    #[serde(deserialize_with = "lenient")]
    pub env: Vec<Variable>,
}

/// An environment variable with a value of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Variable {
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// Its value. It may be a secret.
    #[serde(deserialize_with = "lenient")]
    pub value: String,
}

/// `status`. The counters of a DaemonSet have other names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// The generation that the counters speak of.
    #[serde(deserialize_with = "lenient")]
    pub observed_generation: Option<i64>,
    /// Pods, old and new.
    #[serde(deserialize_with = "lenient")]
    pub replicas: i64,
    /// New pods.
    #[serde(deserialize_with = "lenient")]
    pub updated_replicas: i64,
    /// Ready pods, old and new.
    #[serde(deserialize_with = "lenient")]
    pub ready_replicas: i64,
    /// Available pods, old and new.
    #[serde(deserialize_with = "lenient")]
    pub available_replicas: i64,
    /// DaemonSet: nodes that need a pod.
    #[serde(deserialize_with = "lenient")]
    pub desired_number_scheduled: Option<i64>,
    /// DaemonSet: new pods.
    #[serde(deserialize_with = "lenient")]
    pub updated_number_scheduled: i64,
    /// DaemonSet: ready pods.
    #[serde(deserialize_with = "lenient")]
    pub number_ready: i64,
    /// DaemonSet: available pods.
    #[serde(deserialize_with = "lenient")]
    pub number_available: i64,
    /// StatefulSet: hash of the old pods.
    #[serde(deserialize_with = "lenient")]
    pub current_revision: String,
    /// StatefulSet: hash of the new pods.
    #[serde(deserialize_with = "lenient")]
    pub update_revision: String,
    /// `Progressing`, `Available`, `ReplicaFailure`.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
}

impl Workload {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        let kind = if self.kind.is_empty() { "Deployment" } else { &self.kind };
        self.metadata.as_object("apps/v1", kind)
    }

    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.status.conditions, kind)
    }

    /// Whether this is that object's own.
    pub fn is_owned_by(&self, owner: &Metadata) -> bool {
        self.metadata.owner_references.iter().any(|reference| reference.uid == owner.uid)
    }

    /// `deployment.kubernetes.io/revision` of a ReplicaSet.
    pub fn revision(&self) -> u64 {
        self.metadata.annotation("deployment.kubernetes.io/revision").parse().unwrap_or_default()
    }

    /// Images of its pods, by container.
    pub fn images(&self) -> BTreeMap<String, String> {
        self.spec
            .template
            .spec
            .containers
            .iter()
            .map(|container| (container.name.clone(), container.image.clone()))
            .collect()
    }
}

/// An Event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Event {
    /// `Normal` or `Warning`.
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: String,
    /// `FailedScheduling`.
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    /// A text. It may hold secrets.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
    /// What it is about.
    #[serde(deserialize_with = "lenient")]
    pub involved_object: Involved,
    /// When it was seen last.
    #[serde(deserialize_with = "lenient")]
    pub last_timestamp: Option<Timestamp>,
    /// The same in events of the newer API.
    #[serde(deserialize_with = "lenient")]
    pub event_time: Option<Timestamp>,
}

impl Event {
    /// When it was seen last, as far as known.
    pub fn time(&self) -> Option<Timestamp> {
        self.last_timestamp.or(self.event_time)
    }

    /// Whether it is about this object.
    pub fn is_about(&self, kind: &str, metadata: &Metadata) -> bool {
        self.involved_object.kind == kind
            && self.involved_object.namespace == metadata.namespace
            && self.involved_object.name == metadata.name
    }
}

/// `involvedObject`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Involved {
    /// `Pod`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
}
