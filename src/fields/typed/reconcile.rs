//! Sets that fit their schema.

use super::super::element::Element;
use super::super::path::Path;
use super::super::schema::{At, Type};
use super::super::set::Set;

/// A manager's set as the server reads it: of lists and maps that have become atomic since it was written
/// (`selector`), the whole is owned instead of parts.
pub(in crate::fields) fn reconcile(at: At<'_>, set: &Set) -> Set {
    let mut atomic = Vec::new();
    find_split(at, set, &mut Vec::new(), &mut atomic);
    if atomic.is_empty() {
        return set.clone();
    }
    let wholes = Set::of(&atomic);
    set.difference_with_children(&wholes).union(&wholes)
}

fn find_split(at: At<'_>, set: &Set, path: &mut Vec<Element>, found: &mut Vec<Path>) {
    for element in set.elements() {
        let Some(below) = set.below(element) else { continue };
        let child = at.below(element);
        path.push(element.clone());
        if matches!(child.kind(), Type::Atomic) {
            found.push(Path(path.clone()));
        } else {
            find_split(child, below, path, found);
        }
        path.pop();
    }
}

/// The same set, where every named field that has members below is a member too.
pub(in crate::fields) fn with_named_fields(at: At<'_>, set: &Set) -> Set {
    let mut paths = Vec::new();
    find_named(at, set, &mut Vec::new(), &mut paths);
    set.union(&Set::of(&paths))
}

fn find_named(at: At<'_>, set: &Set, path: &mut Vec<Element>, found: &mut Vec<Path>) {
    for element in set.elements() {
        let Some(below) = set.below(element) else { continue };
        path.push(element.clone());
        if element.as_field().is_some() && at.has_named_fields() {
            found.push(Path(path.clone()));
        }
        find_named(at.below(element), below, path, found);
        path.pop();
    }
}
