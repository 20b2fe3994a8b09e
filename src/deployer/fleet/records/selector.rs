//! Label selectors, as Fleet's targets and dependencies use them.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::record::null_is_default;

/// `metav1.LabelSelector`. An empty one matches everything.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Selector {
    /// All must be equal.
    #[serde(deserialize_with = "null_is_default")]
    pub match_labels: BTreeMap<String, String>,
    /// All must hold.
    #[serde(deserialize_with = "null_is_default")]
    pub match_expressions: Vec<Expression>,
}

/// One requirement.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Expression {
    /// Label.
    pub key: String,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`.
    pub operator: String,
    /// Values for `In` and `NotIn`.
    #[serde(deserialize_with = "null_is_default")]
    pub values: Vec<String>,
}

impl Selector {
    /// Whether these labels satisfy it. An unknown operator matches nothing.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.match_expressions.iter().all(|expression| {
                let value = labels.get(&expression.key);
                match expression.operator.as_str() {
                    "In" => value.is_some_and(|value| expression.values.contains(value)),
                    "NotIn" => value.is_none_or(|value| !expression.values.contains(value)),
                    "Exists" => value.is_some(),
                    "DoesNotExist" => value.is_none(),
                    _ => false,
                }
            })
    }
}
