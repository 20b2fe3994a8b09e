//! Texts from a cluster that want to be more than text.

use helm_forensics::report::{Finding, Form, Report, Style, render};

use crate::samples;

const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> | a | `b` ```\n# heading\n\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}txet\u{2066} \u{9b}31m &amp; [x](javascript:alert(1)) @everyone </details>";

/// Every free text of a finding is hostile.
fn hostile() -> Report {
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
