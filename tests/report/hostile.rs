//! Texts from a cluster that want to be more than text.

use helm_forensics::report::{Finding, Form, Report, Style, render};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::samples;

const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> | a | `b` ```\n# heading\n\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}txet\u{2066} \u{9b}31m &amp; [x](javascript:alert(1)) @everyone </details>";

/// Every free text of a finding is hostile.
pub fn hostile() -> Report {
    let mut report = samples::scale_conflict();
    let text = EVIL.to_owned();
    for finding in &mut report.findings {
        let release = finding.release.clone();
        *finding = Finding {
            summary: text.clone(),
            message: Some(text.clone()),
            class: "unknown".into(),
            wanted: Some(text.clone()),
            state: text.clone().into(),
            cluster: Some(text.clone()),
            ..finding.clone()
        };
        finding.release = release.map(|release| helm_forensics::report::Release {
            name: text.clone(),
            description: Some(text.clone()),
            status: Some(text.clone()),
            ..release
        });
        for conflict in &mut finding.conflicts {
            conflict.manager = text.clone();
            conflict.path = text.clone();
            conflict.live = text.clone().into();
            conflict.object.name = text.clone();
        }
        if let Some(owner) = &mut finding.owner {
            owner.name = text.clone();
        }
        finding.chain.iter_mut().for_each(|object| object.name = text.clone());
        for claim in &mut finding.evidence {
            claim.says = text.clone();
            claim.source = text.clone();
        }
        for moment in &mut finding.timeline {
            moment.what = text.clone();
        }
    }
    report
}

#[test]
fn no_form_passes_a_control_character_on() {
    for form in Form::names() {
        let form: Form = form.parse().expect("a form");
        let page = render(&hostile(), form, &Style::plain(80)).expect("a page");
        let bad: Vec<char> = page
            .chars()
            .filter(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}'))
            .collect();
        assert!(bad.is_empty(), "{form}: {bad:?}");
    }
}

/// What a reader of GitHub's dialect builds from the text.
#[test]
fn markdown_holds_no_link_no_picture_and_no_tag_but_ours() {
    let page = render(&hostile(), Form::Markdown, &Style::plain(80)).expect("a page");
    let ours = ["<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>", "<!-- -->"];
    for event in Parser::new_ext(&page, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                panic!("a link to {dest_url}")
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let rest = ours.iter().fold(html.to_string(), |html, tag| html.replace(tag, ""));
                assert!(!rest.contains('<'), "a tag: {html}");
            }
            Event::Text(text) => assert!(!text.contains("@everyone"), "a mention: {text}"),
            _ => {}
        }
    }
}

#[test]
fn a_hostile_cell_does_not_break_its_table() {
    let page = render(&hostile(), Form::Markdown, &Style::plain(80)).expect("a page");
    let mut columns = None;
    let mut rows = 0;
    for line in page.lines().chain([""]) {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let cells = line.replace("\\|", "").matches('|').count();
        assert_eq!(*columns.get_or_insert(cells), cells, "{line}");
        rows += 1;
    }
    assert!(rows > 10, "{rows} rows");
}

#[test]
fn html_holds_no_tag_and_no_attribute_but_ours() {
    let page = render(&hostile(), Form::Html, &Style::plain(80)).expect("a page");
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<img"), "a picture");
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        assert!(!tag.contains("onerror") && !tag.contains("javascript:"), "{tag}");
    }
}
