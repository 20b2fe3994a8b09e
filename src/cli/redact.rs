//! `redact`: the values out of a dump that somebody already has.

use std::path::PathBuf;

use anyhow::Context as _;

use super::args::Globals;
use super::capture::{self, Writing};
use super::exit::Exit;
use crate::capture::{Taken, package};
use crate::source::saved::{FromSpec, Limits, Saved};

/// What `redact` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// The dump: a folder, file or archive, NAME=PATH, or - for standard input
    #[arg(value_name = "[NAME=]DUMP")]
    pub dump: FromSpec,
    /// Where to write it: a folder, a .tar.gz, or - for an archive on standard output
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Replace an earlier capture at PATH
    #[arg(long)]
    pub force: bool,
}

/// Reads the dump whole and writes it without values.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let specs: Vec<FromSpec> = globals.from.iter().chain([&args.dump]).cloned().collect();
    let saved = Saved::open(&specs, Limits::default()).context("there is nothing to redact")?;
    let writing = Writing { force: args.force, show_values: false };
    capture::finish(&package(&Taken::all_of(&saved), false), &args.path, writing, globals)
}
