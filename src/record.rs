//! What the records of all deployers have in common: metadata, conditions, references.
//!
//! Records hold only what is read. A field that is absent, null or of a foreign shape (an older version
//! of the CRD) becomes its default and never costs the object.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::object::ObjectRef;

/// A field whose absence, null or foreign shape means its default.
pub fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).unwrap_or_default())
}

/// A field whose absence or null means its default, as Go reads it. It costs nothing where a listing
/// holds tens of thousands of records; a foreign shape costs the record, aloud.
pub fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// `metadata` of any object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// The object's name.
    pub name: String,
    /// `""` for a cluster-scoped object.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// The identity that no second object of this name has.
    #[serde(deserialize_with = "lenient")]
    pub uid: String,
    /// Raised by every change of the spec.
    #[serde(deserialize_with = "lenient")]
    pub generation: Option<i64>,
    /// Labels.
    #[serde(deserialize_with = "lenient")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(deserialize_with = "lenient")]
    pub annotations: BTreeMap<String, String>,
    /// When it was made.
    #[serde(deserialize_with = "lenient")]
    pub creation_timestamp: Option<Timestamp>,
    /// When its deletion was asked for; it stays until its finalizers are gone.
    #[serde(deserialize_with = "lenient")]
    pub deletion_timestamp: Option<Timestamp>,
    /// What it waits for before it goes.
    #[serde(deserialize_with = "lenient")]
    pub finalizers: Vec<String>,
    /// Who made it.
    #[serde(deserialize_with = "lenient")]
    pub owner_references: Vec<OwnerReference>,
    /// Who wrote it, and when.
    #[serde(deserialize_with = "lenient")]
    pub managed_fields: Vec<Written>,
}

impl Metadata {
    /// The last time that anybody but these managers wrote the object itself (not its status), where
    /// managedFields tells.
    pub fn last_written(&self, but: &[&str]) -> Option<Timestamp> {
        self.managed_fields
            .iter()
            .filter(|entry| entry.subresource.is_empty() && !but.contains(&entry.manager.as_str()))
            .filter_map(|entry| entry.time)
            .max()
            .or(self.creation_timestamp)
    }

    /// A reference to this object.
    pub fn as_object(&self, api_version: &str, kind: &str) -> ObjectRef {
        ObjectRef::new(api_version, kind, &self.namespace, &self.name)
    }

    /// A label's value, `""` where it is absent.
    pub fn label(&self, key: &str) -> &str {
        self.labels.get(key).map_or("", String::as_str)
    }

    /// An annotation's value, `""` where it is absent.
    pub fn annotation(&self, key: &str) -> &str {
        self.annotations.get(key).map_or("", String::as_str)
    }
}

/// An entry of `metadata.managedFields`, without its fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Written {
    /// Field manager.
    #[serde(deserialize_with = "lenient")]
    pub manager: String,
    /// `Apply` or `Update`.
    #[serde(deserialize_with = "lenient")]
    pub operation: String,
    /// `status`, `scale`, or `""`.
    #[serde(deserialize_with = "lenient")]
    pub subresource: String,
    /// Absent for the scale subresource (Kubernetes 1.37).
    #[serde(deserialize_with = "lenient")]
    pub time: Option<Timestamp>,
}

/// An entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    /// `argoproj.io/v1alpha1`.
    #[serde(deserialize_with = "lenient")]
    pub api_version: String,
    /// `ApplicationSet`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// The owner's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The owner's uid.
    #[serde(deserialize_with = "lenient")]
    pub uid: String,
}

/// An entry of `status.conditions`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// `Ready`.
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: String,
    /// `True`, `False`, `Unknown`; `""` where the API has none (Argo CD).
    #[serde(deserialize_with = "lenient")]
    pub status: String,
    /// One word.
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    /// A text. It may hold secrets.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
    /// The generation that it speaks of.
    #[serde(deserialize_with = "lenient")]
    pub observed_generation: Option<i64>,
    /// Since when the status is what it is.
    #[serde(deserialize_with = "lenient")]
    pub last_transition_time: Option<Timestamp>,
    /// The same in Fleet (Rancher's wrangler writes it).
    #[serde(deserialize_with = "lenient")]
    pub last_update_time: Option<Timestamp>,
}

impl Condition {
    /// `status` is `True`.
    pub fn is_true(&self) -> bool {
        self.status == "True"
    }

    /// `status` is `False`.
    pub fn is_false(&self) -> bool {
        self.status == "False"
    }
}

/// The condition of this type.
pub fn condition<'a>(conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.kind == kind)
}

/// A Go duration, `1m0s`, as deployers write timeouts and intervals.
pub fn go_duration(text: &str) -> Option<SignedDuration> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_shapes_become_defaults() {
        let read: Metadata = serde_json::from_str(
            r#"{"name":"shop","namespace":null,"generation":"three","labels":["x"],"creationTimestamp":"yesterday"}"#,
        )
        .expect("an object with a name is never lost");
        assert_eq!((read.name.as_str(), read.namespace.as_str(), read.generation), ("shop", "", None));
        assert!(read.labels.is_empty() && read.creation_timestamp.is_none());
    }

    #[test]
    fn go_durations_are_read() {
        let cases = [("20s", 20), ("1m0s", 60), ("1h2m3s", 3723)];
        for (text, seconds) in cases {
            assert_eq!(go_duration(text).map(|duration| duration.as_secs()), Some(seconds), "{text}");
        }
        assert_eq!(go_duration("soon"), None);
    }
}
