//! What can be told about a chart and its values without the log of the job's pod.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::attempt::Attempt;

/// Inline charts fit into one object; what inflates to more is not looked at.
const LARGEST: u64 = 16 << 20;

/// Which object's values are no YAML, and what the parser says.
pub fn broken_yaml(attempt: &Attempt) -> Option<(String, String)> {
    let chart = (attempt.chart.as_object().to_string(), attempt.chart.spec.values_content.as_str());
    let config = attempt
        .config
        .as_ref()
        .map(|config| (config.as_object().to_string(), config.spec.values_content.as_str()));
    [Some(chart), config].into_iter().flatten().find_map(|(object, text)| {
        // The parser's message may quote the values; only its place is passed on.
        let error = parse(text).err()?;
        let place = error.location().map_or(String::new(), |at| format!(" in line {}", at.line()));
        Some((object, format!("spec.valuesContent is no YAML{place}")))
    })
}

/// Where the values that are set break the chart's own schema: path, what it is, what the schema wants.
pub fn against_schema(attempt: &Attempt) -> Option<String> {
    let schema = schema(&attempt.chart.spec.chart_content)?;
    let config = attempt.config.as_ref().map(|config| config.spec.values_content.as_str());
    [Some(attempt.chart.spec.values_content.as_str()), config]
        .into_iter()
        .flatten()
        .filter_map(|text| parse(text).ok())
        .find_map(|values| mismatch(&values, &schema, "", 0))
}

fn parse(text: &str) -> Result<Value, serde_saphyr::Error> {
    if text.trim().is_empty() { Ok(Value::Null) } else { serde_saphyr::from_str(text) }
}

/// `CHART/values.schema.json` of an inline chart.
fn schema(chart_content: &str) -> Option<Value> {
    let packed = STANDARD.decode(chart_content.trim()).ok()?;
    let mut archive = tar::Archive::new(GzDecoder::new(packed.as_slice()).take(LARGEST));
    let mut entries = archive.entries().ok()?.filter_map(Result::ok);
    let mut file = entries.find(|entry| {
        entry.path().is_ok_and(|path| path.components().count() == 2 && path.ends_with("values.schema.json"))
    })?;
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// The first value of another type than its schema names. The rest of JSON Schema is left to Helm.
fn mismatch(value: &Value, schema: &Value, path: &str, depth: u8) -> Option<String> {
    let wanted: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = match value {
        // A null takes the chart's default away; it is no value.
        Value::Null => return None,
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = wanted.is_empty() || wanted.contains(&is) || (is == "integer" && wanted.contains(&"number"));
    if !fits {
        let at = if path.is_empty() { "/" } else { path };
        return Some(format!("at '{at}': got {is}, want {}", wanted.join(" or ")));
    }
    if depth > 32 {
        return None;
    }
    let properties = schema.get("properties")?;
    value
        .as_object()?
        .iter()
        .find_map(|(key, value)| mismatch(value, properties.get(key)?, &format!("{path}/{key}"), depth + 1))
}

#[cfg(test)]
mod tests {
    use super::mismatch;
    use serde_json::{Value, json};

    #[test]
    fn types_are_compared_with_the_schema() {
        let schema = json!({"properties": {"replicaCount": {"type": "integer"},
            "image": {"properties": {"tag": {"type": ["string", "null"]}}}}});
        let cases = [
            (json!({"replicaCount": 3, "other": 1}), None),
            (json!({"replicaCount": "three"}), Some("at '/replicaCount': got string, want integer")),
            (json!({"image": {"tag": 1.5}}), Some("at '/image/tag': got number, want string or null")),
            (json!({"image": {"tag": null}}), None),
            (Value::Null, None),
        ];
        for (values, expected) in cases {
            assert_eq!(mismatch(&values, &schema, "", 0).as_deref(), expected, "{values}");
        }
    }
}
