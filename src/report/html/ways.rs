//! What to do, and what is not known.

use super::escape::Text;
use crate::report::group::Group;
use crate::report::{Finding, Gap, Risk, words};

/// The class of the badge, for its colour; the badge's word says the same.
fn mark(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "good",
        Risk::Restarts => "warn",
        Risk::Destructive => "bad",
    }
}

pub(super) fn ways(out: &mut String, group: &Group<'_>) {
    let ways = &group.lead.ways_out;
    if ways.is_empty() {
        out.push_str("<h3>Ways out</h3>\n<p>No safe way out is known.</p>\n");
        return;
    }
    out.push_str(if ways.len() == 1 {
        "<h3>Way out</h3>\n"
    } else {
        "<h3>Ways out, least destructive first</h3>\n"
    });
    out.push_str("<ol class=\"ways\">\n");
    for way in ways {
        out.push_str(&format!(
            "<li><p><span class=\"badge {}\">{}</span> <strong>{}</strong>{}</p>\n",
            mark(way.risk),
            words::risk(way.risk),
            Text(&way.title),
            if way.who.is_empty() {
                String::new()
            } else {
                format!(" <span class=\"who\">({})</span>", Text(&way.who))
            },
        ));
        commands(out, &way.commands);
        if !way.then.is_empty() {
            out.push_str(&format!("<p>{}</p>\n", Text(&way.then)));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
    for finding in group.all.iter().skip(1) {
        elsewhere(out, finding);
    }
}

fn commands(out: &mut String, commands: &[String]) {
    for command in commands {
        out.push_str(&format!("<pre class=\"command\">{}</pre>\n", Text(command)));
    }
}

fn elsewhere(out: &mut String, finding: &Finding) {
    if finding.ways_out.iter().all(|way| way.commands.is_empty()) {
        return;
    }
    let cluster = finding.cluster.as_deref().unwrap_or("another cluster");
    out.push_str(&format!("<details><summary>Commands for {}</summary>\n", Text(cluster)));
    for (index, way) in finding.ways_out.iter().enumerate().filter(|(_, way)| !way.commands.is_empty()) {
        out.push_str(&format!("<p>{}. {}</p>\n", index + 1, words::risk(way.risk)));
        commands(out, &way.commands);
    }
    out.push_str("</details>\n");
}

pub(super) fn gaps(out: &mut String, gaps: &[Gap]) {
    out.push_str("<ul>\n");
    for gap in gaps {
        out.push_str(&format!("<li>{}: {}\n", Text(&gap.missing), Text(&gap.why)));
        commands(out, gap.fill.as_slice());
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}
