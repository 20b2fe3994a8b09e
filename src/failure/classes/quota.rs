//! The namespace has no room left. Kubernetes `admission/plugin/resourcequota`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "exceeded quota: ",
        "exceeded quota: (?P<quota>[^ ,]+), requested: (?P<requested>[^ ]+), used: (?P<used>[^ ]+), limited: (?P<limited>[^ ]+)",
    ),
    strong("exceeded quota: ", "exceeded quota: (?P<quota>[^ ,]+)"),
    strong("failed quota: ", "failed quota: (?P<quota>[^ :]+): must specify (?P<missing>[^&*]{1,300})"),
    strong("insufficient quota", "insufficient quota to (?:match|consume)"),
];
