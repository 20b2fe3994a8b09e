//! What an apply would change.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::element::Element;
use super::super::order;
use super::super::path::Path;
use super::super::schema::{At, Shape};
use super::super::set::Set;
use super::merge::is_empty;

/// The difference between two states of one object.
#[derive(Clone, Debug, Default)]
pub(in crate::fields) struct Comparison {
    /// Fields of the first alone.
    pub(in crate::fields) removed: Set,
    /// Fields of both, with different values.
    pub(in crate::fields) modified: Set,
    /// Fields of the second alone.
    pub(in crate::fields) added: Set,
}

/// Compares two states.
pub(in crate::fields) fn compare(at: At<'_>, before: &Value, after: &Value) -> Comparison {
    let mut walk = Walk::default();
    walk.both(at, Some(before), Some(after));
    walk.out
}

/// What laying `applied` over `live` adds and modifies, without making the merged object.
pub(in crate::fields) fn set_by(at: At<'_>, live: &Value, applied: &Value) -> Comparison {
    let mut walk = Walk { only_set: true, ..Walk::default() };
    walk.both(at, Some(live), Some(applied));
    Comparison { removed: Set::default(), ..walk.out }
}

#[derive(Default)]
struct Walk {
    /// What the second lacks stays: it is no state, but a configuration laid over the first.
    only_set: bool,
    path: Vec<Element>,
    out: Comparison,
}

impl Walk {
    fn both(&mut self, at: At<'_>, before: Option<&Value>, after: Option<&Value>) {
        if let (Some(before), Some(after)) = (before, after)
            && order::same(before, after)
        {
            return;
        }
        let before_shape = before.map(|value| at.shape(value, after));
        let after_shape = after.map(|value| at.shape(value, before));
        let is_leaf = match (before_shape, after_shape) {
            (Some(shape), None) | (None, Some(shape)) => self.shaped(shape, at, before, after),
            (Some(a), Some(b)) if a == b => self.shaped(b, at, before, after),
            (Some(a), Some(b)) => {
                self.shaped(a, at, before, after);
                self.shaped(b, at, before, after)
            }
            (None, None) => true,
        };
        if !is_leaf {
            match (before, after) {
                (None, _) => self.out.added.insert(&self.path),
                (_, None) => self.out.removed.insert(&self.path),
                _ => {}
            }
        }
    }

    /// Whether it was taken as one value.
    fn shaped(&mut self, shape: Shape, at: At<'_>, before: Option<&Value>, after: Option<&Value>) -> bool {
        let is_empty = |value: Option<&Value>| value.is_none_or(|value| is_empty(shape, value));
        let are_empty = is_empty(before) && is_empty(after);
        match shape {
            _ if are_empty => self.leaf(before, after),
            Shape::Leaf => self.leaf(before, after),
            Shape::Map => self.fields(at, before, after),
            Shape::List => self.items(at, before, after),
        }
    }

    fn leaf(&mut self, before: Option<&Value>, after: Option<&Value>) -> bool {
        match (before, after) {
            (None, _) => self.out.added.insert(&self.path),
            (_, None) => self.out.removed.insert(&self.path),
            (Some(before), Some(after)) if !order::same(before, after) => {
                self.out.modified.insert(&self.path);
            }
            _ => {}
        }
        true
    }

    fn fields(&mut self, at: At<'_>, before: Option<&Value>, after: Option<&Value>) -> bool {
        let before = before.and_then(Value::as_object);
        let after = after.and_then(Value::as_object);
        for (name, old) in before.into_iter().flatten() {
            let new = after.and_then(|after| after.get(name));
            if self.only_set && new.is_none() {
                continue;
            }
            self.descend(Element::field(name.as_str()), at.field(name), Some(old), new);
        }
        for (name, value) in after.into_iter().flatten() {
            if before.is_none_or(|before| !before.contains_key(name)) {
                self.descend(Element::field(name.as_str()), at.field(name), None, Some(value));
            }
        }
        false
    }

    fn items(&mut self, at: At<'_>, before: Option<&Value>, after: Option<&Value>) -> bool {
        let before = by_element(at, before);
        let after = by_element(at, after);
        for (element, old) in &before {
            match after.get(element) {
                Some(new) => self.item(at, element, old, new),
                None if self.only_set => {}
                None => self.item(at, element, old, &[]),
            }
        }
        for (element, new) in after.iter().filter(|(element, _)| !before.contains_key(element)) {
            self.item(at, element, &[], new);
        }
        false
    }

    /// Items that share one key count as one value.
    fn item(&mut self, at: At<'_>, element: &Element, old: &[&Value], new: &[&Value]) {
        let mark = |set: &mut Set, path: &[Element]| set.insert(&Path(path.to_vec()).join(element.clone()).0);
        match (old, new) {
            ([_, _, ..], [_, _, ..]) => {
                if old.len() != new.len() || old.iter().zip(new).any(|(a, b)| !order::same(a, b)) {
                    mark(&mut self.out.modified, &self.path);
                }
            }
            ([_, _, ..], _) => {
                if let [new] = new {
                    self.descend(element.clone(), at.item(), None, Some(new));
                }
                mark(&mut self.out.removed, &self.path);
            }
            (_, [_, _, ..]) => {
                if let [old] = old {
                    self.descend(element.clone(), at.item(), Some(old), None);
                }
                mark(&mut self.out.added, &self.path);
            }
            _ => self.descend(element.clone(), at.item(), old.first().copied(), new.first().copied()),
        }
    }

    fn descend(&mut self, element: Element, at: At<'_>, before: Option<&Value>, after: Option<&Value>) {
        self.path.push(element);
        self.both(at, before, after);
        self.path.pop();
    }
}

fn by_element<'v>(at: At<'_>, list: Option<&'v Value>) -> BTreeMap<Element, Vec<&'v Value>> {
    let mut grouped: BTreeMap<Element, Vec<&Value>> = BTreeMap::new();
    for item in list.and_then(Value::as_array).into_iter().flatten() {
        if let Some(element) = at.element_of(item) {
            grouped.entry(element).or_default().push(item);
        }
    }
    grouped
}
