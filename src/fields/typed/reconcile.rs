//! Sets that fit their schema.

use std::borrow::Cow;

use super::super::element::Element;
use super::super::path::Path;
use super::super::schema::{At, Type};
use super::super::set::Set;

/// A manager's set as the server reads it: of lists and maps that have become atomic since it was written
/// (`selector`), the whole is owned instead of parts.
pub(in crate::fields) fn reconcile<'s>(at: At<'_>, set: &'s Set) -> Cow<'s, Set> {
    if !has_split(at, set) {
        return Cow::Borrowed(set);
    }
    let mut atomic = Vec::new();
    find_split(at, set, &mut Vec::new(), &mut atomic);
    let wholes = Set::of(&atomic);
    Cow::Owned(set.difference_with_children(&wholes).union(&wholes))
}

fn has_split(at: At<'_>, set: &Set) -> bool {
    set.elements().any(|element| {
        set.below(element).is_some_and(|below| {
            let child = at.below(element);
            matches!(child.kind(), Type::Atomic) || has_split(child, below)
        })
    })
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
