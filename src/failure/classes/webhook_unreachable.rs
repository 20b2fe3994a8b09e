//! An admission webhook could not be asked. Kubernetes `admission/plugin/webhook`.

use regex::Captures;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("failed calling webhook", r#"failed calling webhook "?(?P<webhook>[^ ":,]+)"?"#).reading(why),
    opaque("failed to call webhook", "failed to call webhook: ").reading(why),
    opaque(
        "conversion webhook for",
        "conversion webhook for (?P<version>[^ ,]+), Kind=(?P<kind>[A-Za-z0-9]+) failed: ",
    )
    .reading(why),
];

/// Why the call did not come through, by what the network and the API server print.
fn why(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    const REASONS: [(&str, &str); 12] = [
        ("x509", "certificate"),
        ("connection refused", "refused"),
        ("no endpoints available", "no endpoints"),
        ("no service port", "no service port"),
        ("not found", "service not found"),
        ("no such host", "no such host"),
        ("context deadline exceeded", "timeout"),
        ("Client.Timeout", "timeout"),
        ("i/o timeout", "timeout"),
        ("no route to host", "no route"),
        ("has prevented the request", "server error"),
        ("EOF", "connection closed"),
    ];
    let near: String = error.chars().take(1000).collect();
    if let Some((_, reason)) = REASONS.iter().find(|(sign, _)| near.contains(sign)) {
        entities.put("why", reason);
    }
}
