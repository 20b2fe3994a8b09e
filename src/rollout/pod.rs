//! A pod, and what keeps it from being ready.

use serde::Deserialize;

use super::record::{Event, PodSpec};
use crate::record::{Condition, Metadata, condition, lenient};

/// A pod.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pod {
    /// Name, labels, owner.
    pub metadata: Metadata,
    /// Its containers.
    #[serde(deserialize_with = "lenient")]
    pub spec: PodSpec,
    /// What became of it.
    #[serde(deserialize_with = "lenient")]
    pub status: PodStatus,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// `Pending`, `Running`, `Succeeded`, `Failed`.
    #[serde(deserialize_with = "lenient")]
    pub phase: String,
    /// `Evicted`.
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    /// A text beside the reason.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
    /// `Ready`, `PodScheduled`.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
    /// Init containers.
    #[serde(deserialize_with = "lenient")]
    pub init_container_statuses: Vec<ContainerStatus>,
    /// Containers.
    #[serde(deserialize_with = "lenient")]
    pub container_statuses: Vec<ContainerStatus>,
}

/// `status.containerStatuses[]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    /// The container's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// Its readiness probe succeeds.
    #[serde(deserialize_with = "lenient")]
    pub ready: bool,
    /// How often it was started anew.
    #[serde(deserialize_with = "lenient")]
    pub restart_count: i64,
    /// Now.
    #[serde(deserialize_with = "lenient")]
    pub state: ContainerState,
    /// Before.
    #[serde(deserialize_with = "lenient")]
    pub last_state: ContainerState,
}

/// One of three.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ContainerState {
    /// Not started.
    #[serde(deserialize_with = "lenient")]
    pub waiting: Option<Waiting>,
    /// Started.
    #[serde(deserialize_with = "lenient")]
    pub running: Option<serde_json::Value>,
    /// Ended.
    #[serde(deserialize_with = "lenient")]
    pub terminated: Option<Terminated>,
}

/// `state.waiting`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Waiting {
    /// `ImagePullBackOff`, `CrashLoopBackOff`, `ContainerCreating`.
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    /// A text.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
}

/// `state.terminated`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Terminated {
    /// 137 is a kill.
    #[serde(deserialize_with = "lenient")]
    pub exit_code: i64,
    /// `OOMKilled`, `Error`, `Completed`.
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    /// The termination message.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
}

/// What keeps a pod from being ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The pod.
    pub pod: String,
    /// The container, `""` where the whole pod is meant.
    pub container: String,
    /// One word: `ImagePullBackOff`, `Unschedulable`, `NotReady`.
    pub reason: String,
    /// The text that goes with it.
    pub message: String,
}

/// Event reasons that say more than `ContainerCreating` or a container that is not ready.
const TELLING: [&str; 6] = [
    "FailedMount",
    "FailedAttachVolume",
    "FailedCreatePodSandBox",
    "Unhealthy",
    "FailedScheduling",
    "Failed",
];

impl Pod {
    /// Whether the pod serves.
    pub fn is_ready(&self) -> bool {
        condition(&self.status.conditions, "Ready").is_some_and(|ready| ready.is_true())
    }

    /// Why it does not, in the order in which a pod starts; `None` for a pod that is ready or done.
    pub fn trouble(&self, events: &[Event]) -> Option<Trouble> {
        if self.is_ready() || self.status.phase == "Succeeded" {
            return None;
        }
        self.unscheduled()
            .or_else(|| self.held_container())
            .or_else(|| self.failed_pod())
            .or_else(|| self.told_by_event(events))
            .or_else(|| self.unready_container())
    }

    fn of(&self, container: &str, reason: &str, message: &str) -> Trouble {
        Trouble {
            pod: self.metadata.name.clone(),
            container: container.to_owned(),
            reason: reason.to_owned(),
            message: message.trim().to_owned(),
        }
    }

    fn unscheduled(&self) -> Option<Trouble> {
        let scheduled = condition(&self.status.conditions, "PodScheduled")?;
        scheduled.is_false().then(|| self.of("", &scheduled.reason, &scheduled.message))
    }

    /// A container that waits for more than its creation, or that ended and was not good.
    fn held_container(&self) -> Option<Trouble> {
        let statuses = self.status.init_container_statuses.iter().chain(&self.status.container_statuses);
        statuses.into_iter().find_map(|status| {
            if let Some(waiting) = &status.state.waiting
                && !["ContainerCreating", "PodInitializing", ""].contains(&waiting.reason.as_str())
            {
                let message = match &status.last_state.terminated {
                    Some(last) => format!(
                        "last exit code {} ({}), {} restarts",
                        last.exit_code, last.reason, status.restart_count
                    ),
                    None => waiting.message.clone(),
                };
                return Some(self.of(&status.name, &waiting.reason, &message));
            }
            let ended = status.state.terminated.as_ref().filter(|ended| ended.exit_code != 0)?;
            Some(self.of(
                &status.name,
                &ended.reason,
                &format!("exit code {} {}", ended.exit_code, ended.message),
            ))
        })
    }

    fn failed_pod(&self) -> Option<Trouble> {
        (self.status.phase == "Failed").then(|| {
            let reason = if self.status.reason.is_empty() { "Failed" } else { &self.status.reason };
            self.of("", reason, &self.status.message)
        })
    }

    fn told_by_event(&self, events: &[Event]) -> Option<Trouble> {
        events
            .iter()
            .filter(|event| event.is_about("Pod", &self.metadata) && TELLING.contains(&event.reason.as_str()))
            .max_by_key(|event| event.time())
            .map(|event| self.of("", &event.reason, &event.message))
    }

    fn unready_container(&self) -> Option<Trouble> {
        let status = self.status.container_statuses.iter().find(|status| !status.ready);
        let waiting = status.and_then(|status| status.state.waiting.as_ref());
        let name = status.map_or("", |status| status.name.as_str());
        match waiting {
            Some(waiting) => Some(self.of(name, &waiting.reason, &waiting.message)),
            None if status.is_some_and(|status| status.state.running.is_some()) => {
                Some(self.of(name, "NotReady", "runs, but its readiness probe does not succeed"))
            }
            None => Some(self.of(name, &self.status.phase, &self.status.message)),
        }
    }
}
