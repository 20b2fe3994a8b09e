//! A class's page: Markdown with fixed headings, so that people can write it without touching code.
//!
//! ```text
//! # Title
//! group: Applying
//!
//! What it means.
//!
//! ## How to recognise it
//! ## What happens by itself
//! ## Ways out
//! ### Title of a way
//! risk: safe; who: on call; for: fleet flux; manager: person
//! $ kubectl {context} {ns} get {object}
//! What happens then.
//! ## Texts
//! > what a program prints
//! ```

use super::catalogue::{ClassEntry, WayTemplate};
use super::model::Class;
use crate::report::Risk;

/// Reads a page. A part that is not there is empty; the tests demand them all.
pub(super) fn read(class: Class, page: &'static str) -> ClassEntry {
    let mut entry = ClassEntry {
        class,
        group: "",
        title: "",
        explanation: String::new(),
        recognise: String::new(),
        retries: String::new(),
        ways_out: Vec::new(),
        texts: Vec::new(),
    };
    let mut heading = "";
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            entry.title = title;
        } else if let Some(group) = line.strip_prefix("group: ") {
            entry.group = group;
        } else if let Some(next) = line.strip_prefix("## ") {
            heading = next;
        } else {
            match heading {
                "" => push(&mut entry.explanation, line),
                "How to recognise it" => push(&mut entry.recognise, line),
                "What happens by itself" => push(&mut entry.retries, line),
                "Ways out" => way_line(&mut entry.ways_out, line),
                "Texts" => text_line(&mut entry.texts, line),
                _ => {}
            }
        }
    }
    for text in [&mut entry.explanation, &mut entry.recognise, &mut entry.retries] {
        text.truncate(text.trim_end().len());
    }
    entry
}

/// Lines of a paragraph are one line, a blank line or a list item begins another.
fn push(text: &mut String, line: &str) {
    let line = line.trim_end();
    if line.is_empty() {
        if !text.is_empty() && !text.ends_with("\n\n") {
            text.push_str("\n\n");
        }
    } else if line.starts_with("- ") {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(line);
    } else {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push(' ');
        }
        text.push_str(line.trim_start());
    }
}

fn way_line(ways: &mut Vec<WayTemplate>, line: &'static str) {
    if let Some(title) = line.strip_prefix("### ") {
        ways.push(WayTemplate {
            title,
            deployers: Vec::new(),
            managers: Vec::new(),
            risk: Risk::Safe,
            who: "",
            commands: Vec::new(),
            then: String::new(),
        });
    } else if let Some(way) = ways.last_mut() {
        if let Some(command) = line.strip_prefix("$ ") {
            way.commands.push(command);
        } else if line.starts_with("risk: ") {
            for (key, value) in line.split("; ").filter_map(|part| part.split_once(": ")) {
                match key {
                    "risk" => way.risk = risk(value),
                    "who" => way.who = value,
                    "for" => way.deployers = value.split(' ').collect(),
                    "manager" => way.managers = value.split(' ').collect(),
                    _ => {}
                }
            }
        } else {
            push(&mut way.then, line);
            way.then.truncate(way.then.trim_end().len());
        }
    }
}

/// An unreadable word is the worst: nobody is told that something is safe by a typing error.
fn risk(word: &str) -> Risk {
    match word {
        "safe" => Risk::Safe,
        "restarts" => Risk::Restarts,
        _ => Risk::Destructive,
    }
}

/// `> ` begins a text, `>> ` continues it on a new line.
fn text_line(texts: &mut Vec<String>, line: &str) {
    if let Some(text) = line.strip_prefix("> ") {
        texts.push(text.to_owned());
    } else if let (Some(more), Some(text)) = (line.strip_prefix(">> "), texts.last_mut()) {
        text.push('\n');
        text.push_str(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read() {
        let entry = read(
            Class("x"),
            "# Title\ngroup: G\n\nA\nb.\n\nC.\n\n## Ways out\n### W\nrisk: restarts; who: us; for: fleet flux\n$ cmd {name}\nThen\nso.\n## Texts\n> a\n>> b\n",
        );
        assert_eq!((entry.title, entry.group, entry.explanation.as_str()), ("Title", "G", "A b.\n\nC."));
        let way = entry.ways_out.first().expect("a way");
        assert_eq!((way.risk, way.who, way.then.as_str()), (Risk::Restarts, "us", "Then so."));
        assert_eq!(
            (way.deployers.as_slice(), way.commands.as_slice()),
            (&["fleet", "flux"][..], &["cmd {name}"][..])
        );
        assert_eq!(entry.texts, ["a\nb"]);
    }
}
