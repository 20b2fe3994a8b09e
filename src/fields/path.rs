//! Field paths: how the API server names one field of an object.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::element::Element;
use super::order;
use super::path_text;

/// The way from an object's root to one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Element>);

/// Why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no field path: {why} at byte {at}")]
pub struct PathError {
    /// The whole text.
    pub text: String,
    /// Where reading stopped.
    pub at: usize,
    /// What was wrong there.
    pub why: &'static str,
}

impl Path {
    /// The path of these field names.
    pub fn fields<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().map(Element::field).collect())
    }

    /// Reads a printed path. Field names are not escaped in it, so a name that holds dots is only split
    /// rightly where it is a key of a map that every Kubernetes object may have (`.metadata.labels`,
    /// `.data`, …); [`Path::resolve`] knows more.
    ///
    /// # Errors
    /// The text does not start with `.` or `[`, or a bracket does not close.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        path_text::parse(text)
    }

    /// Reads a printed path by the names that really exist: in the managers' sets, then in the object,
    /// then by [`Path::parse`].
    ///
    /// # Errors
    /// Neither knows it and it cannot be read by itself.
    pub fn resolve<'a>(
        text: &str,
        sets: impl IntoIterator<Item = &'a super::set::Set>,
        object: Option<&Value>,
    ) -> Result<Self, PathError> {
        path_text::resolve(text, sets, object)
    }

    /// The same path, one step longer.
    #[must_use]
    pub fn join(&self, element: Element) -> Self {
        let mut elements = Vec::with_capacity(self.0.len() + 1);
        elements.extend_from_slice(&self.0);
        elements.push(element);
        Self(elements)
    }

    /// Whether `other` is this path or below it.
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The value that the object holds there. Items of keyed lists are found by their keys, an omitted key
    /// counting as its default (`protocol` is TCP).
    pub fn get<'a>(&self, object: &'a Value) -> Option<&'a Value> {
        self.0.iter().try_fold(object, |value, element| step(value, element).map(|(_, child)| child))
    }

    /// The JSON pointer (RFC 6901) of this field in `object`, for JSON patches.
    pub fn pointer_in(&self, object: &Value) -> Option<String> {
        let mut pointer = String::new();
        let mut value = object;
        for element in &self.0 {
            let (token, child) = step(value, element)?;
            pointer.push('/');
            pointer.push_str(&token);
            value = child;
        }
        Some(pointer)
    }

    /// The same, for a field that need not exist yet: everything but the last step must.
    pub fn pointer_to_add(&self, object: &Value) -> Option<String> {
        let (last, parents) = self.0.split_last()?;
        let parent = Self(parents.to_vec()).pointer_in(object)?;
        Some(format!("{parent}/{}", escape(last.as_field()?)))
    }
}

fn step<'a>(value: &'a Value, element: &Element) -> Option<(String, &'a Value)> {
    let item = |wanted: &dyn Fn(&Value) -> bool| {
        let (place, child) = value.as_array()?.iter().enumerate().find(|(_, child)| wanted(child))?;
        Some((place.to_string(), child))
    };
    match element {
        Element::Field(name) => Some((escape(name), value.as_object()?.get(&**name)?)),
        Element::Key(fields) => item(&|child| {
            child.is_object() && fields.iter().all(|(name, wanted)| has_key(child, name, wanted))
        }),
        Element::Value(wanted) => item(&|child| order::same(child, wanted)),
        Element::Index(index) => {
            let place = usize::try_from(*index).ok()?;
            Some((place.to_string(), value.as_array()?.get(place)?))
        }
    }
}

/// Defaults of list keys in Kubernetes 1.37: `protocol` is TCP, all others are empty or zero.
fn has_key(item: &Value, name: &str, wanted: &Value) -> bool {
    match item.get(name) {
        Some(value) => order::same(value, wanted),
        None => match wanted {
            Value::String(text) => text.is_empty() || (name == "protocol" && text == "TCP"),
            Value::Number(number) => number.as_f64() == Some(0.0),
            _ => false,
        },
    }
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// As the API server prints it.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|element| element.fmt(f))
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromIterator<Element> for Path {
    fn from_iter<T: IntoIterator<Item = Element>>(elements: T) -> Self {
        Self(elements.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deployment() -> Value {
        json!({"metadata": {"annotations": {"meta.helm.sh/release-name": "shop", "a~b": "c"}},
            "spec": {"replicas": 2, "finalizers": ["a", "b"], "containers": [
                {"name": "side"},
                {"name": "web", "ports": [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "name": "dns"}]}]}})
    }

    #[test]
    fn finds_the_value_and_its_pointer() {
        let object = deployment();
        for (text, value, pointer) in [
            (".spec.replicas", json!(2), "/spec/replicas"),
            (
                ".metadata.annotations.meta.helm.sh/release-name",
                json!("shop"),
                "/metadata/annotations/meta.helm.sh~1release-name",
            ),
            (".metadata.annotations.a~b", json!("c"), "/metadata/annotations/a~0b"),
            (
                ".spec.containers[name=\"web\"].ports[containerPort=53,protocol=\"TCP\"].name",
                json!("dns"),
                "/spec/containers/1/ports/1/name",
            ),
            (".spec.finalizers[=\"b\"]", json!("b"), "/spec/finalizers/1"),
            (".spec.finalizers[0]", json!("a"), "/spec/finalizers/0"),
        ] {
            let path = Path::parse(text).unwrap();
            assert_eq!(path.get(&object), Some(&value), "{text}");
            assert_eq!(path.pointer_in(&object).as_deref(), Some(pointer));
        }
    }

    #[test]
    fn what_is_not_there_has_no_pointer_but_a_place_to_add_it() {
        let object = deployment();
        let absent = Path::fields(["spec", "paused"]);
        assert_eq!(absent.pointer_in(&object), None);
        assert_eq!(absent.pointer_to_add(&object).as_deref(), Some("/spec/paused"));
        assert_eq!(Path::fields(["status", "replicas"]).pointer_to_add(&object), None);
    }
}
