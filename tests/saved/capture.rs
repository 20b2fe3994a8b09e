//! `capture` and `redact` as typed.

use std::process::Output;

use assert_cmd::Command;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::dump::Dump;

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

/// Hand-made after Argo CD 3: which cluster an Application goes to stands in a Secret, beside its credentials.
#[test]
fn the_cluster_of_an_application_stays_and_its_credentials_go() {
    let encoded = |text: &str| STANDARD.encode(text);
    let config =
        r#"{"bearerToken":"s3cr3t-planted-1","tlsClientConfig":{"keyData":"czNjcjN0LXBsYW50ZWQtMg=="}}"#;
    let objects = json!([
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "web", "namespace": "argocd"},
         "spec": {"destination": {"server": "https://edge.invalid", "namespace": "shop"},
            "source": {"repoURL": "https://git.invalid/web", "path": "."}},
         "status": {"sync": {"status": "OutOfSync", "revision": "1a2b3c"}, "health": {"status": "Healthy"},
            "operationState": {"phase": "Failed", "message": "one or more objects failed to apply, reason: namespaces \"shop\" not found",
                "startedAt": "2026-12-01T00:00:00Z", "finishedAt": "2026-12-01T00:01:00Z",
                "operation": {"sync": {"revision": "1a2b3c"}}}}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cluster-edge", "namespace": "argocd",
            "labels": {"argocd.argoproj.io/secret-type": "cluster"}}, "type": "Opaque",
         "data": {"name": encoded("edge-prod"), "server": encoded("https://edge.invalid"), "config": encoded(config)}}
    ]);
    let dump = Dump::new()
        .file("hub/all.json", json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string());
    let (from, to) = (dump.path("hub"), dump.path("taken"));
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    let output = run(&["capture", to, "--from", from]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (before, after) = (report(from), report(to));
    assert_eq!(before["findings"][0]["cluster"], "edge-prod");
    assert_eq!(after["findings"], before["findings"]);
    let taken = std::fs::read_to_string(dump.path("taken/clusters/hub/secrets.json")).unwrap();
    let secret: Value = serde_json::from_str(&taken).unwrap();
    let data = &secret["items"][0]["data"];
    assert_eq!(data["server"], encoded("https://edge.invalid"));
    let config = STANDARD.decode(data["config"].as_str().unwrap()).unwrap();
    assert!(String::from_utf8(config).unwrap().starts_with("<redacted-"), "{taken}");
}
