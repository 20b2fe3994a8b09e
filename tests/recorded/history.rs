//! `history` on every recorded release: how far back one can go, and which images are named by tag.

use std::collections::BTreeSet;
use std::process::Output;

use helm_forensics::report::schema;
use serde_json::{Value, json};

use crate::incident::Incident;

fn history(case: &str, release: &str, form: &[&str]) -> Output {
    Incident::named(case).expect(case).run(&[&["history", release], form].concat())
}

fn rollback(case: &str, release: &str) -> Value {
    let output = history(case, release, &["-o", "json"]);
    assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut rule: Value = serde_json::from_str(schema::TEXT).unwrap();
    let definition = rule["$defs"]["history"].clone();
    for key in ["required", "properties", "description"] {
        rule[key] = definition[key].clone();
    }
    let validator = jsonschema::options().build(&rule).unwrap();
    let errors: Vec<String> = validator.iter_errors(&told).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{case}: {errors:?}");
    told["rollback"].clone()
}

#[test]
fn a_rollback_reaches_what_landed_and_can_be_read() {
    let mut judged = 0;
    for incident in Incident::all("helm-") {
        let findings = incident.case["findings"].as_array().into_iter().flatten();
        let releases: BTreeSet<&str> = findings.filter_map(|it| it["release"].as_str()).collect();
        for release in releases {
            let output = incident.run(&["history", release, "-o", "json"]);
            // A release on two clusters has to be asked for on one of them.
            let Ok(told) = serde_json::from_slice::<Value>(&output.stdout) else { continue };
            let reach = &told["rollback"];
            let revisions = told["revisions"].as_array().unwrap();
            assert_eq!(reach["kept"], revisions.len(), "{}", incident.name);
            for target in reach["targets"].as_array().unwrap() {
                let revision = revisions.iter().find(|one| one["revision"] == target["revision"]).unwrap();
                let is_good = ["deployed", "superseded"].contains(&revision["status"].as_str().unwrap());
                assert!(is_good && revision["damage"].is_null(), "{}: {target}", incident.name);
                judged += 1;
            }
        }
    }
    assert!(judged > 20, "{judged}");
}

#[test]
fn a_pruned_history_says_how_far_it_goes() {
    let reach = rollback("helm-history-limit-h4", "history-limit-h4/shop");
    assert_eq!((&reach["oldest"], &reach["lastGood"]), (&json!(2), &json!(2)));
    assert_eq!(reach["isPruned"], true);
    let images = reach["targets"][0]["imagesByTag"].as_array().unwrap();
    assert!(!images.is_empty() && images.iter().all(|it| !it["image"].as_str().unwrap().contains('@')));
    let page = history("helm-history-limit-h4", "history-limit-h4/shop", &[]);
    let page = String::from_utf8_lossy(&page.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("last good one: 2"), "{page}");
    assert!(page.contains(images[0]["image"].as_str().unwrap()) && page.contains("by tag"), "{page}");
}

#[test]
fn a_release_that_nobody_recorded_may_be_in_sql() {
    for command in ["history", "why"] {
        let name = if command == "why" { "release/shop/elsewhere" } else { "shop/elsewhere" };
        let output = Incident::named("helm-history-limit-h4").unwrap().run(&[command, name]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("HELM_DRIVER"), "{error}");
    }
}
