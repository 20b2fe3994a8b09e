//! `capture` and `redact` as typed.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

const INCIDENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fleet-scale-conflict");

fn run(args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("kubectl-helm_forensics").expect("the program is built");
    command.args(args).output().expect("it runs")
}

fn report(from: &str) -> Value {
    let output = run(&["why", "-o", "json", "--from", from]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn conflicts(report: &Value) -> Vec<Value> {
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.flat_map(|finding| finding["conflicts"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn a_capture_tells_the_same_story_in_less_room() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("incident.tar.gz");
    let archive = archive.to_str().unwrap();
    let output = run(&["capture", archive, "--from", INCIDENT]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let size = std::fs::metadata(archive).unwrap().len();
    assert!(size <= 100_000, "{size} bytes");

    let (before, after) = (report(INCIDENT), report(archive));
    assert_eq!(conflicts(&before), conflicts(&after));
    assert_eq!(conflicts(&after).len(), 1);
    let told = |report: &Value| {
        let finding = &report["findings"][0];
        ["owner", "cluster", "state", "release", "class", "confidence", "waysOut"]
            .map(|key| finding[key].clone())
    };
    assert_eq!(told(&before), told(&after));

    // Again, to a folder: the same files, and never over something that is there.
    let again = folder.path().join("again.tar.gz");
    run(&["capture", again.to_str().unwrap(), "--from", INCIDENT]);
    assert_eq!(std::fs::read(archive).unwrap(), std::fs::read(&again).unwrap());
    let refused = run(&["capture", archive, "--from", INCIDENT]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("exists; --force replaces it"));
}

#[test]
fn redact_needs_no_cluster_and_says_what_it_removed() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("clean");
    let output = run(&["redact", INCIDENT, target.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("removed: "), "{said}");
    assert_eq!(conflicts(&report(target.to_str().unwrap())), conflicts(&report(INCIDENT)));
    let nothing = run(&["redact", folder.path().join("none").to_str().unwrap(), "x"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("does not exist"));
}
