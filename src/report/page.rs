//! A text for a terminal, line by line: wrapped, indented, coloured.

use textwrap::{Options, WordSplitter};
use unicode_width::UnicodeWidthStr;

use super::{Paint, Style, command};

/// Lines that fit the style's width.
#[derive(Debug)]
pub struct Page {
    style: Style,
    text: String,
}

/// Columns of the labels on the left.
const LABEL: usize = 13;
/// Indent of everything below a headline.
const INDENT: usize = 2;
/// Prose wider than this is hard to read.
const PROSE: usize = 110;
/// Narrower than this, a value stands below its label.
const NARROW: usize = 34;

impl Page {
    /// An empty page.
    pub fn new(style: &Style) -> Self {
        Self { style: *style, text: String::new() }
    }

    /// The layout that the page follows.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// All lines so far.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// All lines.
    pub fn into_string(self) -> String {
        self.text
    }

    /// An empty line, never two and none at the top.
    pub fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// `text` wrapped, every line indented by `indent`.
    pub fn prose(&mut self, indent: usize, paint: Paint, text: &str) {
        self.hanging("", indent, indent, paint, text);
    }

    /// A heading inside a block.
    pub fn heading(&mut self, text: &str) {
        self.blank();
        self.prose(INDENT, Paint::Strong, text);
    }

    /// `label` on the left and `text` wrapped beside it, or below it on a narrow terminal.
    pub fn fact(&mut self, label: &str, paint: Paint, text: &str) {
        if self.style.width < NARROW {
            self.prose(INDENT, Paint::Quiet, label);
            self.prose(INDENT + 2, paint, text);
            return;
        }
        let lead = format!(
            "{:INDENT$}{}{:pad$} ",
            "",
            self.style.paint(Paint::Quiet, label),
            "",
            pad = LABEL.saturating_sub(label.width())
        );
        let column = INDENT + LABEL.max(label.width()) + 1;
        self.hanging(&lead, column, column, paint, text);
    }

    /// `text` after `lead`, which is `first` columns wide, further lines indented by `rest`.
    pub fn hanging(&mut self, lead: &str, first: usize, rest: usize, paint: Paint, text: &str) {
        let lead = if lead.is_empty() { " ".repeat(first) } else { lead.to_owned() };
        let mut prefix = lead;
        let mut used = first;
        // Texts of several lines keep their lines.
        for part in text.lines().map(|line| line.replace('\t', "    ")) {
            let room = self.style.width.min(PROSE.max(rest + 20)).saturating_sub(used.max(rest)).max(8);
            let options = Options::new(room).word_splitter(WordSplitter::NoHyphenation);
            for line in textwrap::wrap(part.trim_end(), options) {
                let line = format!("{prefix}{}", self.style.paint(paint, &line));
                self.text.push_str(line.trim_end());
                self.text.push('\n');
                prefix = " ".repeat(rest);
                used = rest;
            }
        }
    }

    /// A command on a line of its own; one that is longer than the terminal is continued as a shell
    /// reads it.
    pub fn command(&mut self, indent: usize, command: &str) {
        let width = if self.style.fold_commands { self.style.width } else { usize::MAX };
        for line in command::fold(command, indent, width) {
            self.text.push_str(&self.style.paint(Paint::Strong, &line));
            self.text.push('\n');
        }
    }

    /// A line as it is; the caller has seen to its width.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}
