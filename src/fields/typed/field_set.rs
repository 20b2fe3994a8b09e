//! The fields that an applied configuration sets.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::element::Element;
use super::super::path::Path;
use super::super::schema::{At, Shape};
use super::super::set::Set;

/// A part of an applied configuration that the API server refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// Two items of a list have the same key.
    #[error("{path}: two items with this key")]
    Duplicate {
        /// The item.
        path: Path,
    },
    /// An item has none of its list's key fields, or cannot be an item of a set.
    #[error("{list}: item {place} has no key")]
    NoKey {
        /// The list.
        list: Path,
        /// Place of the item, from 0.
        place: usize,
    },
}

/// Every field that `value` sets, as the applier will own it, and what the server would refuse.
pub(in crate::fields) fn field_set(at: At<'_>, value: &Value) -> (Set, Vec<Invalid>) {
    let mut walk = Walk::default();
    walk.value(at, value);
    (walk.set, walk.invalid)
}

#[derive(Default)]
struct Walk {
    path: Vec<Element>,
    set: Set,
    invalid: Vec<Invalid>,
}

impl Walk {
    fn value(&mut self, at: At<'_>, value: &Value) {
        match at.shape(value, None) {
            Shape::Leaf => self.set.insert(&self.path),
            Shape::Map => self.fields(at, value),
            Shape::List => self.items(at, value),
        }
    }

    fn fields(&mut self, at: At<'_>, value: &Value) {
        for (name, child) in value.as_object().into_iter().flatten() {
            self.path.push(Element::field(name.as_str()));
            self.value(at.field(name), child);
            let is_empty = child.is_null() || child.as_object().is_some_and(serde_json::Map::is_empty);
            if is_empty || !at.has_named_fields() {
                self.set.insert(&self.path);
            }
            self.path.pop();
        }
    }

    fn items(&mut self, at: At<'_>, value: &Value) {
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for (place, item) in items.iter().enumerate() {
            let Some(element) = at.element_of(item) else {
                self.invalid.push(Invalid::NoKey { list: Path(self.path.clone()), place });
                continue;
            };
            self.path.push(element.clone());
            if seen.insert(element) {
                self.value(at.item(), item);
                self.set.insert(&self.path);
            } else {
                self.invalid.push(Invalid::Duplicate { path: Path(self.path.clone()) });
            }
            self.path.pop();
        }
    }
}
