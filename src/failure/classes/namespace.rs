//! The namespace is not there, or is going away.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("namespaces \"", r#"namespaces "(?P<namespace>[^"]+)" not found"#),
    strong(
        "because it is being terminated",
        "unable to create new content in namespace (?P<namespace>[^ ]+) because it is being terminated",
    ),
    strong("target namespace ", "target namespace (?P<namespace>[^ ]+) does not exist"),
];
