//! The blocks that begin with ```console.
//!
//! `runnable`: run in the repository's root, on the fixtures; `# exit N` behind a command names its exit code.
//! `cluster`: needs a cluster, so only its arguments are checked. `untested`: has a reason in [`UNTESTED`].

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-helm_forensics");

struct Line {
    place: String,
    kind: String,
    command: String,
    exit: i32,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .expect("docs")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.extend(
        [root().join("README.md"), root().join("packaging/README.md")].into_iter().filter(|it| it.is_file()),
    );
    pages.sort();
    pages
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let mut kind = None;
        for (number, line) in text.lines().enumerate() {
            if let Some(info) = line.strip_prefix("```") {
                kind = info.strip_prefix("console").map(|rest| rest.trim().to_owned());
            } else if let (Some(kind), Some(command)) = (&kind, line.strip_prefix("$ ")) {
                let (command, exit) = command.split_once("  # exit ").unwrap_or((command, "0"));
                lines.push(Line {
                    place: format!("{}:{}", page.display(), number + 1),
                    kind: kind.clone(),
                    command: command.to_owned(),
                    exit: exit.parse().expect("an exit code"),
                });
            }
        }
    }
    lines
}

/// A folder with a `kubectl` that knows this plugin, as the real one would find it in the PATH.
fn kubectl(folder: &Path) {
    let shim = folder.join("kubectl");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = helm-forensics ] || {{ cat; exit 0; }}\nshift\nexec '{PROGRAM}' \"$@\"\n"
    );
    fs::write(&shim, script).expect("a file");
    fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).expect("a mode");
}

fn sh(command: &str, folder: &Path) -> (i32, String) {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let run = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", path)
        .env("KUBECONFIG", "/nonexistent")
        .output()
        .expect("sh runs");
    (run.status.code().unwrap_or(-1), String::from_utf8_lossy(&run.stderr).into_owned())
}

#[test]
fn every_runnable_command_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    kubectl(folder.path());
    let mut ran = 0;
    for line in lines().iter().filter(|line| line.kind == "runnable") {
        let (code, errors) = sh(&line.command, folder.path());
        assert_eq!(code, line.exit, "{}: {}\n{errors}", line.place, line.command);
        ran += 1;
    }
    assert!(ran >= 10, "{ran} commands ran");
}

#[test]
fn every_command_for_a_cluster_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    kubectl(folder.path());
    for line in lines().iter().filter(|line| line.kind == "cluster") {
        let command = line.command.split(" > ").next().unwrap_or_default();
        // Usage errors in front of --help come first.
        let (code, errors) = sh(&format!("{command} --help"), folder.path());
        assert_eq!(code, 0, "{}: {}\n{errors}", line.place, line.command);
    }
}

/// Why a command cannot be run here.
const UNTESTED: [(&str, &str); 5] = [
    ("cargo install --git REPOSITORY helm-forensics", "REPOSITORY stands for an address of the reader's"),
    ("cargo install --locked --path .", "builds the whole program once more"),
    (
        "ln -s \"$(command -v kubectl-helm_forensics)\" ~/.local/bin/kubectl_complete-helm_forensics",
        "writes into the home folder",
    ),
    ("cargo test", "is this test run"),
    (
        "export KUBEBUILDER_ASSETS=\"$(tests/rig/build)\"",
        "builds a control plane for minutes; .ci/run does it",
    ),
];

#[test]
fn what_is_untested_has_a_reason() {
    let mut without = Vec::new();
    let mut used = Vec::new();
    for line in lines().into_iter().filter(|line| line.kind == "untested") {
        match UNTESTED.iter().find(|(command, _)| *command == line.command) {
            Some((command, _)) => used.push(*command),
            None => without.push(format!("{}: {}", line.place, line.command)),
        }
    }
    assert!(without.is_empty(), "untested without a reason: {without:#?}");
    for (command, reason) in UNTESTED {
        assert!(used.contains(&command) && !reason.is_empty(), "no page says {command}");
    }
}

/// Commands for this program in a manifest: `kubectl helm-forensics …`, or a container's `args`.
fn in_manifest(value: &Value, commands: &mut Vec<String>) {
    match value {
        Value::String(text) if text.starts_with("kubectl helm-forensics ") => commands.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| in_manifest(item, commands)),
        Value::Object(fields) => {
            if let Some(args) = fields.get("args").and_then(Value::as_array) {
                let words: Vec<&str> = args.iter().map(|word| word.as_str().expect("a word")).collect();
                commands.push(format!("kubectl helm-forensics {}", words.join(" ")));
            }
            fields.values().for_each(|field| in_manifest(field, commands));
        }
        _ => {}
    }
}

#[test]
fn every_command_in_a_manifest_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    kubectl(folder.path());
    let mut commands = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for block in text.split("\n```yaml\n").skip(1) {
            let block = block.split("\n```").next().unwrap_or_default();
            let manifest: Value = serde_saphyr::from_str(block)
                .unwrap_or_else(|error| panic!("{}: {error}\n{block}", page.display()));
            in_manifest(&manifest, &mut commands);
        }
    }
    assert!(commands.len() >= 3, "the CronJob and the CI job of the runbook: {commands:?}");
    for command in commands {
        let command = command.split(" > ").next().unwrap_or_default();
        let (code, errors) = sh(&format!("{command} --help"), folder.path());
        assert_eq!(code, 0, "{command}\n{errors}");
    }
}

#[test]
fn every_console_says_how_it_is_tested() {
    for line in lines() {
        assert!(
            ["runnable", "cluster", "untested"].contains(&line.kind.as_str()),
            "{}: {}",
            line.place,
            line.command
        );
    }
}
