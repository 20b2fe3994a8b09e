//! `fixtures/failures.jsonl`: every text's class, and every entity that the row asserts.

use helm_forensics::failure::{Failure, Operation, classify};
use serde_json::Value;

pub fn rows() -> Vec<Value> {
    let text = std::fs::read_to_string("fixtures/failures.jsonl").expect("the corpus");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON row")).collect()
}

/// What a row asserts and the failure does not say; empty where all is right.
pub fn wrong(row: &Value, failure: &Failure) -> Vec<String> {
    let mut wrong = Vec::new();
    if row["class"] != failure.class.0 {
        wrong.push(format!("class {} is {} ({:?})", row["class"], failure.class.0, failure.confidence));
    }
    let Some(expect) = row["expect"].as_object() else { return wrong };
    for (key, want) in expect {
        match key.as_str() {
            "objects" => objects(want, failure, row, &mut wrong),
            "conflicts" => conflicts(want, failure, &mut wrong),
            "wrappers" => {
                let names: Vec<&str> = failure.wrappers.iter().map(|wrapper| wrapper.name).collect();
                if *want != Value::from(names.clone()) {
                    wrong.push(format!("wrappers {want} are {names:?}"));
                }
            }
            "truncated" => {
                if !failure.truncated {
                    wrong.push("truncated is not seen".into());
                }
            }
            "hook" | "fleet" => {
                for (inner, want) in want.as_object().into_iter().flatten() {
                    let got = failure.entities.get(key.as_str()).map(|value| &value[inner]);
                    if got != Some(want) {
                        wrong.push(format!("{key}.{inner} {want} is {got:?}"));
                    }
                }
            }
            _ => {
                let got = failure.entities.get(key.as_str());
                if got != Some(want) {
                    wrong.push(format!("{key} {want} is {got:?}"));
                }
            }
        }
    }
    wrong
}

fn objects(want: &Value, failure: &Failure, row: &Value, wrong: &mut Vec<String>) {
    let got = serde_json::to_value(&failure.objects).expect("objects are JSON");
    let got = got.as_array().cloned().unwrap_or_default();
    let same = |want: &Value, got: &Value| {
        let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        [("kind", "kind"), ("namespace", "namespace"), ("name", "name"), ("api_version", "apiVersion")]
            .iter()
            .all(|(asserted, said)| match text(want, asserted) {
                None => true,
                Some(want) if *asserted == "kind" => {
                    text(got, said).is_some_and(|kind| kind.eq_ignore_ascii_case(&want))
                }
                want => text(got, said) == want,
            })
    };
    let mut rest = got.iter();
    for object in want.as_array().into_iter().flatten() {
        if !rest.any(|found| same(object, found)) {
            wrong.push(format!("object {object} is not among {got:?}"));
        }
    }
    let exact = row["class"] == "ssa.conflict" && row["expect"].get("rollback_class").is_none();
    if exact && want.as_array().map(Vec::len) != Some(got.len()) {
        wrong.push(format!("objects {want} are {got:?}"));
    }
}

fn conflicts(want: &Value, failure: &Failure, wrong: &mut Vec<String>) {
    let want = want.as_array().cloned().unwrap_or_default();
    if want.len() != failure.conflicts.len() {
        wrong.push(format!("{} conflicts are {:?}", want.len(), failure.conflicts));
        return;
    }
    for (want, got) in want.iter().zip(&failure.conflicts) {
        let operation = match got.operation {
            Operation::Apply => "Apply",
            Operation::Update => "Update",
        };
        let got_value = serde_json::json!({
            "object_index": got.object_index, "manager": got.manager, "operation": operation,
            "subresource": got.subresource, "api_version": got.api_version, "field": got.field,
        });
        for (key, want) in want.as_object().into_iter().flatten() {
            if got_value[key] != *want {
                wrong.push(format!("conflict {key} {want} is {}", got_value[key]));
            }
        }
    }
}

#[test]
fn every_text_has_its_class_and_entities() {
    let mut report = Vec::new();
    let rows = rows();
    for row in &rows {
        let text = row["text"].as_str().expect("a text");
        let wrong = match classify(text) {
            Some(failure) => wrong(row, &failure),
            None => vec!["no failure is seen".into()],
        };
        if !wrong.is_empty() {
            report.push(format!("{}: {}", row["id"], wrong.join("; ")));
        }
    }
    assert!(report.is_empty(), "{} of {} rows:\n{}", report.len(), rows.len(), report.join("\n"));
}

#[test]
fn what_is_certain_is_right() {
    for row in rows() {
        let failure = classify(row["text"].as_str().expect("a text")).expect("a failure");
        assert!(
            failure.confidence != helm_forensics::report::Confidence::Certain
                || row["class"] == failure.class.0,
            "{}",
            row["id"]
        );
    }
}

#[test]
fn no_secret_survives() {
    let mut secrets = 0;
    for row in rows() {
        let failure = classify(row["text"].as_str().expect("a text")).expect("a failure");
        let printed = serde_json::to_string(&failure).expect("a failure is JSON");
        if let Some(secret) = row["secret"].as_str() {
            secrets += 1;
            assert!(!printed.contains(secret), "{}: {printed}", row["id"]);
        }
    }
    assert!(secrets > 0);
}
