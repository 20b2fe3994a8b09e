//! The API server does not serve this kind in this version. client-go `meta.NoKindMatchError`.

use regex::Captures;
use serde_json::Value;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong(
        "no matches for kind",
        r#"no matches for kind "(?P<kind>[^"]*)" in (?:version|group) "(?P<version>[^"]*)""#,
    )
    .reading(kinds),
    strong(
        "failed to discover server resources",
        "failed to discover server resources for group version (?P<version>[^ :]+)",
    ),
    strong(
        "could not find ",
        "Kubernetes API could not find (?P<group>[^ /]*)/(?P<kind>[A-Za-z0-9]+) for requested resource",
    ),
    strong("no kind \"", r#"no kind "(?P<kind>[^"]*)" is registered for version "(?P<version>[^"]*)""#)
        .likely(),
    strong("removed kubernetes api", r"contains removed kubernetes api\(s\)"),
    strong("resource mapping not found", "resource mapping not found for name: "),
    strong("ensure CRDs are installed first", "ensure CRDs are installed first"),
    weak("could not find the requested resource", "the server could not find the requested resource")
        .possible(),
];

/// All kinds of the list, `VERSION KIND`, and on which side they are missing.
fn kinds(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    for found in error.split("no matches for kind \"").skip(1).take(500) {
        let mut parts = found.split('"');
        if let (Some(kind), Some(_), Some(version)) = (parts.next(), parts.next(), parts.next()) {
            entities.add("kinds", Value::from(format!("{version} {kind}")));
        }
    }
}
