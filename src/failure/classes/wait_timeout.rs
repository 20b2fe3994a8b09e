//! Applied, and what was applied did not become ready in time. Helm `pkg/kube` wait, Flux kstatus.

use crate::failure::rule::{Rule, weak};

pub(super) const RULES: &[Rule] = &[
    weak(
        " not ready",
        "resource (?P<kind>[A-Za-z0-9]+)/(?P<namespace>[^ /]*)/(?P<name>[^ /]+) not ready. status: (?P<status>[A-Za-z]+)(?:, message: (?P<message>[^,]{1,200}?)(?: resource | context deadline| \\.\\.\\.|$))?",
    ),
    weak(
        "resource not ready",
        "resource not ready, name: [^ ,]+, kind: [A-Za-z0-9]+, status: (?P<status>[A-Za-z]+)",
    ),
    weak("still exists", "still exists. status: (?P<status>Terminating)"),
    weak("timeout waiting for: [", r"timeout waiting for: \[[^ ]+ status: '(?P<status>[A-Za-z]+)'"),
    weak("stalled resources", r"failed early due to stalled resources: \["),
    weak("timed out waiting for the condition", "timed out waiting for the condition"),
    weak("client rate limiter Wait", "client rate limiter Wait returned an error"),
    weak("would exceed context deadline", "would exceed context deadline"),
    weak("context deadline exceeded", "context deadline exceeded").likely(),
    weak("imed out waiting", "[Tt]imed out waiting for ").likely(),
];
