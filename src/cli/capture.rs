//! `capture`: save what the other commands read, without values.

use std::cell::RefCell;
use std::path::PathBuf;

use anyhow::bail;

use super::args::Globals;
use super::ask::{options, question};
use super::exit::Exit;
use super::print;
use super::{open, target};
use crate::capture::{Package, Recording, package};
use crate::evidence::{Collection, Evidence, Question, Target};
use crate::source::Source;
use crate::source::live;

/// What `capture` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// A folder, a .tar.gz, or - for an archive on standard output
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// As for `why`; with none, everything in reach
    #[arg(value_name = "TYPE/NAME")]
    pub targets: Vec<String>,
    /// Where to write it, and what stays in it.
    #[command(flatten)]
    pub writing: Writing,
}

/// How a capture is written.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct Writing {
    /// Replace an earlier capture at PATH
    #[arg(long)]
    pub force: bool,
    /// Leave everything in: Secrets, values, environments, notes. Nobody else should see such a file
    #[arg(long)]
    pub show_values: bool,
}

/// Reads all that `why`, `audit`, `owners` and `history` would, and writes it.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let question = Question {
        include_healthy: true,
        compare_live: true,
        whole_history: true,
        ..question(globals, &Target::list(&args.targets)?)
    };
    let recording = Recording::of(open::source(globals).await?);
    let collection =
        Collection { question: &question, options: options(globals), now: open::now(globals), read: drop };
    let sink = RefCell::new(Evidence::new(collection.now));
    tokio::select! {
        () = collection.collect(&recording, &sink) => {}
        () = live::interrupt() => return Ok(Exit::Interrupted),
    }
    let mut taken = recording.taken();
    taken.missed = sink.into_inner().gaps;
    if taken.clusters.values().all(|cluster| cluster.resources.is_empty()) && !taken.missed.is_empty() {
        let troubles =
            recording.troubles().into_iter().map(|gap| format!("\n  {}: {}", gap.missing, gap.why));
        bail!("nothing could be read, so there is nothing to save{}", troubles.collect::<String>());
    }
    finish(&package(&taken, args.writing.show_values), &args.path, args.writing, globals)
}

/// Writes a package and says on standard error what is in it.
pub fn finish(
    package: &Package,
    path: &std::path::Path,
    writing: Writing,
    globals: &Globals,
) -> anyhow::Result<Exit> {
    target::write(package, path, writing.force)?;
    if !globals.quiet {
        let manifest = &package.manifest;
        let resources = manifest.clusters.iter().flat_map(|cluster| &cluster.resources);
        let objects: usize = resources.map(|resource| resource.objects).sum();
        print::remark(&format!(
            "{objects} objects of {} clusters in {}",
            manifest.clusters.len(),
            path.display()
        ));
        if writing.show_values {
            print::remark(
                "warning: nothing was removed: it holds Secrets, values and environments in the clear",
            );
        }
        for removal in &manifest.removed {
            print::remark(&format!("  removed: {} {}", removal.count, removal.what));
        }
        for gap in &manifest.missed {
            print::remark(&format!(
                "  not in it: {}",
                crate::report::clean_text(&format!("{}: {}", gap.missing, gap.why))
            ));
        }
    }
    Ok(Exit::Ran)
}
