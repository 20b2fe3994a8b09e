//! The page for a browser. `tests/browser/check` opens what these tests leave in the target folder.

use std::fs;
use std::path::Path;

use helm_forensics::report::{Form, Report, Style, render};

use crate::{hostile, samples};

/// Renders, and leaves the page where the browser check looks for it.
fn page(name: &str, report: &Report) -> String {
    let page = render(report, Form::Html, &Style::plain(80)).expect("a page");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(format!("{name}.html")), &page).expect("a file");
    page
}

#[test]
fn every_page_stands_alone() {
    let nothing = samples::report(Vec::new());
    for (name, report) in
        [("incident", samples::scale_conflict()), ("many", samples::many()), ("nothing", nothing)]
    {
        let page = page(name, &report).replace("http://www.w3.org/2000/svg", "");
        for outside in ["http://", "https://", "url(", "@import", "src="] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
    }
    page("hostile", &hostile::hostile());
}

#[test]
fn three_hundred_findings_stay_small() {
    let page = page("fleet", &samples::fleet_of(30, 10));
    assert!(page.len() < 500_000, "{} bytes", page.len());
}

/// A style or script that the policy's hash does not cover would not run at all.
#[test]
fn the_policy_allows_the_style_and_script_that_are_there() {
    use base64::Engine as _;
    use sha2::Digest as _;
    let page = page("incident", &samples::scale_conflict());
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let text = page.split(open).nth(1).and_then(|rest| rest.split(close).next()).expect("the element");
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text.as_bytes()));
        assert!(page.contains(&format!("sha256-{hash}")), "{open}");
    }
}
