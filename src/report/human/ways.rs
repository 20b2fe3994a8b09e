//! What to do, least destructive first.

use crate::report::group::Group;
use crate::report::{Page, Paint, Risk, WayOut, words};

/// Who reads this at 3 a.m.; said only where it takes somebody else.
const READER: &str = "on call";

pub(super) fn ways(page: &mut Page, group: &Group<'_>) {
    let ways = &group.lead.ways_out;
    page.heading(if ways.len() == 1 { "WAY OUT" } else { "WAYS OUT" });
    if ways.is_empty() {
        page.prose(2, Paint::Plain, "No safe way out is known.");
        return;
    }
    for (index, way) in ways.iter().enumerate() {
        if index > 0 {
            page.blank();
        }
        way_out(page, index + 1, way);
    }
    elsewhere(page, group);
}

fn way_out(page: &mut Page, number: usize, way: &WayOut) {
    let risk = words::risk(way.risk);
    let paint = match way.risk {
        Risk::Safe => Paint::Good,
        Risk::Restarts => Paint::Warn,
        Risk::Destructive => Paint::Bad,
    };
    let lead = format!("  {number}  {}  ", page.style().paint(paint, &risk.to_uppercase()));
    page.hanging(&lead, 5 + risk.len() + 2, 5, Paint::Strong, &way.title);
    for command in &way.commands {
        page.command(7, command);
    }
    if !way.then.is_empty() {
        page.prose(5, Paint::Plain, &way.then);
    }
    if !way.who.is_empty() && way.who != READER {
        page.prose(5, Paint::Warn, &format!("needs: {}", way.who));
    }
}

/// The commands name the first cluster. On the others they differ in more than the context: the index
/// of a managedFields entry, a revision.
fn elsewhere(page: &mut Page, group: &Group<'_>) {
    let others = group.all.get(1..).unwrap_or_default();
    let with_commands =
        others.iter().any(|finding| finding.ways_out.iter().any(|way| !way.commands.is_empty()));
    if !with_commands {
        return;
    }
    page.blank();
    if !page.style().wide {
        let first = group.lead.cluster.as_deref().unwrap_or("one cluster");
        page.prose(
            5,
            Paint::Quiet,
            &format!("The commands are for {first}; -o wide has those for the other clusters."),
        );
        return;
    }
    for finding in others {
        page.prose(2, Paint::Strong, &format!("on {}", finding.cluster.as_deref().unwrap_or("-")));
        for (index, way) in finding.ways_out.iter().enumerate() {
            for command in &way.commands {
                page.prose(5, Paint::Plain, &format!("{}  {}", index + 1, words::risk(way.risk)));
                page.command(7, command);
            }
        }
    }
}
