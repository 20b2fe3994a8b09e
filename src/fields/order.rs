//! The order and equality of JSON values as structured-merge-diff v6 defines them.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// Numbers (integers and floats by value), strings, booleans, lists, maps, null.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| compare(a, b));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut a: Vec<_> = a.iter().collect();
            let mut b: Vec<_> = b.iter().collect();
            a.sort_by_key(|(name, _)| *name);
            b.sort_by_key(|(name, _)| *name);
            a.iter()
                .zip(&b)
                .map(|((a_name, a), (b_name, b))| a_name.cmp(b_name).then_with(|| compare(a, b)))
                .find(|order| order.is_ne())
                .unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

/// Whether the server takes both for the same value. `500m` and `0.5` are two strings to it, `1` and
/// `1.0` one number.
pub fn same(a: &Value, b: &Value) -> bool {
    compare(a, b).is_eq()
}

fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => {
            let float = |number: &Number| number.as_f64().unwrap_or_default();
            float(a).total_cmp(&float(b))
        }
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_ordered_by_type_then_by_value() {
        let ordered = [
            json!(-1),
            json!(0.5),
            json!(1),
            json!(2.0),
            json!("1"),
            json!("a"),
            json!(false),
            json!(true),
            json!([]),
            json!([1]),
            json!([1, 2]),
            json!([2]),
            json!({}),
            json!({"a": 1}),
            json!({"a": 1, "b": 0}),
            json!({"a": 2}),
            json!(null),
        ];
        for (place, a) in ordered.iter().enumerate() {
            for (other_place, b) in ordered.iter().enumerate() {
                assert_eq!(compare(a, b), place.cmp(&other_place), "{a} against {b}");
            }
        }
    }

    #[test]
    fn a_number_equals_itself_in_another_form_and_a_string_does_not() {
        assert!(same(&json!(1), &json!(1.0)));
        assert!(same(&json!(u64::MAX), &json!(u64::MAX)));
        assert!(!same(&json!(1), &json!("1")));
        assert!(!same(&json!("500m"), &json!("0.5")));
    }
}
