//! Completion: scripts for shells, and answers to kubectl.
//!
//! kubectl completes a plugin by running `kubectl_complete-helm_forensics WORDS…` from the PATH, a link to
//! this program, and reads `value<TAB>help` lines and a last line `:DIRECTIVE`, a bit field of cobra's.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, EnvCompleter, Fish, Powershell, Zsh};

use super::args::{Cli, Globals};
use super::exit::Exit;
use super::print;

/// What kubectl looks for in the PATH.
const FOR_KUBECTL: &str = "kubectl_complete-helm_forensics";
/// The program's file.
const PROGRAM: &str = "kubectl-helm_forensics";
/// Cobra's `ShellCompDirectiveNoFileComp`: nothing but these candidates.
const NO_FILES: u8 = 4;
/// Cobra's `ShellCompDirectiveNoSpace`: the word goes on behind the candidate.
const NO_SPACE: u8 = 2;

/// What `completion` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    pub shell: Dialect,
}

/// Shells that there is a script for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Dialect {
    /// GNU bash
    Bash,
    /// Z shell
    Zsh,
    /// fish
    Fish,
    /// PowerShell
    #[value(name = "powershell")]
    PowerShell,
}

/// Prints the script that asks this program for candidates.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let shell: &dyn EnvCompleter = match args.shell {
        Dialect::Bash => &Bash,
        Dialect::Zsh => &Zsh,
        Dialect::Fish => &Fish,
        Dialect::PowerShell => &Powershell,
    };
    let mut script = Vec::new();
    shell.write_registration("COMPLETE", PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    print::door(globals).unmasked(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ran)
}

/// Answers a completion request; `None` where this run is none. A request that cannot be answered is
/// answered with nothing: an error would stand in the middle of what somebody types.
pub fn answered() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let name = arguments.next()?;
    if Path::new(&name).file_stem().is_some_and(|stem| stem == FOR_KUBECTL) {
        let _ = io::stdout().write_all(for_kubectl(arguments.collect()).as_bytes());
        return Some(ExitCode::SUCCESS);
    }
    let asked = CompleteEnv::with_factory(|| Cli::command().name(PROGRAM).bin_name(PROGRAM))
        .try_complete(std::env::args_os(), std::env::current_dir().ok().as_deref());
    asked.unwrap_or(false).then_some(ExitCode::SUCCESS)
}

/// The candidates for the last of `words`, as kubectl reads them.
fn for_kubectl(words: Vec<OsString>) -> String {
    let mut arguments = vec![OsString::from(PROGRAM)];
    arguments.extend(words);
    if arguments.len() == 1 {
        arguments.push(OsString::new());
    }
    let index = arguments.len() - 1;
    let here = std::env::current_dir().ok();
    let mut command = Cli::command().name(PROGRAM).bin_name(PROGRAM);
    let candidates =
        clap_complete::engine::complete(&mut command, arguments, index, here.as_deref()).unwrap_or_default();
    let mut out = String::new();
    let mut directive = NO_FILES;
    for candidate in candidates.iter().filter(|candidate| !candidate.is_hide_set()) {
        let value = candidate.get_value().to_string_lossy();
        if value.ends_with('/') || value.ends_with('=') {
            directive |= NO_SPACE;
        }
        let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.lines().next().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{value}\t{help}");
    }
    let _ = writeln!(out, ":{directive}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> String {
        for_kubectl(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn kubectl_gets_values_with_help_and_a_directive() {
        let answer = asked(&["aud"]);
        assert!(answer.starts_with("audit\t"), "{answer}");
        assert!(answer.ends_with(":4\n"), "{answer}");
    }

    #[test]
    fn types_are_offered_with_a_slash_and_no_blank_behind_it() {
        let answer = asked(&["why", "gitr"]);
        assert!(answer.contains("gitrepo/\t"), "{answer}");
        assert!(answer.ends_with(":6\n"), "{answer}");
    }

    #[test]
    fn values_of_flags_are_offered() {
        let answer = asked(&["why", "-o", "mark"]);
        assert!(answer.contains("markdown"), "{answer}");
    }

    #[test]
    fn nonsense_is_answered_with_nothing() {
        assert_eq!(asked(&["--no-such-flag", "x"]), ":4\n");
    }
}
