//! The applied configuration laid over the live object.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::element::Element;
use super::super::schema::{At, Shape};

/// `live` with what `applied` sets. Nothing is removed by it. `None` where both are empty maps or lists that
/// merge to nothing.
pub(in crate::fields) fn merge(at: At<'_>, live: Option<&Value>, applied: Option<&Value>) -> Option<Value> {
    let (Some(live), Some(applied)) = (live, applied) else {
        return live.or(applied).cloned();
    };
    match at.shape(applied, Some(live)) {
        shape if is_empty(shape, live) && is_empty(shape, applied) => Some(applied.clone()),
        Shape::Map => merge_maps(at, live, applied),
        Shape::List => merge_lists(at, live, applied),
        Shape::Leaf => Some(applied.clone()),
    }
}

/// Whether a value holds no items of this shape. What has another shape holds none.
pub(super) fn is_empty(shape: Shape, value: &Value) -> bool {
    match shape {
        Shape::Leaf => false,
        Shape::Map => value.as_object().is_none_or(Map::is_empty),
        Shape::List => value.as_array().is_none_or(Vec::is_empty),
    }
}

fn merge_maps(at: At<'_>, live: &Value, applied: &Value) -> Option<Value> {
    let mut merged = Map::new();
    if let Some(live) = live.as_object() {
        for (name, value) in live {
            if let Some(value) = merge(at.field(name), Some(value), applied.get(name)) {
                merged.insert(name.clone(), value);
            }
        }
    }
    for (name, value) in applied.as_object().into_iter().flatten() {
        if live.get(name).is_none() {
            merged.insert(name.clone(), value.clone());
        }
    }
    (!merged.is_empty()).then_some(Value::Object(merged))
}

/// The order of items differs from the server's where both add some; no comparison depends on it.
fn merge_lists(at: At<'_>, live: &Value, applied: &Value) -> Option<Value> {
    let items = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let applied = items(applied);
    let mut wanted: BTreeMap<Element, &Value> =
        applied.iter().filter_map(|item| Some((at.element_of(item)?, item))).collect();
    let live: Vec<(Option<Element>, Value)> =
        items(live).into_iter().map(|item| (at.element_of(&item), item)).collect();
    let mut count: BTreeMap<&Element, usize> = BTreeMap::new();
    live.iter()
        .filter_map(|(element, _)| element.as_ref())
        .for_each(|element| *count.entry(element).or_default() += 1);
    let mut merged = Vec::new();
    for (element, item) in &live {
        // Items with the same key cannot be merged: the applied one replaces them all.
        let is_alone = element.as_ref().and_then(|element| count.get(element)) == Some(&1);
        match element.as_ref().filter(|element| wanted.contains_key(element)) {
            Some(element) if is_alone => merged.extend(merge(at.item(), Some(item), wanted.remove(element))),
            Some(_) => {}
            None => merged.push(item.clone()),
        }
    }
    merged.extend(wanted.into_values().cloned());
    (!merged.is_empty()).then_some(Value::Array(merged))
}
