//! A custom resource definition is refused for a reason that only these have. `apiextensions-apiserver` validation.

use crate::failure::rule::{Rule, field_path, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "CustomResourceDefinition",
        concat!(
            r#"CustomResourceDefinition[a-z0-9.]* "(?P<crd>[^"]+)" is invalid: \[?(?P<field>"#,
            field_path!(),
            "): (?:Too long|Invalid value|Required value|Forbidden|Duplicate value|Unsupported value)"
        ),
    ),
    strong(
        "preserveUnknownFields",
        "spec\\.preserveUnknownFields is true|preserveUnknownFields: Invalid value",
    ),
    strong(
        "storage version",
        "must have exactly one version marked as storage version|status\\.storedVersions",
    ),
    strong("storedVersions", "status\\.storedVersions\\[[0-9]+\\]: Invalid value"),
];
