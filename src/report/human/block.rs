//! One cause: headline, facts, and the parts below.

use super::{evidence, fields, gaps, summary, ways};
use crate::report::group::{Group, Standing};
use crate::report::{Age, Finding, Page, Paint, Release, Report, class_in_words, value, words};

pub(super) fn paint(standing: Standing) -> Paint {
    match standing {
        Standing::Stuck => Paint::Bad,
        Standing::LooksReady | Standing::Overtaken | Standing::Landmine => Paint::Warn,
    }
}

pub(super) fn block(page: &mut Page, report: &Report, group: &Group<'_>) {
    let finding = group.lead;
    headline(page, report, group);
    page.prose(2, Paint::Plain, &finding.summary);
    page.blank();
    facts(page, report, group);
    if finding.conflicts.is_empty() {
        cause(page, group);
    } else {
        fields::fields(page, report, finding);
    }
    for running in &finding.running {
        page.fact("running", Paint::Plain, &format!("{}: {}", running.object, running.says));
    }
    ways::ways(page, group);
    evidence::evidence(page, report, finding);
    gaps::of_finding(page, finding);
}

/// `STUCK  GitRepo fleet-default/shop  on prod-eu (c-prod)`.
fn headline(page: &mut Page, report: &Report, group: &Group<'_>) {
    let word = group.standing.word();
    let lead = format!("{}  ", page.style().paint(paint(group.standing), word));
    let columns = word.len() + 2;
    let text = match places(page, report, group) {
        Some(places) => format!("{} on {places}", summary::subject(group.lead)),
        None => summary::subject(group.lead),
    };
    page.hanging(&lead, columns, columns, Paint::Strong, &text);
}

/// Clusters that are named in a headline; the others are counted.
const NAMED: usize = 4;

fn places(page: &Page, report: &Report, group: &Group<'_>) -> Option<String> {
    let names: Vec<String> = group
        .all
        .iter()
        .filter_map(|finding| finding.cluster.as_deref())
        .map(|name| cluster(report, name))
        .collect();
    let shown = if page.style().wide || names.len() <= NAMED + 1 { names.len() } else { NAMED };
    let (first, rest) = names.split_at_checked(shown)?;
    match (first.is_empty(), rest.len()) {
        (true, _) => None,
        (false, 0) => Some(first.join(", ")),
        (false, more) => Some(format!("{} clusters: {} and {more} more", names.len(), first.join(", "))),
    }
}

/// `prod-eu (c-prod)`: the name that people use, and the one that commands need.
fn cluster(report: &Report, name: &str) -> String {
    match display_name(report, name) {
        display if display == name => display.to_owned(),
        display => format!("{display} ({name})"),
    }
}

/// The name that people use for the cluster `name`.
pub(super) fn display_name<'a>(report: &'a Report, name: &'a str) -> &'a str {
    let seen = report.clusters.iter().find(|cluster| cluster.name == name);
    seen.and_then(|cluster| cluster.display_name.as_deref()).unwrap_or(name)
}

fn facts(page: &mut Page, report: &Report, group: &Group<'_>) {
    let finding = group.lead;
    if let Some(state) = value::state(&finding.state) {
        page.fact("state", Paint::Plain, &state);
    }
    if let Some(wanted) = &finding.wanted {
        page.fact("wanted", Paint::Plain, wanted);
    }
    if let Some(release) = &finding.release {
        page.fact("release", Paint::Plain, &release_words(page, report, release));
    }
    if let Some(later) = finding.overtaken_by {
        page.fact("later", Paint::Plain, &format!("revision {later} came after it and did not heal it"));
    }
    if finding.heals_itself {
        page.fact("self-healing", Paint::Plain, "on: hand-made changes are undone without a commit");
    }
    if let Some(lost) = finding.tries_lost.filter(|lost| *lost > 0) {
        page.fact("tries", Paint::Plain, &tries(lost, finding));
    }
    // The headline names the clusters; here is what differs from one to the other.
    if group.all.get(1..).is_some_and(|others| others.iter().any(|other| other.release.is_some())) {
        page.fact("same on", Paint::Plain, &others(page, report, group));
    }
}

/// The other findings of the group, with what differs from one to the other.
fn others(page: &Page, report: &Report, group: &Group<'_>) -> String {
    let all: Vec<String> = group
        .all
        .iter()
        .skip(1)
        .map(|finding| {
            let name = cluster(report, finding.cluster.as_deref().unwrap_or("-"));
            match finding.release.as_ref().and_then(|release| release.revision) {
                Some(revision) => format!("{name} (revision {revision})"),
                None => name,
            }
        })
        .collect();
    let shown = if page.style().wide { all.len() } else { all.len().min(NAMED) };
    let mut text = all.get(..shown).unwrap_or_default().join(", ");
    if shown < all.len() {
        text.push_str(&format!(" and {} more (-o wide lists them)", all.len() - shown));
    }
    text
}

fn release_words(page: &Page, report: &Report, release: &Release) -> String {
    let mut text = format!("{}/{}", release.namespace, release.name);
    if let Some(revision) = release.revision {
        text.push_str(&format!(" revision {revision}"));
    }
    if let Some(status) = &release.status {
        text.push_str(&format!(" {status}"));
    }
    if let Some(started) = release.started {
        text.push_str(&format!(" {}", when(page, report, started)));
    }
    if let Some(chart) = &release.chart {
        text.push_str(&format!(", chart {chart}"));
    }
    if let Some(cause) = release.cause_revision {
        text.push_str(&format!("; revision {cause} holds the reason"));
    }
    match release.deployed_revision {
        Some(deployed) if Some(deployed) != release.revision => {
            text.push_str(&format!("; revision {deployed} is still deployed"));
        }
        _ => {}
    }
    text
}

/// `35 s ago`, and the time itself where there is room for it.
pub(super) fn when(page: &Page, report: &Report, at: jiff::Timestamp) -> String {
    let age = Age::between(at, report.now);
    if page.style().wide { format!("{age} ({at})") } else { age.to_string() }
}

fn tries(lost: u32, finding: &Finding) -> String {
    let stored = finding.earlier.len();
    match stored {
        0 => format!("{lost} more, no longer stored"),
        _ => format!("{} more, {lost} of them no longer stored", usize::try_from(lost).unwrap_or(0) + stored),
    }
}

/// What failed, for every class that is not told field by field: the deployer's or Helm's own text.
fn cause(page: &mut Page, group: &Group<'_>) {
    let finding = group.lead;
    page.heading(&heading(finding));
    let text = finding.release.as_ref().and_then(|release| release.description.as_deref());
    if let Some(text) = text {
        page.fact("Helm says", Paint::Plain, &clip(page, text));
    }
    if let Some(message) = finding.message.as_deref().filter(|message| Some(*message) != text) {
        let kind = finding.owner.as_ref().map_or("owner", |owner| owner.kind.as_str());
        page.fact(&format!("{kind} says"), Paint::Plain, &clip(page, message));
    }
}

/// `FIELD CONFLICT   likely: …`.
pub(super) fn heading(finding: &Finding) -> String {
    let mut text = class_in_words(&finding.class).to_uppercase();
    if finding.confidence != crate::report::Confidence::Certain {
        text.push_str(&format!("  ({})", words::confidence(finding.confidence)));
    }
    if !finding.also.is_empty() {
        let also: Vec<String> = finding.also.iter().map(|class| class_in_words(class)).collect();
        text.push_str(&format!("  (also: {})", also.join(", ")));
    }
    text
}

/// A text so long that it would push everything else off the screen is cut; `wide` shows it whole.
fn clip(page: &Page, text: &str) -> String {
    const LONG: usize = 600;
    match text.char_indices().nth(LONG) {
        Some((end, _)) if !page.style().wide => {
            format!(
                "{}… (-o wide shows all {} characters)",
                text.get(..end).unwrap_or(text),
                text.chars().count()
            )
        }
        _ => text.to_owned(),
    }
}
