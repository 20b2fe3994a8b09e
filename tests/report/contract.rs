//! `-o json`: what scripts rely on.

use helm_forensics::report::{Form, Report, Style, render, schema};
use serde_json::Value;

use crate::samples;

fn every_sample() -> [Report; 3] {
    [samples::scale_conflict(), samples::many(), samples::report(Vec::new())]
}

fn printed(report: &Report, form: Form) -> String {
    render(report, form, &Style::plain(80)).expect("a page")
}

#[test]
fn every_report_fits_the_schema() {
    let schema: Value = serde_json::from_str(schema::TEXT).expect("the schema is JSON");
    let validator =
        jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is a schema");
    for report in every_sample() {
        let value: Value = serde_json::from_str(&printed(&report, Form::Json)).expect("JSON");
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}

/// A key that is printed and not described would be a contract that nobody can read.
#[test]
fn the_schema_describes_every_key() {
    let schema: Value = serde_json::from_str(schema::TEXT).expect("the schema is JSON");
    let mut unknown = Vec::new();
    for report in every_sample() {
        let value = serde_json::to_value(&report).expect("JSON");
        undescribed(&value, &schema, &schema, "", &mut unknown);
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

fn undescribed(value: &Value, rule: &Value, schema: &Value, path: &str, unknown: &mut Vec<String>) {
    if let Some(target) = rule["$ref"].as_str() {
        let pointer = target.trim_start_matches('#');
        return undescribed(
            value,
            schema.pointer(pointer).expect("the reference leads somewhere"),
            schema,
            path,
            unknown,
        );
    }
    if let Some(first) = rule["anyOf"].as_array().and_then(|rules| {
        rules.iter().find(|rule| rule["type"] != "null" && (value.is_object() || rule["type"] == "string"))
    }) {
        let object = rule["anyOf"].as_array().and_then(|rules| {
            rules.iter().find(|rule| rule.get("$ref").is_some() || rule["type"] == "object")
        });
        let chosen = if value.is_object() { object.unwrap_or(first) } else { first };
        return undescribed(value, chosen, schema, path, unknown);
    }
    match value {
        Value::Array(items) => {
            for item in items {
                undescribed(item, &rule["items"], schema, path, unknown);
            }
        }
        Value::Object(members) if rule.get("properties").is_some() => {
            for (key, member) in members {
                match rule["properties"].get(key) {
                    Some(rule) => undescribed(member, rule, schema, &format!("{path}.{key}"), unknown),
                    None => unknown.push(format!("{path}.{key}")),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn json_and_yaml_say_the_same() {
    for report in every_sample() {
        let json: Value = serde_json::from_str(&printed(&report, Form::Json)).expect("JSON");
        let yaml: Value = serde_saphyr::from_str(&printed(&report, Form::Yaml)).expect("YAML");
        assert_eq!(json, yaml);
    }
}

#[test]
fn names_pipe_into_kubectl() {
    assert_eq!(
        printed(&samples::many(), Form::Name),
        "gitrepo.fleet.cattle.io/shop\ngitrepo.fleet.cattle.io/checkout\ngitrepo.fleet.cattle.io/ledger\ngitrepo.fleet.cattle.io/quote\ngitrepo.fleet.cattle.io/stock\ngitrepo.fleet.cattle.io/badyaml\n"
    );
}
