//! The pod breaks the namespace's Pod Security level. Kubernetes `pod-security-admission`.

use regex::Captures;
use serde_json::Value;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "violates PodSecurity",
        r#"violates PodSecurity "(?P<level>[^":]+):(?P<version>[^"]+)"(?:: (?P<checks>[^(]{1,200}))?"#,
    )
    .reading(containers),
    strong(
        "against any ",
        "unable to validate against any (?:pod security policy|security context constraint)",
    )
    .likely(),
];

/// The containers that break it.
fn containers(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    for said in error.split("container \"").skip(1).take(100) {
        if let Some(name) = said.split('"').next() {
            entities.add("containers", Value::from(name));
        }
    }
}
