//! An object of that name is there already. API server, reason AlreadyExists.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("already exists", r#"(?P<resource>[a-z][a-z0-9./-]*) "(?P<name>[^"]+)" already exists"#),
    strong("object is being deleted", "object is being deleted: "),
    strong(
        "already exists",
        r#"(?:AlreadyExists|[A-Z][A-Za-z]+ "[^"]+" already exists|[a-z]+/[a-z0-9.-]+ already exists)"#,
    )
    .likely(),
];
