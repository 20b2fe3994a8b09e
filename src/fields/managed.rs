//! Who owns what on one object: its managedFields.

use jiff::Timestamp;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Operation;

use super::lenient::{Lenient, Reader};
use super::path::Path;
use super::set::{FieldsV1, Set, SetTrouble};

/// The managedFields of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagedFields {
    /// In the object's order.
    pub entries: Vec<Entry>,
    /// What could not be read. Nothing of it ends the reading.
    pub troubles: Vec<ManagedTrouble>,
}

/// One entry of managedFields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the object's list: what a JSON patch names.
    pub index: usize,
    /// As the client called itself. Treat as hostile.
    pub manager: String,
    /// How it wrote.
    pub operation: Operation,
    /// `scale`, `status`, or `""`.
    pub subresource: String,
    /// The version that the field names belong to.
    pub api_version: String,
    /// The last write; absent on every entry of subresource `scale` and on appliers that only joined.
    pub time: Option<Timestamp>,
    /// The fields.
    pub set: Set,
}

/// A part of managedFields that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManagedTrouble {
    /// An entry that is no object, or whose operation is neither Apply nor Update.
    #[error("managedFields[{index}] is not an entry")]
    Entry {
        /// Its place.
        index: usize,
    },
    /// An entry with a format of fields that is not FieldsV1.
    #[error("managedFields[{index}] has fieldsType {found:?}, not FieldsV1")]
    Format {
        /// Its place.
        index: usize,
        /// The format.
        found: String,
    },
    /// A time that is none.
    #[error("managedFields[{index}].time is no time")]
    Time {
        /// Its place.
        index: usize,
    },
    /// A part of its fields.
    #[error("managedFields[{index}].fieldsV1: {trouble}")]
    Fields {
        /// Its place.
        index: usize,
        /// What is wrong.
        trouble: SetTrouble,
    },
}

/// One owner of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Place of its entry in managedFields.
    pub index: usize,
    /// Field manager.
    pub manager: String,
    /// How it wrote.
    pub operation: Operation,
    /// `scale`, or `""`.
    pub subresource: String,
    /// Version of its field names.
    pub api_version: String,
    /// Last write of its entry, where recorded.
    pub since: Option<Timestamp>,
    /// What of the field it owns.
    pub extent: Extent,
}

/// What of a field an entry owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Extent {
    /// The field itself.
    Field,
    /// Only fields below it.
    Below,
    /// A field above it as a whole: an atomic list or map that it is part of.
    Above,
}

impl ManagedFields {
    /// Reads them from a live object. `None`: the object has none, because they were not asked for
    /// (`kubectl get` needs `--show-managed-fields`) or because somebody wiped them.
    pub fn of(object: &Value) -> Option<Self> {
        Lenient(Entries).deserialize(object.pointer("/metadata/managedFields")?).ok()?
    }

    /// Every entry that owns this field, a part of it, or an atomic whole around it.
    pub fn owners_of(&self, path: &Path) -> Vec<Owner> {
        self.entries
            .iter()
            .filter_map(|entry| entry.extent_on(path).map(|extent| entry.owner(extent)))
            .collect()
    }

    /// The sets of all entries, for [`Path::resolve`].
    pub fn sets(&self) -> impl Iterator<Item = &Set> {
        self.entries.iter().map(|entry| &entry.set)
    }

    /// Entries of this manager.
    pub fn entries_of<'a>(
        &'a self,
        manager: &'a str,
        operation: Operation,
        subresource: &'a str,
    ) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| {
            entry.manager == manager && entry.operation == operation && entry.subresource == subresource
        })
    }
}

/// Reads the list of entries.
pub(super) struct Entries;

impl<'de> Reader<'de> for Entries {
    type Out = Option<ManagedFields>;

    fn other(self) -> Self::Out {
        None
    }

    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Out, A::Error> {
        let mut managed = ManagedFields::default();
        let mut index = 0;
        loop {
            let reader = EntryReader { index, troubles: &mut managed.troubles };
            match list.next_element_seed(Lenient(reader))? {
                Some(Some(entry)) => managed.entries.push(entry),
                Some(None) => managed.troubles.push(ManagedTrouble::Entry { index }),
                None => return Ok(Some(managed)),
            }
            index += 1;
        }
    }
}

/// The keys of an entry (apimachinery 0.37, `ManagedFieldsEntry`).
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Manager,
    Operation,
    Subresource,
    ApiVersion,
    Time,
    FieldsType,
    #[serde(rename = "fieldsV1")]
    FieldsV1,
    #[serde(other)]
    Other,
}

struct EntryReader<'t> {
    index: usize,
    troubles: &'t mut Vec<ManagedTrouble>,
}

impl<'de> Reader<'de> for EntryReader<'_> {
    type Out = Option<Entry>;

    fn other(self) -> Self::Out {
        None
    }

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Out, A::Error> {
        let [mut manager, mut operation, mut subresource, mut api_version, mut time, mut format] =
            std::array::from_fn(|_| String::new());
        let mut fields = None;
        while let Some(key) = map.next_key()? {
            let text = match key {
                Key::Manager => &mut manager,
                Key::Operation => &mut operation,
                Key::Subresource => &mut subresource,
                Key::ApiVersion => &mut api_version,
                Key::Time => &mut time,
                Key::FieldsType => &mut format,
                Key::FieldsV1 => {
                    fields = Some(map.next_value_seed(FieldsV1)?);
                    continue;
                }
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if let Value::String(value) = map.next_value()? {
                *text = value;
            }
        }
        let operation = match operation.as_str() {
            "Apply" => Operation::Apply,
            "Update" => Operation::Update,
            _ => return Ok(None),
        };
        let index = self.index;
        let set = if matches!(format.as_str(), "FieldsV1" | "") {
            let (set, found) = fields.unwrap_or_default();
            self.troubles.extend(found.into_iter().map(|trouble| ManagedTrouble::Fields { index, trouble }));
            set
        } else {
            self.troubles.push(ManagedTrouble::Format { index, found: format });
            Set::default()
        };
        let read: Option<Timestamp> = time.parse().ok();
        if read.is_none() && !time.is_empty() {
            self.troubles.push(ManagedTrouble::Time { index });
        }
        Ok(Some(Entry { index, manager, operation, subresource, api_version, time: read, set }))
    }
}

impl Entry {
    /// What of this field the entry owns, if anything.
    pub fn extent_on(&self, path: &Path) -> Option<Extent> {
        if self.set.has(path) {
            return Some(Extent::Field);
        }
        if self.set.touches(path) {
            return Some(Extent::Below);
        }
        let (_, above) = path.0.split_last()?;
        (1..=above.len())
            .any(|length| {
                let (Some(parents), Some(last)) = (above.get(..length - 1), above.get(length - 1)) else {
                    return false;
                };
                let set = self.set.at(parents);
                set.is_some_and(|set| set.has_member(last) && set.below(last).is_none())
            })
            .then_some(Extent::Above)
    }

    /// This entry as an owner.
    pub fn owner(&self, extent: Extent) -> Owner {
        Owner {
            index: self.index,
            manager: self.manager.clone(),
            operation: self.operation,
            subresource: self.subresource.clone(),
            api_version: self.api_version.clone(),
            since: self.time,
            extent,
        }
    }

    /// The identity under which the API server sorts managers: the entry as JSON without time and fields,
    /// for appliers without the version either (apimachinery 0.37, `BuildManagerIdentifier`).
    pub fn identity(&self) -> String {
        let mut parts = Vec::new();
        let mut part = |key: &str, value: &str| {
            if !value.is_empty() {
                parts.push(format!("\"{key}\":{}", go_json(value)));
            }
        };
        part("manager", &self.manager);
        part("operation", if self.operation == Operation::Apply { "Apply" } else { "Update" });
        part("apiVersion", if self.operation == Operation::Apply { "" } else { &self.api_version });
        part("subresource", &self.subresource);
        format!("{{{}}}", parts.join(","))
    }
}

/// Go's `json.Marshal` of a string escapes these three besides what JSON asks for.
fn go_json(text: &str) -> String {
    let json = Value::from(text).to_string();
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object() -> Value {
        json!({"metadata": {"managedFields": [
            {"manager": "helm", "operation": "Apply", "apiVersion": "apps/v1", "time": "2026-11-30T10:00:00Z",
             "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:paused": {}, "f:selector": {}, "f:replicas": {}}}},
            {"manager": "kubectl", "operation": "Update", "apiVersion": "apps/v1", "subresource": "scale",
             "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
            {"manager": "x", "operation": "Steal"},
            {"manager": "y<&>", "operation": "Update", "apiVersion": "v1", "time": "late", "fieldsType": "FieldsV2"}
        ]}})
    }

    #[test]
    fn tells_who_owns_a_field_and_what_of_it() {
        let managed = ManagedFields::of(&object()).unwrap();
        let owners = |text: &str| -> Vec<(String, Extent)> {
            let path = Path::parse(text).unwrap();
            managed.owners_of(&path).into_iter().map(|owner| (owner.manager, owner.extent)).collect()
        };
        let both = [("helm".to_owned(), Extent::Field), ("kubectl".to_owned(), Extent::Field)];
        assert_eq!(owners(".spec.replicas"), both);
        assert_eq!(owners(".spec").len(), 2);
        assert_eq!(owners(".spec.selector.app"), [("helm".to_owned(), Extent::Above)]);
        assert_eq!(owners(".status"), []);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let managed = ManagedFields::of(&object()).unwrap();
        assert_eq!(managed.entries.len(), 3);
        let troubles: Vec<String> = managed.troubles.iter().map(ToString::to_string).collect();
        assert_eq!(
            troubles,
            [
                "managedFields[2] is not an entry",
                "managedFields[3] has fieldsType \"FieldsV2\", not FieldsV1",
                "managedFields[3].time is no time"
            ]
        );
    }

    #[test]
    fn absent_is_not_empty() {
        assert_eq!(ManagedFields::of(&json!({"metadata": {}})), None);
        let empty = ManagedFields::of(&json!({"metadata": {"managedFields": []}}));
        assert_eq!(empty, Some(ManagedFields::default()));
    }

    #[test]
    fn managers_are_sorted_by_their_encoded_entry() {
        let managed = ManagedFields::of(&object()).unwrap();
        let identities: Vec<String> = managed.entries.iter().map(Entry::identity).collect();
        assert_eq!(
            identities,
            [
                r#"{"manager":"helm","operation":"Apply"}"#,
                r#"{"manager":"kubectl","operation":"Update","apiVersion":"apps/v1","subresource":"scale"}"#,
                r#"{"manager":"y\u003c\u0026\u003e","operation":"Update","apiVersion":"v1"}"#,
            ]
        );
    }
}
