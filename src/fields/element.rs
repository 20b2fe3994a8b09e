//! One step of a field path.

use std::cmp::Ordering;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::order;
use super::quote::go_quote;

/// One step of a field path, as structured-merge-diff v6 knows them.
#[derive(Clone, Debug)]
pub enum Element {
    /// A field of a struct or a key of a map: `.replicas`. May hold any character.
    Field(Box<str>),
    /// An item of a keyed list, by its key fields in name order: `[containerPort=8080,protocol="TCP"]`.
    Key(Box<[(Box<str>, Value)]>),
    /// An item of a set, by its value: `[="foregroundDeletion"]`.
    Value(Box<Value>),
    /// An item of a list, by its place: `[3]`.
    Index(i64),
}

/// Why a key of fieldsV1 is not an element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElementError {
    /// Neither `f:`, `k:`, `v:` nor `i:`.
    #[error("{0:?} has no known prefix (f:, k:, v: or i:)")]
    UnknownPrefix(String),
    /// `k:` without a JSON object, or `v:` without a JSON value.
    #[error("{0:?} does not hold the JSON that its prefix promises")]
    InvalidJson(String),
    /// `i:` without an integer.
    #[error("{0:?} is no index")]
    InvalidIndex(String),
}

impl Element {
    /// A field by its name.
    pub fn field(name: impl Into<Box<str>>) -> Self {
        Self::Field(name.into())
    }

    /// An item of a keyed list; the key fields may come in any order.
    pub fn key(fields: impl IntoIterator<Item = (impl Into<Box<str>>, Value)>) -> Self {
        let mut fields: Vec<(Box<str>, Value)> =
            fields.into_iter().map(|(name, value)| (name.into(), value)).collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        Self::Key(fields.into())
    }

    /// An item of a set.
    pub fn value(value: Value) -> Self {
        Self::Value(Box::new(value))
    }

    /// Reads a key of fieldsV1: `f:spec`, `k:{"name":"web"}`, `v:"a"`, `i:0`.
    ///
    /// # Errors
    /// The prefix is unknown, or what follows it is not what the prefix promises.
    pub fn from_fields_v1(key: &str) -> Result<Self, ElementError> {
        let invalid = || ElementError::InvalidJson(key.to_owned());
        match key.split_once(':') {
            Some(("f", name)) => Ok(Self::field(name)),
            Some(("k", json)) => {
                let KeyFields(fields) = serde_json::from_str(json).map_err(|_| invalid())?;
                Ok(Self::key(fields))
            }
            Some(("v", json)) => Ok(Self::value(serde_json::from_str(json).map_err(|_| invalid())?)),
            Some(("i", digits)) => match digits.parse() {
                Ok(index) => Ok(Self::Index(index)),
                Err(_) => Err(ElementError::InvalidIndex(key.to_owned())),
            },
            _ => Err(ElementError::UnknownPrefix(key.to_owned())),
        }
    }

    /// The key that fieldsV1 writes for this element.
    pub fn to_fields_v1(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{}:{value}", Value::from(&**name))).collect();
                format!("k:{{{}}}", fields.join(","))
            }
            Self::Value(value) => format!("v:{value}"),
            Self::Index(index) => format!("i:{index}"),
        }
    }

    /// The name, if this is a field.
    pub fn as_field(&self) -> Option<&str> {
        match self {
            Self::Field(name) => Some(name),
            _ => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

/// As the API server prints it: names bare and unescaped, strings in keys Go-quoted.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(fields) => {
                f.write_str("[")?;
                for (place, (name, value)) in fields.iter().enumerate() {
                    let comma = if place == 0 { "" } else { "," };
                    write!(f, "{comma}{name}={}", printed(value))?;
                }
                f.write_str("]")
            }
            Self::Value(value) => write!(f, "[={}]", printed(value)),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => go_quote(text),
        Value::Array(items) => format!("[{}]", items.iter().map(printed).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name}={}", printed(value))).collect()
        }
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (None, Some(float)) if float.fract() == 0.0 && float.abs() < 1e21 => format!("{float:.0}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// The key fields of an item, in the order in which they are written.
struct KeyFields(Vec<(Box<str>, Value)>);

impl<'de> Deserialize<'de> for KeyFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = KeyFields;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object of key fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<KeyFields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(KeyFields(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

/// structured-merge-diff's order: fields, then keys, values and indices.
impl Ord for Element {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(a), Self::Field(b)) => a.cmp(b),
            (Self::Key(a), Self::Key(b)) => {
                let pairs = a.iter().zip(b.iter());
                pairs
                    .map(|((a_name, a_value), (b_name, b_value))| {
                        a_name.cmp(b_name).then_with(|| order::compare(a_value, b_value))
                    })
                    .find(|order| order.is_ne())
                    .unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Self::Value(a), Self::Value(b)) => order::compare(a, b),
            (Self::Index(a), Self::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Element {}
