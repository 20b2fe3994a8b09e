//! `predict`: what an apply would do to the objects of a release, one by one.

mod file;
mod foretold;
mod human;
mod release;

use std::path::Path;

use super::args::Globals;
use super::exit::Exit;
use super::print;
use crate::evidence::Target;
use crate::fields::Method;

pub use foretold::{Foretold, record};
pub use human::human;

/// What `predict` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// A file with the objects that would be applied (`helm template …`), - for standard input, or
    /// release/NAMESPACE/NAME for a stored revision, the newest one if it failed or not
    #[arg(value_name = "FILE|-|release/NAME")]
    pub what: String,
    /// The stored revision that would be applied again; the newest by default
    #[arg(long, value_name = "N")]
    pub revision: Option<u32>,
    /// The field manager that would apply them: helm for a file, its deployer's for a release
    #[arg(long, value_name = "NAME")]
    pub manager: Option<String>,
    /// ssa (Helm 4, Fleet), forced (Flux, Argo CD under server-side apply) or csa (Helm 3); ssa for a file, as
    /// the revision was made for a release
    #[arg(long, value_parser = method, value_name = "METHOD")]
    pub method: Option<Method>,
}

fn method(text: &str) -> Result<Method, String> {
    match text {
        "ssa" => Ok(Method::ServerSide),
        "forced" => Ok(Method::Forced),
        "csa" => Ok(Method::ClientSide),
        _ => Err("choose ssa, forced or csa".into()),
    }
}

/// Answers and prints. Nothing is written to any cluster: the decision is computed.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let (subject, foretold) = match stored(args) {
        Some(release) => release::foretold(&release, args, globals).await?,
        None => file::foretold(args, globals).await?,
    };
    let mut door = print::door(globals);
    if globals.output.is_for_programs() {
        door.record(&record(&subject, &foretold), globals.output)?;
    } else {
        door.painted(&human(&subject, &foretold, door.style()))?;
    }
    Ok(Exit::Ran)
}

/// A release, unless a file has that name.
fn stored(args: &Args) -> Option<Target> {
    let target: Target = args.what.parse().ok().filter(|target: &Target| target.kind == "release")?;
    (!Path::new(&args.what).exists()).then_some(target)
}
