//! Workloads in every state that the guides name.

use serde_json::{Value, json};

use super::*;

fn parse<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a record")
}

fn now() -> Timestamp {
    "2026-12-01T02:00:00Z".parse().expect("a time")
}

fn deployment(status: Value) -> Workload {
    parse(json!({"kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", "uid": "d", "generation": 2},
        "spec": {"replicas": 2}, "status": status}))
}

fn replica_set(name: &str, revision: &str, replicas: i64) -> Workload {
    parse(json!({"metadata": {"name": name, "namespace": "shop", "uid": name,
            "annotations": {"deployment.kubernetes.io/revision": revision}, "ownerReferences": [{"uid": "d"}]},
        "spec": {"replicas": replicas,
            "template": {"spec": {"containers": [{"name": "web", "image": format!("web:{revision}")}]}}},
        "status": {"readyReplicas": 1}}))
}

fn pod(owner: &str, status: Value) -> Pod {
    parse(json!({"metadata": {"name": "web-1", "namespace": "shop", "ownerReferences": [{"uid": owner}]},
        "status": status}))
}

fn waiting(reason: &str) -> Value {
    json!({"phase": "Pending",
        "containerStatuses": [{"name": "web", "state": {"waiting": {"reason": reason, "message": "said so"}}}]})
}

#[test]
fn classes() {
    let done = json!({"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2});
    let late = json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 2,
        "conditions": [{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}]});
    let refused = json!({"observedGeneration": 2, "replicas": 2, "availableReplicas": 2,
        "conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "exceeded quota: q"}]});
    let unseen =
        json!({"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2});
    let cases = [
        (done, None),
        (late, Some("rollout.deadline")),
        (refused, Some("rollout.refused")),
        (unseen, Some("rollout.progressing")),
        (Value::Null, Some("rollout.progressing")),
    ];
    for (status, class) in cases {
        let found = why(&deployment(status.clone()), &[], &[], &[], now());
        assert_eq!(found.map(|found| found.class.0), class, "{status}");
    }
}

#[test]
fn old_and_new_stand_side_by_side() {
    let sets =
        [replica_set("web-old", "1", 2), replica_set("web-new", "10", 1), replica_set("web-older", "9", 0)];
    let pods = [pod("web-new", waiting("ImagePullBackOff")), pod("web-old", waiting("CrashLoopBackOff"))];
    let found = why(&deployment(Value::Null), &sets, &pods, &[], now()).expect("it does not run");
    assert_eq!(found.new.map(|side| side.images["web"].clone()).as_deref(), Some("web:10"));
    assert_eq!(found.old.map(|side| side.name).as_deref(), Some("web-old"));
    let reasons: Vec<&str> = found.troubles.iter().map(|trouble| trouble.reason.as_str()).collect();
    assert_eq!(reasons, ["ImagePullBackOff"]);
}

#[test]
fn pods_say_why() {
    let crashed = json!({"phase": "Running", "containerStatuses": [{"name": "web", "restartCount": 3,
        "state": {"waiting": {"reason": "CrashLoopBackOff"}},
        "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]});
    let unready =
        json!({"phase": "Running", "containerStatuses": [{"name": "web", "state": {"running": {}}}]});
    let unscheduled = json!({"phase": "Pending",
        "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"}]});
    let event: Event = parse(json!({"type": "Warning", "reason": "FailedMount", "message": "no such secret",
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-1"}}));
    let cases = [
        (crashed, vec![], "CrashLoopBackOff", "last exit code 137 (OOMKilled), 3 restarts"),
        (unready, vec![], "NotReady", "runs, but its readiness probe does not succeed"),
        (unscheduled, vec![], "Unschedulable", "0/3 nodes"),
        (waiting("ContainerCreating"), vec![event], "FailedMount", "no such secret"),
        (waiting("ContainerCreating"), vec![], "ContainerCreating", "said so"),
        (json!({"phase": "Failed", "reason": "Evicted", "message": "disk"}), vec![], "Evicted", "disk"),
    ];
    for (status, events, reason, message) in cases {
        let trouble = pod("web", status).trouble(&events).expect("trouble");
        assert_eq!((trouble.reason.as_str(), trouble.message.as_str()), (reason, message));
    }
}

#[test]
fn other_kinds_are_counted_by_their_own_counters() {
    let daemon_set: Workload =
        parse(json!({"kind": "DaemonSet", "metadata": {"name": "log", "namespace": "shop"},
        "status": {"desiredNumberScheduled": 3, "updatedNumberScheduled": 3, "numberAvailable": 2}}));
    let stateful_set: Workload =
        parse(json!({"kind": "StatefulSet", "metadata": {"name": "db", "namespace": "shop"},
        "spec": {"replicas": 1}, "status": {"replicas": 1, "updatedReplicas": 1, "readyReplicas": 1}}));
    assert!(why(&daemon_set, &[], &[], &[], now()).is_some());
    assert!(why(&stateful_set, &[], &[], &[], now()).is_none());
}
