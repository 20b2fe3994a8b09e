//! Nothing secret leaves by any command in any form: the program is run on planted evidence, saved and alive, and
//! everything that it printed or wrote is searched.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::dump::Dump;
use crate::fake_api::{FakeApi, Kubeconfig, Store};
use crate::secrets::{found, planted};

/// What the kubeconfig of the living cluster holds.
const TOKEN: &str = "t0ken-of-the-kubeconfig-abcdefgh";

const FORMS: [&str; 7] = ["human", "wide", "json", "yaml", "markdown", "html", "name"];

/// Texts of the planted objects that a person would paste into `explain`.
fn pasted(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| match value {
            Value::String(text) if matches!(key.as_str(), "message" | "description") => {
                texts.push(text.clone());
            }
            value => pasted(value, texts),
        }),
        Value::Array(items) => items.iter().for_each(|item| pasted(item, texts)),
        _ => {}
    }
}

/// What a run left: both streams, and each file below `target`, unpacked if it is an archive.
fn left(args: &[&str], kubeconfig: &Path, target: &Path) -> Vec<Vec<u8>> {
    let mut command = Command::cargo_bin("kubectl-helm_forensics").expect("the program is built");
    let output = command.env("KUBECONFIG", kubeconfig).args(args).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code < 4), "{args:?}: {said}");
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    let mut all = vec![unpacked(output.stdout), output.stderr];
    files(target, &mut all);
    let _ = std::fs::remove_dir_all(target);
    std::fs::create_dir_all(target).expect("a folder");
    all
}

fn files(path: &Path, all: &mut Vec<Vec<u8>>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            files(&entry.path(), all);
        }
    } else if let Ok(bytes) = std::fs::read(path) {
        all.push(unpacked(bytes));
    }
}

fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    let mut plain = Vec::new();
    match flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain) {
        Ok(_) => plain,
        Err(_) => bytes,
    }
}

#[test]
fn no_planted_secret_leaves_by_any_command_in_any_form() {
    let (planted, objects) = planted();
    let input = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    let workload = objects.iter().find(|object| object["kind"] == "Deployment").expect("one is planted");
    let mut applied = workload.clone();
    applied["metadata"].as_object_mut().expect("an object").remove("managedFields");
    applied["spec"]["replicas"] = json!(5);
    let mut texts = Vec::new();
    pasted(&input, &mut texts);

    let dump = Dump::new()
        .file("dump/all.json", input.to_string())
        .file("manifest.json", applied.to_string())
        .file("pasted.txt", texts.join("\n"));
    let path = |name: &str| dump.path(name).to_string_lossy().into_owned();
    let (all, evidence, manifest, paste) =
        (path("dump/all.json"), path("dump"), path("manifest.json"), path("pasted.txt"));
    let from = ["--from", evidence.as_str()];
    let api = FakeApi::of(Store::of(&objects));
    let kubeconfig = Kubeconfig::default()
        .context("live", api.cluster_entry(""), json!({"token": TOKEN}))
        .write(dump.root());
    let reads: Vec<Vec<&str>> = vec![
        vec!["why"],
        vec!["why", "-vv"],
        vec!["why", "release/shop/web"],
        vec!["why", "helmrelease/web-1", "-n", "shop"],
        vec!["why", "application/web-1", "-n", "argocd"],
        vec!["audit"],
        vec!["history", "shop/web"],
        vec!["owners", "deployment/web-1", "-n", "shop"],
        vec!["owners", "secret/db-1", "-n", "shop"],
        vec!["owners", "configmap/app-1", "-n", "shop"],
        vec!["predict", &manifest],
    ];
    let bare: Vec<Vec<&str>> = vec![
        vec!["explain", &paste],
        vec!["decode", &all],
        vec!["decode", "--manifest", &all],
        vec!["decode", "--values", &all],
        vec!["decode", "--hooks", &all],
        vec!["decode", "--notes", &all],
        vec!["decode", "--all", &all],
    ];
    let (folder, archive) = (path("out/folder"), path("out/a.tar.gz"));
    let written: Vec<Vec<&str>> = vec![
        vec!["capture", &folder, "--force", from[0], from[1]],
        vec!["capture", &archive, "--force", from[0], from[1]],
        vec!["capture", "-", from[0], from[1]],
        vec!["redact", &evidence, &folder, "--force"],
        vec!["redact", &evidence, &archive, "--force"],
        vec!["redact", &evidence, "-"],
        vec!["capture", &folder, "--force", "-A"],
        vec!["capture", &archive, "--force", "-A"],
        vec!["capture", "-", "-A"],
    ];
    let mut runs: Vec<Vec<&str>> = written;
    for form in FORMS {
        runs.extend(reads.iter().map(|run| [run.as_slice(), &from, &["-o", form]].concat()));
        runs.extend(reads.iter().map(|run| [run.as_slice(), &["-o", form]].concat()));
        runs.extend(bare.iter().map(|run| [run.as_slice(), &["-o", form]].concat()));
    }
    let secrets: Vec<String> = planted.into_iter().chain([TOKEN.to_owned()]).collect();
    let mut leaks = Vec::new();
    for run in &runs {
        let left = left(run, &kubeconfig, &dump.path("out"));
        let there = found(&secrets, &left);
        if !there.is_empty() {
            leaks.push(format!("{run:?}: {there:?}"));
        }
    }
    assert_eq!(leaks, Vec::<String>::new());
    assert!(api.paths().iter().any(|path| path.contains("/secrets")), "the living cluster was read");
}

#[test]
fn the_search_finds_every_planted_secret_in_the_evidence_itself() {
    let (planted, objects) = planted();
    let dump = Dump::new()
        .file("all.json", json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string());
    let mut all = Vec::new();
    files(dump.root(), &mut all);
    let every: BTreeSet<&str> = planted.iter().map(String::as_str).collect();
    assert!(every.len() >= 200);
    assert_eq!(found(&planted, &all), every);
}
