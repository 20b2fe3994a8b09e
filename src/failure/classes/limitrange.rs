//! A container asks for more or less than the namespace allows. Kubernetes `admission/plugin/limitranger`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        " usage per ",
        "(?P<bound>maximum|minimum) (?P<resource>[^ ]+) usage per (?P<scope>[A-Za-z]+) is (?P<allowed>[^ ,]+), but (?P<what>limit|request) is (?P<asked>[^ ,]+)",
    ),
    strong(
        " usage per ",
        "(?P<bound>maximum|minimum) (?P<resource>[^ ]+) usage per (?P<scope>[A-Za-z]+) is (?P<allowed>[^ ,]+?)\\. +No (?P<what>limit|request) is specified",
    ),
    strong(
        "limit to request ratio",
        "(?P<resource>[^ ]+) max limit to request ratio per (?P<scope>[A-Za-z]+) is (?P<allowed>[^ ,]+)",
    ),
];
