//! `why`: why is it stuck?

use anyhow::bail;
use clap_complete::ArgValueCompleter;

use super::args::Globals;
use super::ask::{ask, question, unknown_target};
use super::exit::Exit;
use super::names;
use super::print;
use crate::diagnosis::{diagnose, findings};
use crate::evidence::Target;

/// What `why` is asked.
#[derive(clap::Args, Clone, Default)]
pub struct Args {
    /// gitrepo/NAME, helmop/NAME, bundle/NAME, cluster/NAME, helmrelease/NAME, application/NAME,
    /// helmchart/NAME or release/NAMESPACE/NAME; with none, everything that is stuck
    #[arg(value_name = "TYPE/NAME", add = ArgValueCompleter::new(names::targets))]
    pub targets: Vec<String>,
}

/// Answers and prints.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let question = question(globals, &Target::list(&args.targets)?);
    let (evidence, interrupted) = ask(globals, &question, |case| findings(&case)).await?;
    if interrupted.is_none()
        && let Some(problem) = unknown_target(&question, &evidence)
    {
        bail!(problem);
    }
    let report = diagnose(evidence);
    let verdict = if globals.exit_code { Exit::of(&report) } else { Exit::Ran };
    print::report(report, globals)?;
    Ok(interrupted.unwrap_or(verdict))
}
