//! One cause: headline, facts, and the parts below.

use super::{evidence, fields, gaps, ways};
use crate::report::group::{Group, Standing};
use crate::report::telling::{Telling, heading, own_words, subject};
use crate::report::{Finding, Page, Paint};

pub(super) fn paint(standing: Standing) -> Paint {
    match standing {
        Standing::Stuck => Paint::Bad,
        Standing::LooksReady | Standing::Overtaken | Standing::Landmine => Paint::Warn,
    }
}

pub(super) fn block<'a>(page: &mut Page, telling: Telling<'a>, group: &Group<'a>) {
    let finding = group.lead;
    headline(page, telling, group);
    page.prose(2, Paint::Plain, &finding.summary);
    page.blank();
    for fact in telling.facts(group) {
        page.fact(fact.label, Paint::Plain, &fact.text);
    }
    page.heading(&heading(finding).to_uppercase());
    fields::fields(page, telling, finding);
    words(page, finding);
    for running in &finding.running {
        page.fact("running", Paint::Plain, &format!("{}: {}", running.object, running.says));
    }
    ways::ways(page, group);
    evidence::evidence(page, telling, finding);
    gaps::of_finding(page, finding);
}

/// `STUCK  GitRepo fleet-default/shop  on prod-eu (c-prod)`.
fn headline<'a>(page: &mut Page, telling: Telling<'a>, group: &Group<'a>) {
    let word = group.standing.word();
    let lead = format!("{}  ", page.style().paint(paint(group.standing), word));
    let columns = word.len() + 2;
    let places = telling.places(group).map(|places| format!(" on {places}")).unwrap_or_default();
    page.hanging(&lead, columns, columns, Paint::Strong, &format!("{}{places}", subject(group.lead)));
}

fn words(page: &mut Page, finding: &Finding) {
    for (who, text) in own_words(finding) {
        let text = clip(page, text);
        page.fact(&who, Paint::Plain, &text);
    }
}

/// A text so long that it would push everything else off the screen is cut; `wide` shows it whole.
fn clip(page: &Page, text: &str) -> String {
    const LONG: usize = 600;
    match text.char_indices().nth(LONG) {
        Some((end, _)) if !page.style().wide => {
            let start = text.get(..end).unwrap_or(text);
            format!("{start}… (-o wide shows all {} characters)", text.chars().count())
        }
        _ => text.to_owned(),
    }
}
