//! A player for kubelet and scheduler, who are not there: gives pods the status that a test wants to see.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::api::{Verb, Wire};
use super::control_plane::ControlPlane;

/// Makes the manager of the status `kubelet`, as on a real node.
const KUBELET: &str = "kubelet/v1.37.2";
const SCHEDULER: &str = "kube-scheduler/v1.37.2";
const PAUSE: Duration = Duration::from_millis(150);

/// What becomes of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Ready,
    ImagePullError,
    CrashLoop,
    Unschedulable,
    /// For the pods of Jobs, so of most hooks.
    Succeeded,
    Failed,
}

/// Plays for one namespace until it is dropped.
pub struct Kubelet(JoinHandle<()>);

impl Kubelet {
    /// `rule` sees the pod as the API serves it, and again in every round: a fate may change.
    pub fn play(
        plane: &ControlPlane,
        namespace: &str,
        rule: impl Fn(&Value) -> Fate + Send + Sync + 'static,
    ) -> Self {
        let pods = format!("/api/v1/namespaces/{namespace}/pods");
        Self(plane.api().spawn(|wire| async move {
            let mut played = HashMap::new();
            loop {
                if let Err(problem) = round(&wire, &pods, &rule, &mut played).await {
                    eprintln!("kubelet of {pods}: {problem}");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }))
    }
}

impl Drop for Kubelet {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn round(
    wire: &Wire,
    pods: &str,
    rule: &(impl Fn(&Value) -> Fate + Sync),
    played: &mut HashMap<String, Fate>,
) -> Result<(), String> {
    let list = wire.send(KUBELET, Verb::Get, pods, None).await?.body;
    for pod in list["items"].as_array().into_iter().flatten() {
        let text = |field: &str| pod["metadata"][field].as_str().unwrap_or_default();
        let fate = rule(pod);
        if played.get(text("uid")) == Some(&fate) {
            continue;
        }
        let agent = match fate {
            Fate::Unschedulable => SCHEDULER,
            _ => KUBELET,
        };
        let path = format!("{pods}/{}/status", text("name"));
        let body = json!({"status": status(pod, fate)});
        let answer = wire.send(agent, Verb::Merge, &path, Some(&body)).await?;
        match answer.status {
            200 => played.insert(text("uid").to_owned(), fate),
            // Deleted since the list, or written by a controller at the same time.
            404 | 409 => None,
            _ => return Err(format!("{fate:?} for {path}: {}", answer.body)),
        };
    }
    Ok(())
}

/// Worded as the kubelet of Kubernetes 1.37 words it, as far as Helm and our diagnosis look.
fn status(pod: &Value, fate: Fate) -> Value {
    let now = now();
    if fate == Fate::Unschedulable {
        return json!({
            "phase": "Pending",
            "conditions": [{
                "type": "PodScheduled",
                "status": "False",
                "lastTransitionTime": now,
                "reason": "Unschedulable",
                "message": "0/3 nodes are available: 3 Insufficient memory.",
            }],
        });
    }
    let containers = pod["spec"]["containers"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = containers.iter().filter_map(|container| container["name"].as_str()).collect();
    let ready = match fate {
        Fate::Ready => json!({"status": "True"}),
        Fate::Succeeded => json!({"status": "False", "reason": "PodCompleted"}),
        _ => json!({
            "status": "False",
            "reason": "ContainersNotReady",
            "message": format!("containers with unready status: [{}]", names.join(" ")),
        }),
    };
    let condition = |kind: &str, state: &Value| {
        let mut condition = state.clone();
        condition["type"] = kind.into();
        condition["lastTransitionTime"] = now.clone().into();
        condition
    };
    let done = json!({"status": "True"});
    let statuses: Vec<Value> =
        containers.iter().map(|container| container_status(container, fate, &now)).collect();
    json!({
        "phase": match fate {
            Fate::Ready | Fate::CrashLoop => "Running",
            Fate::ImagePullError | Fate::Unschedulable => "Pending",
            Fate::Succeeded => "Succeeded",
            Fate::Failed => "Failed",
        },
        "startTime": now,
        "conditions": [
            condition("PodScheduled", &done),
            condition("Initialized", &done),
            condition("ContainersReady", &ready),
            condition("Ready", &ready),
        ],
        "containerStatuses": statuses,
    })
}

fn container_status(container: &Value, fate: Fate, now: &str) -> Value {
    let image = container["image"].as_str().unwrap_or_default();
    let name = container["name"].as_str().unwrap_or_default();
    let ended = |code: u8, reason: &str| {
        let end = json!({"exitCode": code, "reason": reason, "startedAt": now, "finishedAt": now});
        json!({"terminated": end})
    };
    let waiting = |reason: &str, message: String| json!({"waiting": {"reason": reason, "message": message}});
    let (state, last, restarts) = match fate {
        Fate::Ready | Fate::Unschedulable => (json!({"running": {"startedAt": now}}), json!({}), 0),
        Fate::ImagePullError => {
            (waiting("ImagePullBackOff", format!("Back-off pulling image \"{image}\"")), json!({}), 0)
        }
        Fate::CrashLoop => (
            waiting("CrashLoopBackOff", format!("back-off 5m0s restarting failed container={name}")),
            ended(1, "Error"),
            7,
        ),
        Fate::Succeeded => (ended(0, "Completed"), json!({}), 0),
        Fate::Failed => (ended(1, "Error"), json!({}), 0),
    };
    json!({
        "name": name,
        "image": image,
        "imageID": "",
        "ready": fate == Fate::Ready,
        "started": fate == Fate::Ready,
        "restartCount": restarts,
        "state": state,
        "lastState": last,
    })
}

/// The API keeps whole seconds.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
