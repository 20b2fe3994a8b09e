//! `man DIR`: the manual pages, made from the arguments themselves. Packagers call it.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory;

use super::args::Cli;
use super::exit::Exit;

/// What `man` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// Folder for the pages; made if it is missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Writes a page for the program and one for each command.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let folder = args.folder.display();
    std::fs::create_dir_all(&args.folder).with_context(|| format!("cannot make the folder {folder}"))?;
    let command = Cli::command().name("kubectl-helm_forensics").bin_name("kubectl-helm_forensics");
    clap_mangen::generate_to(command, &args.folder).with_context(|| format!("cannot write to {folder}"))?;
    Ok(Exit::Ran)
}
