//! The ticket.

use helm_forensics::report::{Form, Style, render};

use crate::samples;

#[test]
fn the_incident_as_a_ticket() {
    insta::assert_snapshot!(
        render(&samples::scale_conflict(), Form::Markdown, &Style::plain(80)).expect("a page")
    );
}

#[test]
fn several_causes_as_a_ticket() {
    insta::assert_snapshot!(render(&samples::many(), Form::Markdown, &Style::plain(80)).expect("a page"));
}

/// GitHub takes 65,536 characters in one comment; a fleet of three hundred has to be narrowed, but one of
/// thirty causes fits.
#[test]
fn thirty_causes_fit_a_comment() {
    let page = render(&samples::fleet_of(30, 3), Form::Markdown, &Style::plain(80)).expect("a page");
    assert!(page.len() < 65_536, "{} characters", page.len());
}
