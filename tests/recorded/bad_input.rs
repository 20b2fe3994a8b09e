//! Input that is broken, foreign or hostile: one clear line each, the rest kept, the exit code true.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

const INCIDENT: &str = "fixtures/fleet-scale-conflict";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics")).args(arguments).output().unwrap()
}

fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// It could not answer, and says why in words that hold this.
fn assert_refused(output: &Output, word: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(word), "{error}");
    assert!(!error.contains("panicked"), "{error}");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn payload(json: &[u8]) -> String {
    STANDARD.encode(gzip(json))
}

#[test]
fn payloads_that_are_no_releases() {
    let good = payload(br#"{"name":"shop","info":{"status":"failed","description":"x"},"version":2}"#);
    assert!(run_with_input(&["decode", "-"], good.as_bytes()).status.success());
    // What can be saved of a record is shown beside the error.
    let cut_base64 = &good[..good.len() - 3];
    let saved = run_with_input(&["decode", "-"], cut_base64.as_bytes());
    assert!(String::from_utf8_lossy(&saved.stdout).contains("shop"));
    let cut_gzip = STANDARD.encode(&gzip(&vec![b'x'; 100_000])[..60]);
    let wrong_shape = payload(br#"["not", "a", "release"]"#);
    for (input, word) in [
        ("hello, world", "release"),
        (cut_base64, "base64"),
        (cut_gzip.as_str(), "gzip"),
        (wrong_shape.as_str(), "release"),
        ("", "empty"),
    ] {
        assert_refused(&run_with_input(&["decode", "-"], input.as_bytes()), word);
    }
}

/// 128 MiB of blanks in little: refused by its size, with the flag that would raise the limit.
#[test]
fn a_bomb_is_refused_by_its_size() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let megabyte = vec![b' '; 1 << 20];
    (0..128).for_each(|_| encoder.write_all(&megabyte).unwrap());
    let bomb = STANDARD.encode(encoder.finish().unwrap());
    assert_refused(&run_with_input(&["decode", "-"], bomb.as_bytes()), "--max-payload");
}

#[test]
fn places_with_nothing_in_them() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_refused(&run(&["why", "--from", path]), "no Kubernetes object");
    assert_refused(&run(&["why", "--from", "/no/such/place"]), "does not exist");
    fs::write(folder.path().join("empty.json"), b"").unwrap();
    assert_refused(&run(&["why", "--from", path]), "empty.json");
}

/// Beside a good dump, rubbish is named and costs nothing.
#[test]
fn rubbish_beside_evidence_is_named() {
    let folder = TempDir::new().unwrap();
    copy(Path::new(INCIDENT), folder.path());
    let cluster = folder.path().join("clusters/c-prod");
    fs::write(cluster.join("zero.json"), b"").unwrap();
    fs::write(cluster.join("rubbish.json"), [0xff, 0x00, 0x13, 0x37, 0xfe]).unwrap();
    let pods = fs::read(cluster.join("pods.json")).unwrap();
    fs::write(cluster.join("pods.json"), &pods[..pods.len() / 2]).unwrap();
    let output = run(&["why", "-o", "json", "--from", folder.path().to_str().unwrap()]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["class"], "ssa.conflict");
    let gaps = report["gaps"].to_string();
    for file in ["zero.json", "rubbish.json", "pods.json"] {
        assert!(gaps.contains(file), "{file} is not named in {gaps}");
    }
}

#[test]
fn names_that_do_not_exist_are_answered_with_those_that_do() {
    assert_refused(&run(&["why", "gitrepo/nosuch", "--from", INCIDENT]), "fleet-default/shop");
    assert_refused(&run(&["why", "nosuch", "--from", INCIDENT]), "TYPE/NAME");
    assert_refused(&run(&["history", "shop/nosuch", "--from", INCIDENT]), "nosuch");
}

#[test]
fn a_release_on_two_clusters_asks_which() {
    assert_refused(&run(&["history", "shop/shop", "--from", INCIDENT]), "--cluster-name");
    let one = run(&["history", "shop/shop", "--cluster-name", "c-prod", "--from", INCIDENT]);
    assert!(one.status.success());
    assert!(String::from_utf8_lossy(&one.stdout).contains("16"));
}

#[test]
fn usage_errors_end_with_one() {
    assert_refused(&run(&["why", "--nosuch"]), "--nosuch");
    assert_refused(&run(&["why", "-o", "nosuch", "--from", INCIDENT]), "nosuch");
}

#[test]
fn the_exit_code_tells_when_asked() {
    assert_eq!(run(&["why", "--exit-code", "--from", INCIDENT]).status.code(), Some(2));
    assert_eq!(run(&["why", "--from", INCIDENT]).status.code(), Some(0));
}

#[test]
fn an_archive_is_a_source_too() {
    let archive = TempDir::new().unwrap();
    let path = archive.path().join("dump.tar.gz");
    let mut builder =
        tar::Builder::new(GzEncoder::new(fs::File::create(&path).unwrap(), Compression::fast()));
    builder.append_dir_all("bundle", INCIDENT).unwrap();
    builder.into_inner().unwrap().finish().unwrap();
    let output = run(&["why", "-o", "json", "--from", path.to_str().unwrap()]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["class"], "ssa.conflict");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
