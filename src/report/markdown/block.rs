//! One cause.

use super::escape::{block as fenced, code, code_in_prose, prose};
use super::layout::gaps;
use crate::report::group::Group;
use crate::report::telling::{Telling, heading, holder, own_words, says, subject};
use crate::report::{Finding, value, words};

pub(super) fn block<'a>(out: &mut String, telling: Telling<'a>, group: &Group<'a>, folded: bool) {
    let finding = group.lead;
    let places = telling.places(group).map(|places| format!(" on {places}")).unwrap_or_default();
    if folded {
        // Inside the tag Markdown is not read, so HTML's escapes do.
        let title = format!("{}: {}{places}", group.standing.word(), subject(finding));
        out.push_str(&format!("<details><summary>{}</summary>\n\n", html(&title)));
    } else {
        out.push_str(&format!(
            "### {}: {}{}\n\n",
            group.standing.word(),
            code_in_prose(&subject(finding)),
            prose_after(&places)
        ));
    }
    out.push_str(&format!("{}\n\n", prose(&finding.summary)));
    facts(out, telling, group);
    out.push_str(&format!("**{}**\n\n", prose(&sentence(&heading(finding)))));
    fields(out, telling, finding);
    for (who, text) in own_words(finding) {
        out.push_str(&format!("{}:\n\n{}\n", prose(&who), fenced(text, "text")));
    }
    for running in &finding.running {
        out.push_str(&format!(
            "Running: {}: {}\n\n",
            code_in_prose(&running.object.to_string()),
            prose(&running.says)
        ));
    }
    ways(out, group);
    evidence(out, telling, finding);
    if !finding.gaps.is_empty() {
        out.push_str("**Not known**\n\n");
        gaps(out, &finding.gaps);
    }
    if folded {
        out.push_str("</details>\n\n");
    }
}

fn prose_after(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {}", prose(text)) }
}

/// With a capital at its start.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn html(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('@', "@<!-- -->")
        .replace('#', "#<!-- -->")
}

fn facts<'a>(out: &mut String, telling: Telling<'a>, group: &Group<'a>) {
    let facts = telling.facts(group);
    if facts.is_empty() {
        return;
    }
    out.push_str("| | |\n| --- | --- |\n");
    for fact in facts {
        out.push_str(&format!("| {} | {} |\n", fact.label, prose(&fact.text)));
    }
    out.push('\n');
}

fn fields(out: &mut String, telling: Telling<'_>, finding: &Finding) {
    if finding.conflicts.is_empty() {
        return;
    }
    let wants = words::wants(finding.owner.as_ref().map(|owner| owner.kind.as_str()));
    out.push_str(&format!("| object | field | {wants} | cluster has | held by | since |\n| --- | --- | --- | --- | --- | --- |\n"));
    for conflict in &finding.conflicts {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            code(&conflict.object.to_string()),
            code(&conflict.path),
            code(&value::words(&conflict.wanted)),
            code(&value::words(&conflict.live)),
            prose(&holder(conflict)),
            prose(&telling.since(conflict)),
        ));
    }
    out.push('\n');
}

fn ways(out: &mut String, group: &Group<'_>) {
    let ways = &group.lead.ways_out;
    if ways.is_empty() {
        out.push_str("**No safe way out is known.**\n\n");
        return;
    }
    out.push_str(if ways.len() == 1 {
        "**Way out**\n\n"
    } else {
        "**Ways out**, least destructive first\n\n"
    });
    for (index, way) in ways.iter().enumerate() {
        let who = if way.who.is_empty() { String::new() } else { format!(" ({})", prose(&way.who)) };
        out.push_str(&format!(
            "**{}. {}**: {}{who}\n\n",
            index + 1,
            words::risk(way.risk),
            prose(&way.title)
        ));
        for command in &way.commands {
            out.push_str(&fenced(command, "sh"));
            out.push('\n');
        }
        if !way.then.is_empty() {
            out.push_str(&format!("{}\n\n", prose(&way.then)));
        }
    }
    elsewhere(out, group);
}

fn elsewhere(out: &mut String, group: &Group<'_>) {
    for finding in
        group.all.iter().skip(1).filter(|finding| finding.ways_out.iter().any(|way| !way.commands.is_empty()))
    {
        let cluster = finding.cluster.as_deref().unwrap_or("another cluster");
        out.push_str(&format!("<details><summary>Commands for {}</summary>\n\n", html(cluster)));
        for (index, way) in finding.ways_out.iter().enumerate().filter(|(_, way)| !way.commands.is_empty()) {
            out.push_str(&format!("**{}. {}**\n\n", index + 1, words::risk(way.risk)));
            for command in &way.commands {
                out.push_str(&fenced(command, "sh"));
                out.push('\n');
            }
        }
        out.push_str("</details>\n\n");
    }
}

fn evidence(out: &mut String, telling: Telling<'_>, finding: &Finding) {
    if !finding.evidence.is_empty() {
        out.push_str(&format!("<details><summary>Evidence ({})</summary>\n\n", finding.evidence.len()));
        for claim in &finding.evidence {
            out.push_str(&format!(
                "- {}  \n  {}\n",
                code_in_prose(says(finding, &claim.says)),
                prose(&claim.source)
            ));
        }
        out.push_str("\n</details>\n\n");
    }
    if !finding.timeline.is_empty() {
        out.push_str(
            "<details><summary>Timeline</summary>\n\n| when | what | source |\n| --- | --- | --- |\n",
        );
        for moment in &finding.timeline {
            let when = telling.instant(&moment.at);
            out.push_str(&format!(
                "| {} | {} | {} |\n",
                prose(&when),
                prose(&moment.what),
                prose(&moment.source)
            ));
        }
        out.push_str("\n</details>\n\n");
    }
    if !finding.earlier.is_empty() {
        out.push_str("<details><summary>Earlier tries</summary>\n\n| revision | status | class | description |\n| --- | --- | --- | --- |\n");
        for earlier in &finding.earlier {
            out.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                earlier.revision,
                prose(&earlier.status),
                prose(&earlier.class),
                code(&earlier.description)
            ));
        }
        out.push_str("\n</details>\n\n");
    }
}
