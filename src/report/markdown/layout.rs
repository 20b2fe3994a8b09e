//! The order of the document.

use super::block::block;
use super::escape::{code, code_in_prose, prose};
use crate::report::group::{Group, groups};
use crate::report::telling::{Telling, subject};
use crate::report::{Gap, Report, Style, class_in_words};

/// With fewer causes a list of them would only repeat the blocks below it.
const LIST_FROM: usize = 3;

pub(in crate::report) fn render(report: &Report, style: &Style) -> String {
    let telling = Telling { report, whole: true };
    let groups = groups(report);
    let mut out = format!("## {}\n\n", prose(&telling.title(&groups)));
    if groups.len() >= LIST_FROM {
        list(&mut out, telling, &groups);
    }
    for (index, group) in groups.iter().enumerate() {
        // A long report folds what comes after the worst.
        let folded = groups.len() > style.details && index >= style.details / 2;
        block(&mut out, telling, group, folded);
    }
    if !report.gaps.is_empty() {
        out.push_str("### Not seen\n\n");
        gaps(&mut out, &report.gaps);
    }
    out.push_str(&format!("<sub>helm-forensics, {}</sub>\n", prose(&report.now.to_string())));
    out
}

fn list<'a>(out: &mut String, telling: Telling<'a>, groups: &[Group<'a>]) {
    out.push_str("| | what | where | cause |\n| --- | --- | --- | --- |\n");
    for group in groups {
        out.push_str(&format!(
            "| **{}** | {} | {} | {} |\n",
            group.standing.word(),
            code(&subject(group.lead)),
            code(&telling.places_in_short(group)),
            prose(&class_in_words(&group.lead.class)),
        ));
    }
    out.push('\n');
}

pub(super) fn gaps(out: &mut String, gaps: &[Gap]) {
    for gap in gaps {
        out.push_str(&format!("- {}: {}\n", prose(&gap.missing), prose(&gap.why)));
        if let Some(fill) = &gap.fill {
            out.push_str(&format!("  {}\n", code_in_prose(fill)));
        }
    }
    out.push('\n');
}
