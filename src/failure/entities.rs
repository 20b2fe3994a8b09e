//! What a text names besides objects, by the guide's keys.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::redact;

/// The first value of a key wins: the innermost cause comes first.
#[derive(Default)]
pub(super) struct Entities(pub BTreeMap<&'static str, Value>);

impl Entities {
    /// Sets a key that is not set yet. `hook.phase` is `phase` inside `hook`; a number stays one.
    pub fn put(&mut self, key: &'static str, said: &str) {
        if said.is_empty() || said.contains(super::flat::MASK) {
            return;
        }
        let value = match key {
            "revision" | "fleet.count" | "line" | "column" => {
                said.parse::<u64>().map_or_else(|_| Value::from(said), Value::from)
            }
            _ => Value::from(redact::text(said).into_owned()),
        };
        self.set(key, value);
    }

    /// Sets a key that is not set yet.
    pub fn set(&mut self, key: &'static str, value: Value) {
        match key.split_once('.') {
            None => {
                self.0.entry(key).or_insert(value);
            }
            Some((outer, inner)) => {
                if let Value::Object(map) = self.0.entry(outer).or_insert_with(|| Value::Object(Map::new())) {
                    map.entry(inner).or_insert(value);
                }
            }
        }
    }

    /// Adds to a list, once.
    pub fn add(&mut self, key: &'static str, value: Value) {
        if let Value::Array(list) = self.0.entry(key).or_insert_with(|| json!([]))
            && list.len() < 1000
            && !list.contains(&value)
        {
            list.push(value);
        }
    }

    /// Whether the key is set.
    pub fn has(&self, key: &str) -> bool {
        match key.split_once('.') {
            None => self.0.contains_key(key),
            Some((outer, inner)) => self.0.get(outer).is_some_and(|value| value.get(inner).is_some()),
        }
    }
}
