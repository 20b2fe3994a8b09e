//! A sync waits for a hook or for a wave.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "waiting for completion of hook",
        "waiting for completion of hook (?P<hook.group>[^ /]*)/(?P<hook.kind>[A-Za-z0-9]+)/(?P<hook.name>[^ ]+)",
    ),
    strong(
        "waiting for healthy state of",
        "waiting for healthy state of (?P<group>[^ /]*)/(?P<kind>[A-Za-z0-9]+)/(?P<name>[^ ]+)",
    ),
    strong("waiting for ", "waiting for (?:completion of hook|healthy state of) [^ ]+"),
    strong("waiting for deletion of", "waiting for deletion of (?:hook )?[^ ]+").likely(),
];
