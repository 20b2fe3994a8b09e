//! The first lines: how much is in trouble, and what, one line each.

use std::collections::BTreeMap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::report::group::Group;
use crate::report::shorten::middle;
use crate::report::telling::{Telling, subject};
use crate::report::{Finding, Page, Paint, class_in_words};

/// How much is in trouble; left out where one block says it all.
pub(super) fn line(page: &mut Page, telling: Telling<'_>) {
    match telling.report.findings.len() {
        0 => page.prose(0, Paint::Good, &telling.counts()),
        1 if telling.report.healthy == 0 => {}
        _ => page.prose(0, Paint::Strong, &telling.counts()),
    }
}

/// One line per cause: whose it is, where, and what it is.
pub(super) fn list<'a>(page: &mut Page, telling: Telling<'a>, groups: &[Group<'a>]) {
    let shown = if page.style().wide { groups.len() } else { groups.len().min(LISTED) };
    if shown < groups.len() {
        page.prose(0, Paint::Plain, &by_class(groups));
    }
    page.blank();
    rows(page, telling, groups.get(..shown).unwrap_or_default());
    if shown < groups.len() {
        page.prose(
            2,
            Paint::Quiet,
            &format!("and {} more causes (-o wide lists them)", groups.len() - shown),
        );
    }
}

/// Causes that are listed; `wide` lists all.
const LISTED: usize = 40;

/// `field conflict 120, template error 60`: causes per class, most frequent first.
fn by_class(groups: &[Group<'_>]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups {
        *counts.entry(&group.lead.class).or_default() += group.all.len();
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let parts: Vec<String> =
        counts.into_iter().map(|(class, count)| format!("{} {count}", class_in_words(class))).collect();
    parts.join(", ")
}

/// One row of the list.
struct Row {
    paint: Paint,
    subject: String,
    places: String,
    words: String,
    detail: String,
}

fn rows<'a>(page: &mut Page, telling: Telling<'a>, groups: &[Group<'a>]) {
    let width = page.style().width;
    let rows: Vec<Row> = groups
        .iter()
        .map(|group| Row {
            paint: super::block::paint(group.standing),
            subject: subject(group.lead),
            places: telling.places_in_short(group),
            words: class_in_words(&group.lead.class),
            detail: detail(group.lead),
        })
        .collect();
    if width < 70 {
        for row in rows {
            page.prose(0, Paint::Strong, &row.subject);
            page.prose(2, row.paint, &format!("{}: {}", row.places, row.words));
        }
        return;
    }
    let longest = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).width()).max().unwrap_or(0);
    let words_width = longest(|row| &row.words).min(width / 2);
    let room = width.saturating_sub(words_width + 6);
    let places_width = longest(|row| &row.places).min(room / 3);
    let subject_width = longest(|row| &row.subject).min(room.saturating_sub(places_width));
    let rest = room.saturating_sub(places_width + subject_width + 2);
    for row in rows {
        let subject = pad(&middle(&row.subject, subject_width), subject_width);
        let places = pad(&middle(&row.places, places_width), places_width);
        let words = pad(&middle(&row.words, words_width), words_width);
        let words = page.style().paint(row.paint, words.trim_end()) + &words[words.trim_end().len()..];
        let detail = if rest >= USEFUL { start(&row.detail, rest) } else { String::new() };
        page.line(&format!("  {subject}  {places}  {words}  {detail}"));
    }
}

/// A column narrower than this tells nothing.
const USEFUL: usize = 24;

/// What the words of the class leave open: the field and who holds it, or the finding's line.
fn detail(finding: &Finding) -> String {
    match finding.conflicts.first() {
        Some(conflict) => format!("{} held by {}", conflict.path, conflict.manager),
        None => finding.summary.clone(),
    }
}

/// The start of `text` in at most `width` columns, on one line.
fn start(text: &str, width: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.width() <= width {
        return line;
    }
    let mut used = 1;
    let kept: String = line
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect();
    format!("{}…", kept.trim_end())
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// What to type for those that got no block.
pub(super) fn left_out(page: &mut Page, groups: &[Group<'_>]) {
    let Some(group) = groups.first() else { return };
    page.blank();
    page.prose(
        0,
        Paint::Strong,
        &format!("{} more causes are in the list above. For one of them:", groups.len()),
    );
    if let Some(command) = narrower(group.lead) {
        page.command(2, &command);
    }
    page.prose(0, Paint::Strong, "For all of them, whole:");
    page.command(2, "kubectl helm-forensics why -o wide");
}

fn narrower(finding: &Finding) -> Option<String> {
    let target = match (&finding.owner, &finding.release) {
        (Some(owner), _) => format!("{}/{}", owner.kind.to_lowercase(), owner.name),
        (None, Some(release)) => format!("release/{}/{}", release.namespace, release.name),
        (None, None) => return None,
    };
    let namespace =
        finding.owner.as_ref().map(|owner| owner.namespace.as_str()).filter(|name| !name.is_empty());
    let words = ["kubectl", "helm-forensics", "why", &target].into_iter();
    shlex::try_join(words.chain(namespace.into_iter().flat_map(|name| ["-n", name]))).ok()
}
