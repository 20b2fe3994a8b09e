//! A BundleDeployment's state, computed from ids and conditions.
//!
//! `status.display.state` is the agent's older view: `Modified` or even `Ready` where GitRepo and
//! Bundle read `WaitApplied` (measured on Fleet 0.16.1), so it is never read.

use std::fmt;

use super::records::BundleDeployment;
use crate::record::condition;

/// Fleet's states, best first: a Bundle or GitRepo shows the worst of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// What Git says runs.
    Ready,
    /// Applied, and something is not ready; also errors that the agent does not try again.
    NotReady,
    /// A target without a BundleDeployment.
    Pending,
    /// A newer commit is held back.
    OutOfSync,
    /// Somebody changed an object.
    Modified,
    /// Not applied yet, and no reason given.
    WaitApplied,
    /// Not applied, with a reason.
    ErrApplied,
}

impl State {
    /// The state of one BundleDeployment; the first rule that holds, in Fleet's order.
    pub fn of(deployment: &BundleDeployment) -> Self {
        let (spec, status) = (&deployment.spec, &deployment.status);
        let is_applied = status.applied_deployment_id == spec.deployment_id;
        let has_failed = condition(&status.conditions, "Deployed").is_some_and(|it| it.status == "False");
        let rules = [
            (!is_applied && has_failed, Self::ErrApplied),
            (!is_applied, Self::WaitApplied),
            (!status.ready, Self::NotReady),
            (spec.deployment_id != spec.staged_deployment_id, Self::OutOfSync),
            (!status.non_modified, Self::Modified),
        ];
        rules.into_iter().find(|(holds, _)| *holds).map_or(Self::Ready, |(_, state)| state)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_first_rule_that_holds_wins() {
        let rows: [(&str, Value, &str); 7] = [
            ("b", json!({"appliedDeploymentID": "b", "ready": true, "nonModified": true}), "Ready"),
            ("b", json!({"appliedDeploymentID": "a", "ready": true}), "WaitApplied"),
            (
                "b",
                json!({"appliedDeploymentID": "a", "conditions": [{"type": "Deployed", "status": "False"}]}),
                "ErrApplied",
            ),
            (
                "b",
                json!({"appliedDeploymentID": "a", "conditions": [{"type": "Deployed", "status": "True"}],
                       "display": {"state": "Ready"}}),
                "WaitApplied",
            ),
            ("b", json!({"appliedDeploymentID": "b", "ready": false, "nonModified": true}), "NotReady"),
            ("b", json!({"appliedDeploymentID": "b", "ready": true, "nonModified": false}), "Modified"),
            ("c", json!({"appliedDeploymentID": "b", "ready": true, "nonModified": true}), "OutOfSync"),
        ];
        for (staged, status, expected) in rows {
            let deployment: BundleDeployment = serde_json::from_value(json!({
                "spec": {"deploymentID": "b", "stagedDeploymentID": staged}, "status": status,
            }))
            .unwrap();
            assert_eq!(State::of(&deployment).to_string(), expected, "{deployment:?}");
        }
    }
}
