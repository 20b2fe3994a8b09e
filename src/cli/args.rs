//! The arguments as typed.

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};
use jiff::Timestamp;

use super::connection::ConnectionArgs;
use super::{audit, capture, completion, decode, explain, help, history, man, owners, predict, redact, why};
use crate::helm::Limit;
use crate::report::Form;
use crate::source::saved::FromSpec;

/// Why a GitOps deploy did not land: reads what Fleet, Flux, Argo CD, k3s and Helm left on the clusters,
/// finds who holds the field, and says the least destructive way out. Only GET and LIST, ever.
#[derive(Parser)]
#[command(
    name = "kubectl helm-forensics",
    bin_name = "kubectl helm-forensics",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do; without one, `why`.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The arguments of `why`, which may stand alone.
    #[command(flatten)]
    pub why: why::Args,
    /// Flags of every command.
    #[command(flatten)]
    pub globals: Globals,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Why is it stuck? Everything that is stuck, or what TYPE/NAME names (default)
    Why(why::Args),
    /// What will block the next deploy: hand-made changes, co-owners, paused clusters
    Audit(audit::Args),
    /// Every stored revision of a release, and what is missing from the sequence
    History(history::Args),
    /// What is in a release Secret, ConfigMap or bare payload
    Decode(decode::Args),
    /// Who holds which field of an object, through what, since when
    Owners(owners::Args),
    /// What applying a manifest would do: conflicts, silent overwrites, resets, shared fields
    Predict(predict::Args),
    /// What a failure class means and how to get out; with - or a file classifies what was pasted
    Explain(explain::Args),
    /// Save what the other commands read, without values, as a folder or .tar.gz
    Capture(capture::Args),
    /// Take the values out of a dump that you already have
    Redact(redact::Args),
    /// The JSON Schema of -o json
    Schema,
    /// Script that completes commands, flags and names in a shell
    Completion(completion::Args),
    /// Help on a command, a topic or a class of failure
    Help(help::Args),
    /// Write the manual pages
    #[command(hide = true)]
    Man(man::Args),
    /// The smallest rights that the program needs, as ClusterRoles in YAML
    Rbac,
}

/// Flags of every command.
#[derive(Args, Clone)]
pub struct Globals {
    /// Read saved data instead of living clusters: a folder, file or archive, NAME=PATH for one cluster,
    /// or - for standard input
    #[arg(long, global = true, value_name = "[NAME=]PATH", value_hint = ValueHint::AnyPath, help_heading = "Evidence")]
    pub from: Vec<FromSpec>,
    /// Only what is on this cluster, by id or display name
    #[arg(long, global = true, value_name = "NAME", help_heading = "Evidence")]
    pub cluster_name: Option<String>,
    /// Count ages from this time; saved data otherwise counts from its newest time
    #[arg(long, global = true, value_name = "TIME", help_heading = "Evidence")]
    pub now: Option<Timestamp>,
    /// Largest release payload that is unpacked, in MiB
    #[arg(long, global = true, default_value = "64", value_parser = mebibytes, value_name = "MIB", help_heading = "Evidence")]
    pub max_payload: Limit,
    /// human, wide, json, yaml, markdown, html or name
    #[arg(short, long, global = true, default_value_t, value_parser = forms(), value_name = "FORM", help_heading = "Output")]
    pub output: Form,
    /// auto, always or never
    #[arg(long, global = true, default_value = "auto", value_parser = color, value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,
    /// Exit with 2 if something is stuck, 3 if nothing was found but some evidence was out of reach
    #[arg(long, global = true, help_heading = "Output")]
    pub exit_code: bool,
    /// Print nothing on standard error but errors
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
    /// Say how clusters were reached; twice: every request
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
    /// How to reach the clusters, with kubectl's own flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// The names of the forms, so that help and completion know them.
fn forms() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(Form::names().collect::<Vec<_>>()).try_map(|name| name.parse::<Form>())
}

fn color(text: &str) -> Result<ColorChoice, String> {
    match text {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err("choose auto, always or never".into()),
    }
}

fn mebibytes(text: &str) -> Result<Limit, String> {
    let mebibytes: usize = text.parse().map_err(|_| "a whole number of MiB".to_owned())?;
    mebibytes.checked_mul(1 << 20).filter(|bytes| *bytes > 0).map(Limit).ok_or_else(|| "out of range".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_sound() {
        Cli::command().debug_assert();
    }
}
