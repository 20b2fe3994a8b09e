//! A living object with its managedFields read apart: they are often the larger part of it.

use serde::de::{DeserializeSeed, MapAccess};
use serde_json::{Map, Value};

use super::lenient::{Lenient, Reader};
use super::managed::{self, ManagedFields};

/// A living object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    object: Value,
    managed: Option<ManagedFields>,
}

impl Live {
    /// Reads an object from JSON in one pass; the sets of its managers are made without the JSON between.
    ///
    /// # Errors
    /// The text is no JSON, or nested deeper than 128 levels.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let live = Lenient(Whole).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(live)
    }

    /// Takes apart an object that was read already.
    pub fn of(object: &Value) -> Self {
        Lenient(Whole).deserialize(object).unwrap_or_default()
    }

    /// The object without its managedFields.
    pub fn object(&self) -> &Value {
        &self.object
    }

    /// Its managedFields; `None` where it has none, because they were not asked for or somebody wiped them.
    pub fn managed(&self) -> Option<&ManagedFields> {
        self.managed.as_ref()
    }
}

struct Whole;

impl<'de> Reader<'de> for Whole {
    type Out = Live;

    fn other(self) -> Live {
        Live::default()
    }

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Live, A::Error> {
        let (mut object, mut managed) = (Map::new(), None);
        while let Some(key) = map.next_key::<String>()? {
            let value = if key == "metadata" {
                let (metadata, found) = map.next_value_seed(Lenient(Metadata))?;
                managed = found;
                metadata
            } else {
                map.next_value()?
            };
            object.insert(key, value);
        }
        Ok(Live { object: Value::Object(object), managed })
    }
}

struct Metadata;

impl<'de> Reader<'de> for Metadata {
    type Out = (Value, Option<ManagedFields>);

    fn other(self) -> Self::Out {
        (Value::Null, None)
    }

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Out, A::Error> {
        let (mut metadata, mut managed) = (Map::new(), None);
        while let Some(key) = map.next_key::<String>()? {
            if key == "managedFields" {
                managed = map.next_value_seed(Lenient(managed::Entries))?;
            } else {
                metadata.insert(key, map.next_value()?);
            }
        }
        Ok((Value::Object(metadata), managed))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_and_value_give_the_same() {
        let whole = json!({"kind": "Deployment", "spec": {"replicas": 2},
            "metadata": {"name": "web", "labels": {"a": "b"}, "managedFields": [
                {"manager": "helm", "operation": "Apply", "apiVersion": "apps/v1", "time": "2026-11-30T10:00:00Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {".": {}, "f:replicas": {}, "x:": {}, "f:odd": [1]}}},
                "no entry", {"manager": "x", "operation": "Steal"}, {"operation": "Update", "fieldsV1": null}]}});
        let live = Live::parse(&whole.to_string()).unwrap();
        assert_eq!(live, Live::of(&whole));
        assert_eq!(live.managed(), ManagedFields::of(&whole).as_ref());
        let expected = json!({"kind": "Deployment", "spec": {"replicas": 2}, "metadata": {"name": "web", "labels": {"a": "b"}}});
        assert_eq!(*live.object(), expected);
        let managed = live.managed().unwrap();
        assert_eq!((managed.entries.len(), managed.troubles.len()), (2, 5), "{:?}", managed.troubles);
    }

    #[test]
    fn anything_else_is_an_object_without_owners() {
        for odd in [
            json!(null),
            json!("x"),
            json!([1, {"a": 2}]),
            json!({"metadata": 1}),
            json!({"metadata": {"managedFields": {}}}),
        ] {
            let live = Live::parse(&odd.to_string()).unwrap();
            assert_eq!(live, Live::of(&odd), "{odd}");
            assert_eq!(live.managed(), None, "{odd}");
        }
        assert!(Live::parse("{").is_err());
        assert!(Live::parse("{} {}").is_err());
        assert!(Live::parse(&"[".repeat(200)).is_err());
    }
}
