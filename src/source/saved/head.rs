//! What the index keeps of an object: enough to find it, nothing of what it says.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// The head of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub api_version: String,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    pub resource_version: String,
    /// kubectl leaves managedFields out unless it is asked for them.
    pub has_managed_fields: bool,
}

impl Head {
    /// Whether this can be an object at all.
    pub fn is_object(&self) -> bool {
        !self.kind.is_empty() && !self.name.is_empty()
    }
}

/// Last key wins, as in Go's decoders: a derived struct would refuse a repeated key.
impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadVisitor)
    }
}

struct HeadVisitor;

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Kubernetes object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Head, A::Error> {
        let mut head = Head::default();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            match &*key.0 {
                "apiVersion" => head.api_version = text(&mut map)?,
                "kind" => head.kind = text(&mut map)?,
                "metadata" => {
                    let metadata = map.next_value::<Metadata>()?;
                    head.namespace = metadata.namespace;
                    head.name = metadata.name;
                    head.resource_version = metadata.resource_version;
                    head.has_managed_fields = metadata.has_managed_fields;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(head)
    }
}

/// The part of `metadata` that the index keeps.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub namespace: String,
    pub name: String,
    pub resource_version: String,
    pub has_managed_fields: bool,
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MetadataVisitor)
    }
}

struct MetadataVisitor;

impl<'de> Visitor<'de> for MetadataVisitor {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("metadata")
    }

    fn visit_unit<E>(self) -> Result<Metadata, E> {
        Ok(Metadata::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut metadata = Metadata::default();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            match &*key.0 {
                "namespace" => metadata.namespace = text(&mut map)?,
                "name" => metadata.name = text(&mut map)?,
                "resourceVersion" => metadata.resource_version = text(&mut map)?,
                key => {
                    metadata.has_managed_fields |= key == "managedFields";
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(metadata)
    }
}

/// A key that borrows where the text allows it.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Key<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A text; anything else (`null`, a number of a hand-made file) reads as empty.
pub(super) fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Scalar {
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match map.next_value::<Scalar>()? {
        Scalar::Text(text) => text,
        Scalar::Other(_) => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_past_everything_else() {
        let json = r#"{"data":{"a":[1,{"b":null}]},"kind":"Secret","apiVersion":"v1","kind":"ConfigMap",
            "metadata":{"managedFields":[{}],"name":"n","namespace":"s","resourceVersion":"7","labels":{}}}"#;
        let head: Head = serde_json::from_str(json).unwrap();
        assert_eq!(
            head,
            Head {
                api_version: "v1".into(),
                kind: "ConfigMap".into(),
                namespace: "s".into(),
                name: "n".into(),
                resource_version: "7".into(),
                has_managed_fields: true,
            }
        );
        assert!(head.is_object());
    }

    #[test]
    fn odd_values_are_empty() {
        for json in [r#"{"kind":null,"metadata":null}"#, r#"{"kind":7,"metadata":{"name":null}}"#] {
            assert!(!serde_json::from_str::<Head>(json).unwrap().is_object(), "{json}");
        }
    }
}
