//! What `explain` says to people, on a terminal and in Markdown.

use std::fmt::Write;

use textwrap::{Options, WordSplitter};

use super::told::Told;
use crate::failure::{self, ClassEntry, Failure, NamedObject, WayContext, WayTemplate};
use crate::fields::Manager;
use crate::redact;
use crate::report::{Risk, Style, clean_text, fold_command};

/// Prose wider than this is hard to read.
const WIDTH: usize = 88;

/// Narrower than this, a class's title stands below its name.
const NARROW: usize = 60;

/// What a page is written for.
#[derive(Clone, Copy)]
pub enum For<'a> {
    /// A ticket: Markdown, which wraps by itself.
    Ticket,
    /// A terminal or a pipe.
    Reader(&'a Style),
}

/// A text that grows, with the two spellings of a heading.
struct Sheet {
    text: String,
    markdown: bool,
    width: usize,
    /// Off in a pipe, where nothing wraps and a whole line is easier to use.
    folds: bool,
}

impl Sheet {
    fn new(reader: For<'_>) -> Self {
        let (markdown, width, folds) = match reader {
            For::Ticket => (true, WIDTH, false),
            For::Reader(style) => (false, style.width, style.fold_commands),
        };
        Self { text: String::new(), markdown, width, folds }
    }

    fn title(&mut self, class: &str, title: &str) {
        if self.markdown {
            self.line(&format!("# {class}: {title}"));
        } else {
            self.wrapped(&format!("{class}   {title}"), "", "  ", WIDTH);
        }
    }

    /// `words` wrapped to the reader's width, and to `limit`. Cleaned before they are cut: half a secret is not
    /// known for one, and a rule that spans words must not meet the margin.
    fn wrapped(&mut self, words: &str, first: &str, rest: &str, limit: usize) {
        let words = &clean_text(words);
        let options = Options::new(self.width.min(limit))
            .initial_indent(first)
            .subsequent_indent(rest)
            .word_splitter(WordSplitter::NoHyphenation);
        for line in textwrap::wrap(words, options) {
            self.line(&line);
        }
    }

    fn heading(&mut self, words: &str) {
        let line =
            if self.markdown { format!("\n## {words}\n") } else { format!("\n{}", words.to_uppercase()) };
        self.line(&line);
    }

    fn prose(&mut self, words: &str) {
        for paragraph in words.split('\n').filter(|paragraph| !paragraph.is_empty()) {
            if self.markdown {
                self.line(paragraph);
                if !paragraph.starts_with("- ") {
                    self.line("");
                }
                continue;
            }
            let inner = paragraph.trim_start();
            let depth = 2 + paragraph.len() - inner.len();
            let hang = " ".repeat(depth + if inner.starts_with("- ") { 2 } else { 0 });
            self.wrapped(inner, &" ".repeat(depth), &hang, WIDTH);
        }
    }

    /// Foreign words, as they are but for what could harm.
    fn quoted(&mut self, words: &str) {
        if self.markdown {
            let fence = if words.contains("```") { "`````" } else { "```" };
            self.line(&format!("{fence}text\n{}\n{fence}", redact::harmless(words, true)));
        } else {
            // Cleaned before it is cut: half a secret is not known for one.
            // Twice: what the first pass leaves may be known for one by what it took away beside it.
            for line in clean_text(&clean_text(words)).lines() {
                if self.folds {
                    self.wrapped(line, "  | ", "  | ", usize::MAX);
                } else {
                    self.line(&format!("  | {line}"));
                }
            }
        }
    }

    fn command(&mut self, command: &str) {
        if self.markdown {
            self.line(&format!("```sh\n{command}\n```"));
            return;
        }
        let width = if self.folds { self.width } else { usize::MAX };
        for line in fold_command(&clean_text(command), 7, width) {
            self.line(&line);
        }
    }

    fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        _ = writeln!(self.text, "{line}");
    }
}

/// All classes by group, in the order in which a deploy meets them.
pub fn list(all: &[ClassEntry], reader: For<'_>) -> String {
    let mut sheet = Sheet::new(reader);
    let mut groups: Vec<&str> = Vec::new();
    for entry in all {
        if !groups.contains(&entry.group) {
            groups.push(entry.group);
        }
    }
    for group in groups {
        sheet.heading(group);
        for entry in all.iter().filter(|entry| entry.group == group) {
            if sheet.markdown {
                sheet.line(&format!("- `{}` {}", entry.class, entry.title));
            } else if sheet.width < NARROW {
                sheet.line(&format!("  {}", entry.class));
                sheet.wrapped(entry.title, "    ", "    ", WIDTH);
            } else {
                let lead = format!("  {:<21}", entry.class.0);
                sheet.wrapped(entry.title, &lead, &" ".repeat(lead.len()), usize::MAX);
            }
        }
    }
    sheet.text.trim_start().to_owned()
}

/// A class's page.
pub fn class(entry: &ClassEntry, reader: For<'_>) -> String {
    let mut sheet = Sheet::new(reader);
    sheet.title(entry.class.0, entry.title);
    sheet.line("");
    sheet.prose(&entry.explanation);
    sheet.heading("How to recognise it");
    sheet.prose(&entry.recognise);
    sheet.heading("What happens by itself");
    sheet.prose(&entry.retries);
    if !entry.ways_out.is_empty() {
        sheet.heading("Ways out");
        for way in &entry.ways_out {
            template(&mut sheet, way);
        }
    }
    if !entry.texts.is_empty() {
        sheet.heading("Texts that look like this");
        for text in &entry.texts {
            sheet.quoted(text);
        }
    }
    sheet.text
}

fn template(sheet: &mut Sheet, way: &WayTemplate) {
    let only = |what: &str, names: &[&str]| {
        if names.is_empty() { String::new() } else { format!("; {what}{}", names.join(", ")) }
    };
    let deployers = only("", &way.deployers);
    let managers = only("held by: ", &way.managers);
    sheet.prose(&format!("- {} ({}, {}{deployers}{managers})", way.title, risk(way.risk), way.who));
    for command in &way.commands {
        sheet.command(command);
    }
    sheet.prose(&format!("  {}", way.then));
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Restarts => "restarts something",
        Risk::Destructive => "destructive",
    }
}

/// Every failure of a pasted text.
pub fn told(all: &[Told], reader: For<'_>) -> String {
    let mut sheet = Sheet::new(reader);
    for (nth, told) in all.iter().enumerate() {
        if nth > 0 {
            sheet.line("");
        }
        one(&mut sheet, told);
    }
    sheet.text
}

fn one(sheet: &mut Sheet, told: &Told) {
    let failure = &told.failure;
    let entry = failure::explained(failure.class.0);
    sheet.title(failure.class.0, entry.map_or("", |entry| entry.title));
    sheet.line("");
    let sure = match failure.confidence {
        crate::report::Confidence::Certain => "certain",
        crate::report::Confidence::Likely => "likely",
        crate::report::Confidence::Possible => "possible",
    };
    let mut head = sure.to_owned();
    if let Some(lines) = &told.lines {
        _ = write!(head, "; lines {} to {}", lines.start(), lines.end());
    }
    if !failure.also.is_empty() {
        let also: Vec<&str> = failure.also.iter().map(|class| class.0).collect();
        _ = write!(head, "; also {}", also.join(", "));
    }
    if failure.truncated {
        head.push_str("; the text is cut");
    }
    sheet.prose(&head);
    facts(sheet, failure);
    if let Some(entry) = entry.filter(|_| !super::is_unknown(failure)) {
        sheet.prose(&entry.explanation);
        sheet.heading("What happens by itself");
        sheet.prose(&entry.retries);
        let managers = failure.conflicts.iter().map(|it| Manager::of(&it.manager, &it.subresource));
        let kinds: Vec<&str> = managers.map(|manager| manager.kind.word()).collect();
        let known =
            WayContext { deployer: deployer_of(failure), manager_kinds: &kinds, ..WayContext::default() };
        let ways = failure::ways_out(failure, &known);
        if !ways.is_empty() {
            sheet.heading("Ways out");
            for way in ways {
                sheet.prose(&format!("- {} ({}, {})", way.title, risk(way.risk), way.who));
                for command in &way.commands {
                    sheet.command(command);
                }
                sheet.prose(&format!("  {}", way.then));
            }
        }
    }
    let nearest = told.nearest();
    if !nearest.is_empty() {
        let names: Vec<&str> = nearest.iter().map(|class| class.0).collect();
        sheet.prose(&format!("The nearest classes are {}; none of them is certain.", names.join(", ")));
    }
    sheet.heading("Text");
    sheet.quoted(&failure.text);
}

/// What the text names.
fn facts(sheet: &mut Sheet, failure: &Failure) {
    for (index, object) in failure.objects.iter().enumerate() {
        sheet.prose(&format!("- object {}", plain(&name_of(object))));
        for conflict in failure.conflicts.iter().filter(|conflict| conflict.object_index == Some(index)) {
            sheet.prose(&format!("- {}", held(conflict)));
        }
    }
    for conflict in failure.conflicts.iter().filter(|conflict| conflict.object_index.is_none()) {
        sheet.prose(&format!("- {}", held(conflict)));
    }
    for (key, value) in &failure.entities {
        let said = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        sheet.prose(&format!("- {key}: {}", plain(&said)));
    }
    if !failure.wrappers.is_empty() {
        let names: Vec<&str> = failure.wrappers.iter().map(|wrapper| wrapper.name).collect();
        sheet.prose(&format!("- said by {}", names.join(", ")));
    }
}

/// Foreign words in one line.
fn plain(text: &str) -> String {
    redact::harmless(&redact::text(text), false).into_owned()
}

fn held(conflict: &failure::Conflict) -> String {
    let through = match conflict.subresource.as_str() {
        "" => String::new(),
        subresource => format!(" through subresource {}", plain(subresource)),
    };
    let how = match conflict.operation {
        failure::Operation::Apply => "applied",
        failure::Operation::Update => "written",
    };
    format!("{} is {how} by {}{through}", plain(&conflict.field), plain(&conflict.manager))
}

fn name_of(object: &NamedObject) -> String {
    let name = object.name.as_deref().unwrap_or("(not named)");
    let path = match object.namespace.as_deref() {
        Some(namespace) if !namespace.is_empty() => format!("{namespace}/{name}"),
        _ => name.to_owned(),
    };
    match object.kind.as_deref() {
        Some(kind) => format!("{kind} {path}"),
        None => path,
    }
}

/// Who printed it, where a wrapper tells.
fn deployer_of(failure: &Failure) -> &'static str {
    const BY: [(&str, &str); 6] = [
        ("fleet-", "fleet"),
        ("flux-", "flux"),
        ("argo-", "argo"),
        ("helm-cli", "helm"),
        ("release-description", "helm"),
        ("atomic", "helm"),
    ];
    if failure.entities.contains_key("fleet") {
        return "fleet";
    }
    let told = failure
        .wrappers
        .iter()
        .find_map(|wrapper| BY.iter().find(|(lead, _)| wrapper.name.starts_with(lead)));
    told.map_or("", |(_, deployer)| deployer)
}
