//! Recorded findings against found ones.

use serde_json::Value;

use crate::expected::{Expected, owner_of, release_of};
use crate::incident::Incident;

/// No class of the vocabulary fits what was recorded here, and something is wrong all the same.
const WITHOUT_CLASS: [&str; 1] = ["k3s-same-name-other-namespace"];

/// Every difference over the recordings of one kind, each on a line.
fn differences(prefix: &str) -> Vec<String> {
    Incident::all(prefix).iter().flat_map(differences_of).collect()
}

fn differences_of(incident: &Incident) -> Vec<String> {
    let report = incident.report(&["why"]);
    let found = report["findings"].as_array().unwrap();
    let recorded: Vec<Expected> =
        incident.case["findings"].as_array().unwrap().iter().map(Expected).collect();
    let mut lines = Vec::new();
    for expected in recorded.iter().filter(|it| !it.is_silent()) {
        let subjects: Vec<&Value> = found.iter().filter(|finding| expected.is_subject_of(finding)).collect();
        let name = expected.owner().or(expected.release()).unwrap_or("?");
        match subjects.iter().map(|finding| expected.differences(finding)).min_by_key(Vec::len) {
            None => lines.push(format!("{}: {name} {:?} is not found", incident.name, expected.class())),
            Some(differences) => {
                lines.extend(differences.iter().map(|it| format!("{}: {name}: {it}", incident.name)));
            }
        }
    }
    for finding in found {
        let is_recorded = recorded.iter().any(|it| !it.is_silent() && it.is_subject_of(finding))
            // A recorder left the class open: either answer is right.
            || recorded.iter().any(|it| it.class().is_none() && it.0.get("note").is_some() && it.is_subject_of(finding));
        let has_no_class = WITHOUT_CLASS.contains(&incident.name.as_str()) && finding["class"] == "unknown";
        if !is_recorded && !has_no_class {
            let name = owner_of(finding).unwrap_or_else(|| release_of(finding));
            lines.push(format!(
                "{}: {name} on {} {}: nothing of it was recorded",
                incident.name, finding["cluster"], finding["class"]
            ));
        }
    }
    lines
}

fn assert_true(prefix: &str) {
    let lines = differences(prefix);
    assert!(lines.is_empty(), "{} differences\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn fleet() {
    assert_true("fleet-");
}

#[test]
fn helm() {
    assert_true("helm-");
}

#[test]
fn flux() {
    assert_true("flux-");
}

#[test]
fn argo() {
    assert_true("argo-");
}

#[test]
fn k3s() {
    assert_true("k3s-");
}

/// `s3cr3t-planted` stands for a password in the recordings: in Secrets, values, environments, texts.
#[test]
fn no_planted_secret_leaves() {
    let forms = ["human", "wide", "json", "yaml", "markdown", "html", "name"];
    for (at, incident) in Incident::all("").iter().enumerate() {
        // Everything that is printed comes out of one cleaned record, so the forms take turns.
        let form = forms[at % forms.len()];
        for command in ["why", "audit"].into_iter().take(1 + usize::from(at % 3 == 0)) {
            let output = incident.run(&[command, "-o", form]);
            let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{} {command} -o {form}: {text}", incident.name);
            assert!(
                !text.contains("s3cr3t-planted"),
                "{} {command} -o {form} printed a secret",
                incident.name
            );
        }
    }
}

/// The test above proves something only if there is something to find.
#[test]
fn the_recordings_hold_the_secret() {
    let holding = Incident::all("").iter().filter(|incident| incident.holds(b"s3cr3t-planted")).count();
    assert!(holding >= 3, "only {holding} recordings hold it in the clear");
}

/// A patch would write the mask into the cluster in the place of the value.
#[test]
fn a_capture_leads_to_no_command_with_a_mask_in_it() {
    let mut commands = 0;
    for name in
        ["fleet-drift-before-commit", "flux-drift-off", "helm-ssa-many-managers", "helm-mixed-errors-h4"]
    {
        let incident = Incident::named(name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let capture = folder.path().join("capture");
        assert!(incident.run(&["capture", capture.to_str().unwrap(), "-q"]).status.success(), "{name}");
        let captured = Incident { name: name.into(), folder: capture, case: serde_json::Value::Null };
        for command in ["why", "audit"] {
            for finding in captured.report(&[command])["findings"].as_array().unwrap() {
                for way in finding["waysOut"].as_array().unwrap() {
                    for command in way["commands"].as_array().unwrap() {
                        commands += 1;
                        assert!(!command.as_str().unwrap().contains("redacted"), "{name}: {command}");
                    }
                }
            }
        }
    }
    assert!(commands > 5, "only {commands} commands");
}
