//! What the workloads in question run at this moment.

use serde_json::Value;

use crate::evidence::Case;
use crate::report::Running;

/// One line per workload that was read.
pub fn running(case: &Case) -> Vec<Running> {
    case.living
        .iter()
        .filter_map(|living| {
            let says = ready(&living.object.kind, living.live()?.object())?;
            Some(Running { object: living.object.clone(), says })
        })
        .collect()
}

/// `4 of 4 ready`. Fields as the controllers of Kubernetes 1.37 write them; an absent number is 0.
fn ready(kind: &str, live: &Value) -> Option<String> {
    let number = |pointer: &str| live.pointer(pointer).and_then(Value::as_i64).unwrap_or(0);
    let (ready, wanted) = match kind {
        "Deployment" | "StatefulSet" | "ReplicaSet" => {
            (number("/status/readyReplicas"), number("/spec/replicas"))
        }
        "DaemonSet" => (number("/status/numberReady"), number("/status/desiredNumberScheduled")),
        _ => return None,
    };
    let updated = live.pointer("/status/updatedReplicas").and_then(Value::as_i64);
    let rollout = match updated {
        Some(updated) if updated < wanted => format!(", {updated} of the newest template"),
        _ => String::new(),
    };
    Some(format!("{ready} of {wanted} ready{rollout}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_controllers() {
        let live = serde_json::json!({"spec": {"replicas": 4}, "status": {"readyReplicas": 4, "updatedReplicas": 4}});
        assert_eq!(ready("Deployment", &live).unwrap(), "4 of 4 ready");
        let live = serde_json::json!({"spec": {"replicas": 2}, "status": {"readyReplicas": 2, "updatedReplicas": 1}});
        assert_eq!(ready("Deployment", &live).unwrap(), "2 of 2 ready, 1 of the newest template");
        assert_eq!(
            ready("Deployment", &serde_json::json!({"spec": {"replicas": 1}})).unwrap(),
            "0 of 1 ready"
        );
        assert_eq!(ready("ConfigMap", &live), None);
    }
}
