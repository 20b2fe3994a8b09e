//! Somebody wrote the object between read and write (HTTP 409 by resource version).

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "cannot be fulfilled on",
        r#"Operation cannot be fulfilled on (?P<resource>[^ ]+) "(?P<name>[^"]*)""#,
    ),
    strong("object has been modified", "(?:[Tt]he )?object has been modified"),
    strong(
        "has been modified",
        "StorageError: invalid object, Code: 4|Precondition failed: UID in precondition",
    )
    .likely(),
];
