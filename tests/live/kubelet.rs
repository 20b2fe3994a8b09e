//! The player for kubelet: its pods look as a diagnosis expects them, and the Deployment and Helm follow.

use std::time::Duration;

use serde_json::Value;

use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::ControlPlane;
use crate::harness::kubelet::{Fate, Kubelet};
use crate::harness::managed_fields::owners;
use crate::harness::{planes, release, wait};

const SOON: Duration = Duration::from_secs(30);

fn pods(plane: &ControlPlane, namespace: &str) -> Vec<Value> {
    let list = plane.api().get(&format!("/api/v1/namespaces/{namespace}/pods")).ok();
    list["items"].as_array().cloned().unwrap_or_default()
}

/// What makes a pod's state, at one place or the other.
fn reason(pod: &Value) -> &str {
    let status = &pod["status"];
    status["containerStatuses"][0]["state"]["waiting"]["reason"]
        .as_str()
        .or_else(|| status["containerStatuses"][0]["state"]["terminated"]["reason"].as_str())
        .or_else(|| status["conditions"][0]["reason"].as_str())
        .unwrap_or_default()
}

#[test]
fn ready_pods_make_the_deployment_available_and_helm_stops_waiting() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("ready");
    let _kubelet = Kubelet::play(plane, &namespace, |_| Fate::Ready);
    let chart = Chart::new("6.14.0").write(plane);

    plane
        .tools()
        .helm4(&["install", RELEASE, &chart, "--namespace", &namespace, "--wait", "--timeout=60s"])
        .succeeded();

    let path = format!("/apis/apps/v1/namespaces/{namespace}/deployments/{DEPLOYMENT}");
    assert_eq!(plane.api().get(&path).ok()["status"]["readyReplicas"], 2);
    let managers: Vec<_> = owners(&pods(plane, &namespace)[0], &["status", "phase"])
        .into_iter()
        .map(|owner| owner.manager)
        .collect();
    assert_eq!(managers, ["kubelet"]);
}

#[test]
fn pods_that_never_get_ready_fail_a_waiting_helm() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("never-ready");
    let _kubelet = Kubelet::play(plane, &namespace, |_| Fate::ImagePullError);
    let chart = Chart::new("6.14.0").write(plane);

    plane
        .tools()
        .helm4(&["install", RELEASE, &chart, "--namespace", &namespace, "--wait", "--timeout=3s"])
        .failed();

    let revision = release::newest(plane.api(), &namespace, RELEASE);
    assert_eq!(revision.status, "failed");
    assert!(revision.description.starts_with("Release \"shop\" failed: "), "{}", revision.description);
}

#[test]
fn every_fate_can_be_told_from_the_others() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("fates");
    // The image decides, as it does in most of the cases that need several fates at once.
    let fates = [
        ("pulls-not", Fate::ImagePullError, "Pending", "ImagePullBackOff"),
        ("crashes", Fate::CrashLoop, "Running", "CrashLoopBackOff"),
        ("fits-nowhere", Fate::Unschedulable, "Pending", "Unschedulable"),
        ("succeeds", Fate::Succeeded, "Succeeded", "Completed"),
        ("fails", Fate::Failed, "Failed", "Error"),
    ];
    let _kubelet = Kubelet::play(plane, &namespace, move |pod| {
        let image = pod["spec"]["containers"][0]["image"].as_str().unwrap_or_default();
        fates.iter().find(|(tag, ..)| image.ends_with(tag)).map_or(Fate::Ready, |(_, fate, ..)| *fate)
    });
    let tools = plane.tools();
    for (tag, ..) in fates {
        let image = format!("--image=registry.example.com/shop/web:{tag}");
        tools.kubectl(&["run", tag, &image, "--namespace", &namespace]).succeeded();
    }

    for (tag, _, phase, why) in fates {
        wait::expect(&format!("{tag} to be {phase}"), SOON, || {
            let pods = pods(plane, &namespace);
            let pod = pods.iter().find(|pod| pod["metadata"]["name"] == tag).cloned().unwrap_or_default();
            if pod["status"]["phase"] == phase && reason(&pod) == why {
                Ok(())
            } else {
                Err(pod["status"].to_string())
            }
        });
    }
}
