//! JSON that is handed on and looked into by nobody on the way.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A JSON value kept as its text: a tree of maps takes ten times the room, and a fleet has a thousand of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(Box<str>);

impl Packed {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        &*self.0 == "null"
    }
}

impl From<Value> for Packed {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

impl Default for Packed {
    fn default() -> Self {
        Value::Null.into()
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<Value>(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_passes_through_values_and_texts_unchanged() {
        for value in [json!(null), json!({"quota": "cpu", "objects": [{"kind": "A"}]}), json!("x\u{1f980}\n")]
        {
            let packed = Packed::from(value.clone());
            assert_eq!(serde_json::to_value(&packed).unwrap(), value);
            assert_eq!(serde_json::from_value::<Packed>(value.clone()).unwrap(), packed);
            assert_eq!(serde_json::from_str::<Packed>(&value.to_string()).unwrap(), packed);
            assert_eq!(serde_json::to_string(&packed).unwrap(), value.to_string());
        }
    }
}
