//! The human report, at the widths of real terminals. The snapshots are read by eye.

use helm_forensics::report::{Form, Report, Style, render};
use unicode_width::UnicodeWidthStr;

use crate::samples;

fn page(report: &Report, form: Form, width: usize) -> String {
    render(report, form, &Style::plain(width)).expect("a page")
}

fn assert_fits(page: &str, width: usize) {
    let too_wide: Vec<&str> = page.lines().filter(|line| line.width() > width).collect();
    assert!(too_wide.is_empty(), "wider than {width}:\n{}", too_wide.join("\n"));
}

#[test]
fn the_incident_reads_at_every_width() {
    for width in [40, 80, 120, 200] {
        let page = page(&samples::scale_conflict(), Form::Human, width);
        assert_fits(&page, width);
        insta::assert_snapshot!(format!("incident_{width}"), page);
    }
}

#[test]
fn wide_leaves_nothing_out() {
    let page = page(&samples::scale_conflict(), Form::Wide, 120);
    assert_fits(&page, 120);
    insta::assert_snapshot!(page);
}

#[test]
fn several_causes_are_listed_first_and_told_after() {
    for width in [40, 80, 120] {
        let page = page(&samples::many(), Form::Human, width);
        assert_fits(&page, width);
        insta::assert_snapshot!(format!("many_{width}"), page);
    }
}

#[test]
fn three_hundred_findings_stay_readable() {
    let page = page(&samples::fleet_of(30, 10), Form::Human, 80);
    assert_fits(&page, 80);
    assert!(page.lines().count() < 150, "{} lines", page.lines().count());
    insta::assert_snapshot!(page);
}

#[test]
fn nothing_found_is_an_answer() {
    let mut report = samples::report(Vec::new());
    report.healthy = 31;
    assert_eq!(page(&report, Form::Human, 80), "Nothing is stuck: 31 fine.\n");
}

#[test]
fn colours_change_no_word() {
    let plain = page(&samples::many(), Form::Human, 80);
    let coloured =
        render(&samples::many(), Form::Human, &Style { colour: true, ..Style::plain(80) }).expect("a page");
    assert_ne!(coloured, plain);
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    for line in coloured.lines() {
        assert!(
            !line.contains('\u{1b}') || line.contains("\u{1b}[0m"),
            "a colour runs over the line's end: {line:?}"
        );
    }
}
