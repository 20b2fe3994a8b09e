//! A role that grants more than the installer has. Kubernetes `registry/rbac`.

use regex::Captures;
use serde_json::Value;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("RBAC permissions not currently held", "attempting to grant RBAC permissions not currently held")
        .reading(rules),
    strong("extra privileges", "attempt to grant extra privileges").likely(),
];

/// The rules that the installer does not hold itself.
fn rules(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    for rule in error.split("{APIGroups:").skip(1).take(100) {
        if let Some(rule) = rule.split('}').next() {
            entities.add("rules", Value::from(format!("APIGroups:{rule}")));
        }
    }
}
