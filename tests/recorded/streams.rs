//! Standard streams that fail: a full disk is said and is no answer, a closed pipe is a reader who has seen
//! enough, and a lost remark changes nothing.

use std::fs::File;
use std::process::{Command, Output, Stdio};

const FORMS: [&str; 7] = ["human", "wide", "json", "yaml", "markdown", "html", "name"];

/// Every command that prints, on what needs no cluster.
const COMMANDS: [&[&str]; 13] = [
    &["why", "--from", "fixtures/fleet-scale-conflict"],
    &["audit", "--from", "fixtures/fleet-scale-conflict"],
    &["history", "shop/shop", "--from", "fixtures/fleet-scale-conflict", "--cluster-name", "c-prod"],
    &["owners", "deployment/shop-podinfo", "-n", "shop", "--from", "fixtures/fleet-scale-conflict"],
    &["decode", "fixtures/fleet-scale-conflict/clusters/c-prod/secrets.json"],
    &["explain"],
    &["explain", "ssa.conflict"],
    &["schema"],
    &["rbac"],
    &["completion", "bash"],
    &["help", "runbook"],
    &["--help"],
    &["--version"],
];

/// Those for every form that are not the same for each: asking them once is enough.
fn runs() -> impl Iterator<Item = Vec<&'static str>> {
    COMMANDS.iter().flat_map(|command| {
        let forms = if command.contains(&"--from") { &FORMS[..] } else { &FORMS[..1] };
        forms.iter().map(|form| {
            let mut run = command.to_vec();
            run.extend(["-o", *form]);
            run
        })
    })
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn full_disk() -> File {
    File::options().write(true).open("/dev/full").expect("/dev/full")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_full_disk_is_said_and_is_no_answer() {
    for run in runs() {
        let output = program(&run).stdout(full_disk()).output().expect("the program");
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{run:?}: {said}");
        assert!(said.contains("No space left on device"), "{run:?}: {said}");
        assert!(said.lines().count() == 1 && !said.contains("panicked"), "{run:?}: {said}");
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for run in runs() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = program(&run).stdout(writer).output().expect("the program");
        assert_eq!((output.status.code(), errors(&output).as_str()), (Some(0), ""), "{run:?}");
    }
}

#[test]
fn a_lost_remark_changes_no_exit_code() {
    for (run, code) in [
        (&["why", "--from", "fixtures/fleet-scale-conflict", "-v"][..], 0),
        (&["why", "--from", "fixtures/fleet-scale-conflict", "-v", "--exit-code"], 2),
        (&["why", "--from", "/nonexistent"], 1),
        (&["no-such-command"], 1),
    ] {
        let output = program(run).stderr(full_disk()).output().expect("the program");
        assert_eq!(output.status.code(), Some(code), "{run:?}");
    }
}
