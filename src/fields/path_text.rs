//! Printed paths back to elements. Names are printed unescaped, so reading needs to know the names.

use serde_json::Value;

use super::element::Element;
use super::path::{Path, PathError};
use super::quote::go_unquote;
use super::set::Set;

/// Fields whose children are keys of a free map: all that follows is one name (failure-guide 4.3).
const FREE_MAPS: &[&[&str]] = &[
    &["metadata", "annotations"],
    &["metadata", "labels"],
    &["data"],
    &["stringData"],
    &["binaryData"],
    &["matchLabels"],
    &["nodeSelector"],
];

/// Resource names may hold dots (`nvidia.com/gpu`), and nothing follows them.
const RESOURCE_MAPS: &[&str] = &["limits", "requests", "hard", "capacity", "allocatable"];

pub(super) fn parse(text: &str) -> Result<Path, PathError> {
    let fail = |rest: &str, why| PathError { text: text.to_owned(), at: text.len() - rest.len(), why };
    let mut elements = Vec::new();
    let mut rest = text;
    if rest.is_empty() {
        return Err(fail(rest, "it is empty"));
    }
    while !rest.is_empty() {
        if rest.starts_with('[') {
            let (element, after) =
                bracket(rest).ok_or_else(|| fail(rest, "a bracket that cannot be read"))?;
            elements.push(element);
            rest = after;
            continue;
        }
        let Some(after) = rest.strip_prefix('.') else {
            return Err(fail(rest, "neither a dot nor a bracket"));
        };
        let end = if holds_free_names(&elements) {
            after.len()
        } else {
            after.find(['.', '[']).unwrap_or(after.len())
        };
        let (name, after) = after.split_at(end);
        if name.is_empty() {
            return Err(fail(rest, "an empty name"));
        }
        elements.push(Element::field(name));
        rest = after;
    }
    Ok(Path(elements))
}

fn holds_free_names(elements: &[Element]) -> bool {
    let ends_with = |names: &[&str]| {
        elements.len() >= names.len()
            && elements.iter().rev().zip(names.iter().rev()).all(|(e, name)| e.as_field() == Some(*name))
    };
    let is_top_level = elements.len() == 1;
    FREE_MAPS.iter().any(|names| {
        let needs_top = matches!(names, ["data" | "stringData" | "binaryData"]);
        ends_with(names) && (is_top_level || !needs_top)
    }) || RESOURCE_MAPS.iter().any(|name| ends_with(&[name]))
}

/// Reads `[key="value",…]`, `[="value"]` or `[3]` at the start of `text`.
fn bracket(text: &str) -> Option<(Element, &str)> {
    let inner = text.strip_prefix('[')?;
    if let Some(value) = inner.strip_prefix('=') {
        let (value, rest) = scalar(value)?;
        return Some((Element::value(value), rest.strip_prefix(']')?));
    }
    let digits = inner.find(|c: char| !c.is_ascii_digit() && c != '-')?;
    if let (Some(rest), Ok(index)) = (inner.get(digits..)?.strip_prefix(']'), inner.get(..digits)?.parse()) {
        return Some((Element::Index(index), rest));
    }
    let mut fields = Vec::new();
    let mut rest = inner;
    loop {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = scalar(after)?;
        fields.push((name, value));
        if let Some(after) = after.strip_prefix(']') {
            return Some((Element::key(fields), after));
        }
        rest = after.strip_prefix(',')?;
    }
}

/// A string as Go quotes it, or a bare number, boolean or null.
fn scalar(text: &str) -> Option<(Value, &str)> {
    if text.starts_with('"') {
        return go_unquote(text).map(|(string, rest)| (Value::String(string), rest));
    }
    let end = text.find([',', ']'])?;
    let (bare, rest) = text.split_at(end);
    Some((serde_json::from_str(bare).ok()?, rest))
}

pub(super) fn resolve<'a>(
    text: &str,
    sets: impl IntoIterator<Item = &'a Set>,
    object: Option<&Value>,
) -> Result<Path, PathError> {
    let known = sets.into_iter().find_map(|set| in_set(text, set)).or_else(|| in_object(text, object?));
    match known {
        Some(mut elements) => {
            elements.reverse();
            Ok(Path(elements))
        }
        None => parse(text),
    }
}

/// Elements from the last to the first.
fn in_set(text: &str, set: &Set) -> Option<Vec<Element>> {
    if let Some((element, rest)) = text.starts_with('[').then(|| bracket(text)).flatten() {
        let below = set.below(&element);
        if rest.is_empty() {
            return (set.has_member(&element) || below.is_some()).then(|| vec![element]);
        }
        let mut elements = in_set(rest, below?)?;
        elements.push(element);
        return Some(elements);
    }
    let named = text.strip_prefix('.')?;
    set.elements().find_map(|element| {
        let rest = named.strip_prefix(element.as_field()?)?;
        if rest.is_empty() {
            return Some(vec![element.clone()]);
        }
        let mut elements = in_set(rest, set.below(element)?)?;
        elements.push(element.clone());
        Some(elements)
    })
}

fn in_object(text: &str, value: &Value) -> Option<Vec<Element>> {
    if let Some((element, rest)) = text.starts_with('[').then(|| bracket(text)).flatten() {
        let path = Path(vec![element]);
        let child = path.get(value)?;
        let mut elements = if rest.is_empty() { Vec::new() } else { in_object(rest, child)? };
        elements.extend(path.0);
        return Some(elements);
    }
    let named = text.strip_prefix('.')?;
    value.as_object()?.iter().find_map(|(name, child)| {
        let rest = named.strip_prefix(name.as_str())?;
        let mut elements = if rest.is_empty() { Vec::new() } else { in_object(rest, child)? };
        elements.push(Element::field(name.as_str()));
        Some(elements)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(path: &Path) -> Vec<String> {
        path.0.iter().map(Element::to_fields_v1).collect()
    }

    #[test]
    fn dotted_keys_of_free_maps_are_one_name() {
        for (text, last) in [
            (".metadata.annotations.meta.helm.sh/release-name", "f:meta.helm.sh/release-name"),
            (".spec.template.metadata.labels.app.kubernetes.io/name", "f:app.kubernetes.io/name"),
            (".data.homeserver.yaml", "f:homeserver.yaml"),
            (".data..dockerconfigjson", "f:.dockerconfigjson"),
            (".spec.selector.matchLabels.a.b/c", "f:a.b/c"),
            (".spec.template.spec.nodeSelector.kubernetes.io/os", "f:kubernetes.io/os"),
            (
                ".spec.template.spec.containers[name=\"a.b\"].resources.limits.nvidia.com/gpu",
                "f:nvidia.com/gpu",
            ),
            (".spec.template.spec.containers[name=\"a]\\\".b\"].image", "f:image"),
        ] {
            let path = parse(text).unwrap();
            assert_eq!(fields(&path).last().unwrap(), last, "{text}");
            assert_eq!(path.to_string(), text);
        }
    }

    #[test]
    fn names_that_exist_win_over_rules() {
        let set = Set::from_fields_v1(&json!({"f:spec": {"f:conf.d": {"f:a.b": {}, "f:a": {"f:b": {}}}}})).0;
        let path = resolve(".spec.conf.d.a.b", [&set], None).unwrap();
        assert_eq!(path.0.len(), 4, "{path:?}: both readings are there, the first in set order is taken");
        let object = json!({"spec": {"x.y": {"list": [{"name": "n.m", "v.w": 1}]}}});
        let path = resolve(".spec.x.y.list[name=\"n.m\"].v.w", [&set], Some(&object)).unwrap();
        assert_eq!(fields(&path), ["f:spec", "f:x.y", "f:list", "k:{\"name\":\"n.m\"}", "f:v.w"]);
    }

    #[test]
    fn what_is_no_path_says_where() {
        for (text, at) in
            [("", 0), ("spec", 0), (".spec..x", 5), (".spec[name=\"a", 5), (".a[x]", 2), (".a[1", 2)]
        {
            assert_eq!(parse(text).unwrap_err().at, at, "{text}");
        }
    }
}
