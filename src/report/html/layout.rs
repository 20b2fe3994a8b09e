//! The order of the page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::block::block;
use super::escape::Text;
use super::ways::gaps;
use crate::report::group::{Group, groups};
use crate::report::telling::{Telling, subject};
use crate::report::{Report, Style, class_in_words};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// With fewer causes a list of them would only repeat the blocks below it.
const LIST_FROM: usize = 2;

pub(in crate::report) fn render(report: &Report, _: &Style) -> String {
    let telling = Telling { report, whole: true };
    let groups = groups(report);
    let title = telling.title(&groups);
    let mut out = head(&title);
    out.push_str(&format!(
        "<body>\n<header>\n<h1>{}</h1>\n<p>Counted from <time datetime=\"{now}\">{now}</time> by helm-forensics.</p>\n</header>\n",
        Text(&title),
        now = report.now
    ));
    if groups.len() >= LIST_FROM {
        list(&mut out, telling, &groups);
    }
    out.push_str("<main>\n");
    for (index, group) in groups.iter().enumerate() {
        block(&mut out, telling, group, index + 1);
    }
    if !report.gaps.is_empty() {
        out.push_str(
            "<section class=\"gaps\" aria-labelledby=\"not-seen\">\n<h2 id=\"not-seen\">Not seen</h2>\n",
        );
        gaps(&mut out, &report.gaps);
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n");
    clusters(&mut out, report);
    out.push_str(&format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    out
}

fn head(title: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n",
        hash(STYLE),
        hash(SCRIPT),
        Text(title)
    )
}

fn list<'a>(out: &mut String, telling: Telling<'a>, groups: &[Group<'a>]) {
    out.push_str("<nav aria-label=\"Causes\">\n<ol class=\"causes\">\n");
    for (index, group) in groups.iter().enumerate() {
        out.push_str(&format!(
            "<li><a href=\"#cause-{}\"><span class=\"badge {}\">{}</span> <span class=\"subject\">{}</span> <span class=\"where\">{}</span> <span class=\"class\">{}</span></a></li>\n",
            index + 1,
            super::block::mark(group.standing),
            group.standing.word(),
            Text(&subject(group.lead)),
            Text(&telling.places_in_short(group)),
            Text(&class_in_words(&group.lead.class)),
        ));
    }
    out.push_str("</ol>\n</nav>\n");
}

fn clusters(out: &mut String, report: &Report) {
    let names: Vec<String> = report
        .clusters
        .iter()
        .map(|cluster| {
            let name = cluster.display_name.as_ref().unwrap_or(&cluster.name);
            format!("{}{}", Text(name), if cluster.reached { "" } else { " (not reached)" })
        })
        .collect();
    out.push_str("<footer>\n");
    if !names.is_empty() {
        out.push_str(&format!("<p>Clusters in question: {}.</p>\n", names.join(", ")));
    }
    out.push_str("</footer>\n");
}
