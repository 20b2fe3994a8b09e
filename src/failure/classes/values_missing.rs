//! A Secret or ConfigMap that holds values is not there.

use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong(
        "chart values reference",
        "could not resolve (?P<kind>Secret|ConfigMap) chart values reference '(?P<namespace>[^/']*)/(?P<name>[^']*)'(?: with key '(?P<key>[^']*)')?",
    ),
    strong("chart values reference", "could not resolve [A-Za-z]+ chart values reference"),
    weak("secrets \"", r#"secrets "(?P<name>[^"]+)" not found"#).likely(),
    weak("configmaps \"", r#"configmaps "(?P<name>[^"]+)" not found"#).likely(),
    weak("secret \"", r#"secret "(?P<name>[^"]+)" not found"#).likely(),
];
