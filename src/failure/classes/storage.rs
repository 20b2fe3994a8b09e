//! Helm cannot read or write its own record. Helm `pkg/storage/driver`.

use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong("release: already exists", "release: already exists"),
    strong("sh.helm.release.v1.", r#"(?:secrets|configmaps) "sh\.helm\.release\.v1\.[^"]+" (?:already exists|not found)"#),
    strong("failed to ", "(?:create|update|get|list|query|delete): failed to (?:create|update|get|list|query|delete)(?: with labels)?(?: \"[^\"]*\")?: (?:context deadline exceeded|context canceled|timed out)"),
    strong("release has no ", "release has no (?P<missing_revision>[0-9]+) version"),
    strong("failed to decode", "failed to decode release|(?:get|list|query): failed to (?:decode|get)[^:]{0,60}: (?:illegal base64|gzip: invalid header|unexpected end of JSON|invalid character)"),
    strong("illegal base64", "(?:failed to (?:get|decode|list|query|load)|decod(?:e|ing) release)[^:]{0,60}: illegal base64 data"),
    strong("gzip: invalid header", "gzip: invalid header"),
    strong("failed to record release", "failed to record release").likely(),
    weak(": failed to ", "(?:create|update|get|list|query|delete): failed to (?:create|update|get|list|query|delete)(?: with labels)?: ").likely(),
];
