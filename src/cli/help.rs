//! `help TOPIC`: a command, a concept, or a class of failure.

use anyhow::bail;
use clap::CommandFactory;
use clap_complete::{ArgValueCandidates, CompletionCandidate};

use super::args::{Cli, Globals};
use super::exit::Exit;
use super::{explain, print};
use crate::failure;
use crate::report::Style;

/// What `help` is asked.
#[derive(clap::Args, Clone, Default)]
pub struct Args {
    /// A command, a topic, or a class such as ssa.conflict; with none, the overview
    #[arg(value_name = "TOPIC", add = ArgValueCandidates::new(candidates))]
    pub topic: Option<String>,
}

/// Concepts: the pages of docs/, as they are.
const TOPICS: [(&str, &str); 9] = [
    ("access", include_str!("../../docs/access.md")),
    ("commands", include_str!("../../docs/commands.md")),
    ("contributing", include_str!("../../docs/contributing.md")),
    ("how-it-works", include_str!("../../docs/how-it-works.md")),
    ("quick-start", include_str!("../../docs/quick-start.md")),
    ("report", include_str!("../../docs/reading-a-report.md")),
    ("runbook", include_str!("../../docs/runbook.md")),
    ("security", include_str!("../../docs/security.md")),
    ("troubleshooting", include_str!("../../docs/troubleshooting.md")),
];

/// Topics, commands and classes for completion.
fn candidates() -> Vec<CompletionCandidate> {
    let topics = TOPICS.map(|(name, _)| CompletionCandidate::new(name));
    let classes = failure::catalogue()
        .iter()
        .map(|entry| CompletionCandidate::new(entry.class.0).help(Some(entry.title.into())));
    topics.into_iter().chain(classes).collect()
}

/// Prints the page.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let mut door = print::door(globals);
    let page = page(args.topic.as_deref(), door.style())?;
    door.unmasked(&page)?;
    Ok(Exit::Ran)
}

fn page(topic: Option<&str>, style: &Style) -> anyhow::Result<String> {
    let mut command = Cli::command();
    let names = || TOPICS.map(|(name, _)| name).join(", ");
    let Some(topic) = topic else {
        let topics = format!("Topics of help: {}; and every class of failure.", names());
        return Ok(format!("{}\n{}\n", command.render_help(), textwrap::fill(&topics, style.width)));
    };
    if let Some((_, page)) = TOPICS.iter().find(|(name, _)| *name == topic) {
        return Ok((*page).to_owned());
    }
    command.build();
    if let Some(command) = command.find_subcommand_mut(topic) {
        return Ok(command.render_long_help().to_string());
    }
    if let Some(entry) = failure::explained(topic) {
        return Ok(explain::class_page(entry, style));
    }
    bail!("there is no help on '{topic}'; topics are {}, the commands, and the classes of failure", names())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_command_and_class_has_a_page() {
        let topics = TOPICS.map(|(name, _)| name).into_iter();
        let classes = failure::catalogue().iter().map(|entry| entry.class.0);
        for topic in topics.chain(["why", "audit"]).chain(classes) {
            assert!(
                page(Some(topic), &Style::plain(80)).is_ok_and(|page| page.lines().count() > 3),
                "{topic}"
            );
        }
    }

    #[test]
    fn an_unknown_topic_is_told_what_exists() {
        let error = page(Some("nonsense"), &Style::plain(80)).unwrap_err().to_string();
        assert!(error.contains("'nonsense'") && error.contains("runbook"), "{error}");
    }
}
