//! The values do not fit the chart's schema. Helm `pkg/chart/util` `ValidateAgainstSchema`.

use regex::Captures;
use serde_json::Value;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("the specifications of the schema", r"values don't meet the specifications of the schema\(s\) in the following chart\(s\): (?P<chart>[^ :]+): - (?:at '(?P<pointer>[^']*)'|(?P<field>[^ :]+)): (?P<rule>.{1,160}?)(?: - |$)").reading(single),
    opaque("the specifications of the schema", "values don't meet the specifications of the schema"),
];

/// Every value that does not fit: `- at '/replicas': …` (Helm 4), `- webhook.x: …` (Helm 3).
fn single(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    for said in error.split(" - ").skip(1).take(100) {
        let place =
            said.strip_prefix("at '").map_or_else(|| said.split(": ").next(), |rest| rest.split('\'').next());
        if let Some(place) = place.filter(|place| place.len() < 200) {
            entities.add("fields", Value::from(place));
        }
    }
}
