//! What `explain` says, as data.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::failure::{self, ClassEntry, Failure, Found};

/// A failure of a pasted text.
pub struct Told {
    /// What is said.
    pub failure: Failure,
    /// Where, unless the text is one.
    pub lines: Option<RangeInclusive<usize>>,
}

impl Told {
    /// The failure that the whole text tells.
    pub fn whole(failure: Failure) -> Self {
        Self { failure, lines: None }
    }

    /// Classes that speak of the same things, where nothing is known.
    pub fn nearest(&self) -> Vec<failure::Class> {
        if super::is_unknown(&self.failure) { failure::nearest(&self.failure.text) } else { Vec::new() }
    }
}

impl From<Found> for Told {
    fn from(found: Found) -> Self {
        Self { failure: found.failure, lines: Some(found.lines) }
    }
}

/// The first failure's keys, and all of them where there are several.
pub fn all(told: &[Told]) -> Value {
    let mut first = told.first().map_or(Value::Null, one);
    if told.len() > 1 {
        first["failures"] = told.iter().map(one).collect();
    }
    first
}

fn one(told: &Told) -> Value {
    let failure = &told.failure;
    let conflicts: Vec<Value> = failure
        .conflicts
        .iter()
        .map(|conflict| {
            json!({
                "object": conflict.object_index.and_then(|index| failure.objects.get(index)),
                "field": conflict.field,
                "path": conflict.field,
                "manager": conflict.manager,
                "operation": conflict.operation,
                "subresource": conflict.subresource,
                "apiVersion": conflict.api_version,
                "time": conflict.time,
            })
        })
        .collect();
    let mut value = json!({
        "class": failure.class,
        "title": failure::explained(failure.class.0).map(|entry| entry.title),
        "confidence": failure.confidence,
        "also": failure.also,
        "conflicts": conflicts,
        "objects": failure.objects,
        "entities": failure.entities,
        "wrappers": failure.wrappers,
        "truncated": failure.truncated,
        "text": failure.text,
    });
    if let Some(lines) = &told.lines {
        value["lines"] = json!([lines.start(), lines.end()]);
    }
    let nearest = told.nearest();
    if !nearest.is_empty() {
        value["nearest"] = json!(nearest);
    }
    value
}

/// A class's page.
pub fn class(entry: &ClassEntry) -> Value {
    let ways: Vec<Value> = entry
        .ways_out
        .iter()
        .map(|way| {
            json!({
                "title": way.title, "deployers": way.deployers, "managers": way.managers, "risk": way.risk, "who": way.who,
                "commands": way.commands, "then": way.then,
            })
        })
        .collect();
    json!({
        "class": entry.class, "group": entry.group, "title": entry.title, "explanation": entry.explanation,
        "recognise": entry.recognise, "byItself": entry.retries, "waysOut": ways, "texts": entry.texts,
    })
}
