//! `audit`: what will block the next deploy?

use clap_complete::ArgValueCompleter;

use super::args::Globals;
use super::ask::{ask, question};
use super::exit::Exit;
use super::names;
use super::print;
use crate::diagnosis::{audit, landmines};
use crate::evidence::{Question, Target};

/// What `audit` is asked.
#[derive(clap::Args, Clone, Default)]
pub struct Args {
    /// As for `why`; with none, every release in reach
    #[arg(value_name = "TYPE/NAME", add = ArgValueCompleter::new(names::targets))]
    pub targets: Vec<String>,
}

/// Answers and prints.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let question = Question { compare_live: true, ..question(globals, &Target::list(&args.targets)?) };
    let (evidence, interrupted) = ask(globals, &question, |case| landmines(&case)).await?;
    let verdict = print::report(audit(evidence), globals)?;
    Ok(interrupted.unwrap_or(verdict))
}
