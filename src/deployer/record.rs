//! The parts that every custom resource shares.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

/// `metadata`, as far as the program reads it. Dumps may say `null` anywhere.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Metadata {
    /// The object's name.
    pub name: String,
    /// `""` for a cluster-scoped object.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// Labels.
    #[serde(deserialize_with = "null_is_default")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(deserialize_with = "null_is_default")]
    pub annotations: BTreeMap<String, String>,
    /// When the object was made.
    pub creation_timestamp: Option<Timestamp>,
    /// When somebody asked for its deletion; finalizers may keep it.
    pub deletion_timestamp: Option<Timestamp>,
    /// Counts changes of `spec`.
    pub generation: Option<i64>,
}

impl Metadata {
    /// A label's value, `""` where it is absent.
    pub fn label(&self, key: &str) -> &str {
        self.labels.get(key).map_or("", String::as_str)
    }
}

/// One entry of `status.conditions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Condition {
    /// `Ready`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False`, `Unknown`.
    pub status: String,
    /// A word for machines.
    #[serde(deserialize_with = "null_is_default")]
    pub reason: String,
    /// A text for people.
    #[serde(deserialize_with = "null_is_default")]
    pub message: String,
    /// Fleet (and Rancher's wrangler) writes this one.
    pub last_update_time: Option<Timestamp>,
    /// Kubernetes' own.
    pub last_transition_time: Option<Timestamp>,
}

impl Condition {
    /// The last time that is known of it.
    pub fn time(&self) -> Option<Timestamp> {
        self.last_update_time.max(self.last_transition_time)
    }
}

/// Finds a condition by its type.
pub fn condition<'a>(conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.kind == kind)
}

/// Reads `null` as the type's default, as Go does.
pub fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
