//! The Job that runs Helm, as it is read. Its environment is what was merged from chart and config.

use serde::Deserialize;

use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
use crate::rollout::Pod;
use crate::source::{Record, Resource, resources};

/// Label of Jobs and their pods.
pub const CHART_LABEL: &str = "helmcharts.helm.cattle.io/chart";

/// A Job of a HelmChart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Job {
    /// Name and labels.
    pub metadata: Metadata,
    /// What it runs.
    #[serde(deserialize_with = "lenient")]
    spec: Spec,
    /// How far it is.
    #[serde(deserialize_with = "lenient")]
    pub status: Status,
}

impl Record for Job {
    const RESOURCE: Resource = resources::JOBS;
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Spec {
    #[serde(deserialize_with = "lenient")]
    template: Template,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Template {
    #[serde(deserialize_with = "lenient")]
    spec: PodSpec,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct PodSpec {
    #[serde(deserialize_with = "lenient")]
    containers: Vec<Container>,
    #[serde(deserialize_with = "lenient")]
    volumes: Vec<Volume>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Container {
    #[serde(deserialize_with = "lenient")]
    args: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    env: Vec<Variable>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Variable {
    #[serde(deserialize_with = "lenient")]
    name: String,
    #[serde(deserialize_with = "lenient")]
    value: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Volume {
    #[serde(deserialize_with = "lenient")]
    projected: Projected,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Projected {
    #[serde(deserialize_with = "lenient")]
    sources: Vec<Projection>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Projection {
    #[serde(deserialize_with = "lenient")]
    secret: Option<SecretProjection>,
}

/// A Secret that is mounted as values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SecretProjection {
    /// The Secret's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The pod starts without it.
    #[serde(deserialize_with = "lenient")]
    pub optional: bool,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Status {
    /// Pods at work.
    #[serde(deserialize_with = "lenient")]
    pub active: i64,
    /// `Complete`, `Failed`.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
}

impl Job {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object("batch/v1", "Job")
    }

    /// A variable of its environment, `""` where it has none.
    pub fn env(&self, name: &str) -> &str {
        self.spec
            .template
            .spec
            .containers
            .iter()
            .flat_map(|container| &container.env)
            .find(|variable| variable.name == name)
            .map_or("", |variable| variable.value.as_str())
    }

    /// Whether it creates the release's namespace.
    pub fn creates_namespace(&self) -> bool {
        let mut containers = self.spec.template.spec.containers.iter();
        containers.any(|container| container.args.iter().any(|arg| arg == "--create-namespace"))
    }

    /// Secrets without which its pods do not start.
    pub fn needed_secrets(&self) -> impl Iterator<Item = &str> {
        let volumes = &self.spec.template.spec.volumes;
        volumes
            .iter()
            .flat_map(|volume| &volume.projected.sources)
            .filter_map(|source| source.secret.as_ref())
            .filter(|secret| !secret.optional)
            .map(|secret| secret.name.as_str())
    }

    /// Whether its pod ended with 0. That says nothing about the release.
    pub fn is_complete(&self) -> bool {
        condition(&self.status.conditions, "Complete").is_some_and(|complete| complete.is_true())
    }

    /// Whether a pod is its own.
    pub fn owns(&self, pod: &Pod) -> bool {
        pod.metadata.owner_references.iter().any(|owner| owner.uid == self.metadata.uid)
    }
}

/// What the pod's last run wrote as its termination message: what the script was about to do.
pub fn last_words(pod: &Pod) -> Option<String> {
    pod.status.container_statuses.iter().find_map(|status| {
        let ended = status.state.terminated.as_ref().or(status.last_state.terminated.as_ref())?;
        Some(ended.message.trim().to_owned()).filter(|words| !words.is_empty())
    })
}

/// The exit code of the pod's last run.
pub fn last_exit(pod: &Pod) -> Option<i64> {
    pod.status.container_statuses.iter().find_map(|status| {
        let ended = status.state.terminated.as_ref().or(status.last_state.terminated.as_ref())?;
        Some(ended.exit_code)
    })
}

/// Whether a container of the pod runs now.
pub fn is_running(pod: &Pod) -> bool {
    pod.status.container_statuses.iter().any(|status| status.state.running.is_some())
}
