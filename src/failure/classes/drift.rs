//! A field, or an object, is not what the release set. Fleet drift items, Flux drift detection.

use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    weak(" modified {", r"[a-z0-9]+\.[a-z0-9.-]+ [^ ]+ modified \{"),
    weak(" missing", "[a-z0-9]+\\.[a-z0-9.-]+ [a-z0-9][^ ]* missing(?:[;,\\]\"]|$)"),
    weak(" extra", "[a-z0-9]+\\.[a-z0-9.-]+ [a-z0-9][^ ]* extra(?:[;,\\]\"]|$)"),
    weak("is not owned by us", "[a-z0-9]+\\.[a-z0-9.-]+ [^ ]+ is not owned by us"),
    strong(
        " changed (",
        r"[A-Z][A-Za-z0-9]*/[^ ]+ changed \((?P<additions>[0-9]+) additions?, (?P<changes>[0-9]+) changes?, (?P<removals>[0-9]+) removals?\)",
    ),
    strong("luster state of release", "[Cc]luster state of release [^ ]+ has drifted").likely(),
];
