//! `why`: why is it stuck?

use std::time::Duration;

use anyhow::bail;
use clap_complete::ArgValueCompleter;

use super::args::Globals;
use super::ask::{ask, question, unknown_target};
use super::connection::duration;
use super::exit::Exit;
use super::names;
use super::print;
use super::watch;
use crate::diagnosis::{diagnose, findings};
use crate::evidence::Target;

/// What `why` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// gitrepo/NAME, helmop/NAME, bundle/NAME, cluster/NAME, helmrelease/NAME, application/NAME,
    /// helmchart/NAME or release/NAMESPACE/NAME; with none, everything that is stuck
    #[arg(value_name = "TYPE/NAME", add = ArgValueCompleter::new(names::targets))]
    pub targets: Vec<String>,
    /// Look again and again while a fix lands; ends with 0 when all that was stuck is ready
    #[arg(long)]
    pub watch: bool,
    /// Time between two looks of --watch
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration, requires = "watch")]
    pub interval: Duration,
}

impl Default for Args {
    fn default() -> Self {
        Self { targets: Vec::new(), watch: false, interval: Duration::from_secs(5) }
    }
}

/// Answers and prints.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let question = question(globals, &Target::list(&args.targets)?);
    if args.watch {
        return watch::run(&question, globals, args.interval).await;
    }
    let (evidence, interrupted) = ask(globals, &question, |case| findings(&case)).await?;
    if interrupted.is_none()
        && let Some(problem) = unknown_target(&question, &evidence)
    {
        bail!(problem);
    }
    let verdict = print::report(diagnose(evidence), globals)?;
    Ok(interrupted.unwrap_or(verdict))
}
