//! An object without some of its fields.

use serde_json::{Map, Value};

use super::super::element::Element;
use super::super::schema::{At, Shape};
use super::super::set::Set;

/// `value` without the members of `set` and everything below them; `Null` where nothing stays.
pub(in crate::fields) fn remove(at: At<'_>, value: &Value, set: &Set) -> Value {
    match (at.shape(value, None), value) {
        (Shape::Map, Value::Object(fields)) => {
            let kept = fields.iter().filter_map(|(name, child)| {
                let element = Element::field(name.as_str());
                if set.has_member(&element) {
                    return None;
                }
                let child = match set.below(&element) {
                    Some(below) => remove(at.field(name), child, below),
                    None => child.clone(),
                };
                Some((name.clone(), child))
            });
            let kept: Map<String, Value> = kept.collect();
            if kept.is_empty() { Value::Null } else { Value::Object(kept) }
        }
        (Shape::List, Value::Array(items)) => {
            let kept = items.iter().filter_map(|item| {
                let Some(element) = at.element_of(item) else { return Some(item.clone()) };
                if set.has_member(&element) {
                    return None;
                }
                Some(match set.below(&element) {
                    Some(below) => remove(at.item(), item, below),
                    None => item.clone(),
                })
            });
            let kept: Vec<Value> = kept.collect();
            if kept.is_empty() { Value::Null } else { Value::Array(kept) }
        }
        // An atomic map or list goes as a whole when anything in it has to.
        (Shape::Leaf, Value::Object(_) | Value::Array(_)) => Value::Null,
        _ => value.clone(),
    }
}
