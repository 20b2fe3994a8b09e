//! Objects in YAML text, each handed on as JSON.

use super::json::Fault;
use crate::yaml::{YamlError, parse};

/// What a YAML text holds.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// Documents, and items of block-style lists, as JSON.
    pub values: Vec<String>,
    /// The first place that does not parse.
    pub fault: Option<Fault>,
    /// That place is indented with a tab.
    pub is_tab: bool,
}

/// Reads all documents of a text. One that does not parse is left out alone.
pub(super) fn read(text: &str) -> Documents {
    let mut documents = Documents::default();
    for (line, document) in split(text) {
        if document.lines().all(|line| line.trim().is_empty() || line.starts_with('#')) {
            continue;
        }
        match block_list(document) {
            Some(list) => documents.read_list(&list, line, document),
            None => documents.read_one(document, line),
        }
    }
    documents
}

impl Documents {
    fn read_one(&mut self, text: &str, line: usize) {
        match parse(text) {
            Ok(value) => self.values.push(value.to_string()),
            Err(error) => self.failed(text, line, &error),
        }
    }

    /// Items are read one by one: one that does not parse does not take the others with it.
    fn read_list(&mut self, list: &BlockList, line: usize, whole: &str) {
        let mut texts = Vec::with_capacity(list.items.len());
        let mut failed = Vec::new();
        for (at, item) in &list.items {
            match parse(item) {
                Ok(value) => texts.push(value.to_string()),
                Err(error) => failed.push((at, item, error)),
            }
        }
        // An item that uses an anchor of another one parses only within the whole.
        if failed.iter().any(|(_, item, _)| item.contains('*'))
            && let Ok(value) = parse(whole)
        {
            self.values.push(value.to_string());
            return;
        }
        self.values.append(&mut texts);
        for (at, item, error) in failed {
            self.failed(item, line + at, &error);
        }
        if !list.is_whole {
            // kubectl writes the list's kind behind its items: without it the last item may be half.
            self.values.pop();
            let line = line + list.items.last().map_or(0, |(at, _)| *at);
            let why = "the list has no end".to_owned();
            self.fault.get_or_insert(Fault { line, why, is_cut_off: true });
        }
    }

    fn failed(&mut self, text: &str, line: usize, error: &YamlError) {
        if self.fault.is_some() {
            return;
        }
        let tab = text.lines().position(|line| line.trim_start_matches(' ').starts_with('\t'));
        self.is_tab = tab.is_some();
        let inside = tab.map_or(error.line, |line| line + 1);
        self.fault = Some(Fault { line: line + inside, why: error.why.clone(), is_cut_off: false });
    }
}

/// Documents of a stream, each with the number of lines before it.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut documents = Vec::new();
    let (mut start, mut start_line, mut at) = (0, 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        if bare == "---" || bare == "..." || line.starts_with("--- ") {
            documents.push((start_line, &text[start..at]));
            // `--- # note` is dropped whole; `--- {…}` keeps what follows the marker.
            let marker =
                if bare.len() > 3 && !bare[3..].trim_start().starts_with('#') { 3 } else { line.len() };
            start = at + marker;
            start_line = if marker == line.len() { number + 1 } else { number };
        }
        at += line.len();
    }
    documents.push((start_line, &text[start..]));
    documents
}

/// A document of the form `items:` with `- ` items, as kubectl prints a List.
struct BlockList {
    /// Number of lines before it in the document, and the item with its dash blanked.
    items: Vec<(usize, String)>,
    /// The list's own kind is there.
    is_whole: bool,
}

fn block_list(document: &str) -> Option<BlockList> {
    let mut items: Vec<(usize, String)> = Vec::new();
    let mut indent: Option<usize> = None;
    let mut is_inside = false;
    let mut has_kind = false;
    for (number, line) in document.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        if is_inside {
            let depth = line.len() - line.trim_start_matches(' ').len();
            let is_dash = bare[depth.min(bare.len())..].starts_with("- ");
            if is_dash && indent.is_none_or(|indent| indent == depth) {
                indent = Some(depth);
                let mut item = " ".repeat(depth + 2);
                item.push_str(&line[depth + 2..]);
                items.push((number, item));
                continue;
            }
            let is_in_item = depth > indent.unwrap_or(0) || bare.is_empty() || bare.starts_with('#');
            match items.last_mut() {
                Some((_, item)) if is_in_item => {
                    item.push_str(line);
                    continue;
                }
                None if bare.is_empty() || bare.starts_with('#') => continue,
                None => return None,
                Some(_) => is_inside = false,
            }
        }
        if bare == "items:" {
            is_inside = true;
        } else if line.starts_with("kind:") {
            has_kind = true;
        }
    }
    let is_list = !items.is_empty();
    is_list.then_some(BlockList { items, is_whole: has_kind })
}
