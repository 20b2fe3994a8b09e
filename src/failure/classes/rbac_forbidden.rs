//! The account that installs may not do this. Kubernetes `apiserver` authorizer.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "User \"",
        r#"User "(?P<user>[^"]*)" cannot (?P<verb>[a-z]+) (?:resource|path) "(?P<resource>[^"]*)"(?: in API group "(?P<group>[^"]*)")?(?: in the namespace "(?P<namespace>[^"]*)")?"#,
    ),
    strong("cannot impersonate", r#"cannot impersonate (?:resource )?"?(?P<resource>[a-z]+)"?"#),
];
