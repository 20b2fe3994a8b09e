//! What one document is, by its lines: apiVersion, kind, namespace and name of plain block style.

use crate::object::ObjectRef;

/// What the scan could tell.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scan<'a> {
    /// Helm's `# Source: …`.
    pub(super) source: Option<&'a str>,
    /// `None`: only a parser can tell (lists, flow style, anchors, escapes, block scalars).
    pub(super) object: Option<ObjectRef>,
}

/// Reads lines until everything is known, mostly the first ten.
pub(super) fn scan(document: &str) -> Scan<'_> {
    let mut source = None;
    let object = Head::default().read(document, &mut source);
    Scan { source, object }
}

#[derive(Default)]
struct Head<'a> {
    api_version: Option<&'a str>,
    kind: Option<&'a str>,
    name: Option<&'a str>,
    namespace: Option<&'a str>,
    metadata: Metadata,
}

#[derive(Default, PartialEq)]
enum Metadata {
    #[default]
    NotMet,
    /// In the block, with the indent of its keys once one was met.
    Inside(Option<usize>),
    Done,
}

impl<'a> Head<'a> {
    fn read(mut self, document: &'a str, source: &mut Option<&'a str>) -> Option<ObjectRef> {
        for line in document.lines() {
            let text = line.trim_start_matches(' ');
            if text.trim_end().is_empty() {
                continue;
            }
            if let Some(comment) = text.strip_prefix('#') {
                if let Some(path) = comment.trim().strip_prefix("Source: ")
                    && source.is_none()
                {
                    *source = Some(path.trim());
                }
                continue;
            }
            match line.len() - text.len() {
                0 => self.top_level(text)?,
                indent => self.nested(indent, text)?,
            }
            if self.is_whole() {
                break;
            }
        }
        let kind = self.kind.filter(|kind| !kind.ends_with("List"))?;
        let name = self.name.unwrap_or_default();
        Some(ObjectRef::new(self.api_version?, kind, self.namespace.unwrap_or_default(), name))
    }

    /// `None`: give up.
    fn top_level(&mut self, text: &'a str) -> Option<()> {
        if self.metadata != Metadata::NotMet {
            self.metadata = Metadata::Done;
        }
        let (key, value) = match text.split_once(':') {
            Some(pair) => pair,
            // A list under a key may stand at the key's own indent.
            None if text.starts_with("- ") => return Some(()),
            None if text.trim_end() == "..." => return Some(()),
            None => return None,
        };
        match key {
            "apiVersion" => self.api_version = Some(plain(value)?),
            "kind" => self.kind = Some(plain(value)?),
            "metadata" if without_comment(value).is_empty() => self.metadata = Metadata::Inside(None),
            "metadata" => return None,
            _ if key.starts_with(['"', '\'', '{', '[', '&', '<', '?', '!', '%']) => return None,
            _ => {}
        }
        Some(())
    }

    fn nested(&mut self, indent: usize, text: &'a str) -> Option<()> {
        let Metadata::Inside(block) = &mut self.metadata else {
            return Some(());
        };
        let block = *block.get_or_insert(indent);
        if indent > block {
            return Some(());
        }
        if indent < block || text.starts_with(['"', '\'', '{', '[', '&', '<', '?', '!']) {
            return None;
        }
        match text.split_once(':')? {
            ("name", value) => self.name = Some(plain(value)?),
            ("namespace", value) => self.namespace = Some(plain(value)?),
            _ => {}
        }
        Some(())
    }

    fn is_whole(&self) -> bool {
        self.metadata == Metadata::Done && self.api_version.is_some() && self.kind.is_some()
    }
}

/// A scalar that needs no parser.
fn plain(value: &str) -> Option<&str> {
    let value = without_comment(value);
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return (!inner.contains([quote, '\\'])).then_some(inner);
        }
    }
    let first = value.chars().next()?;
    (!matches!(first, '"' | '\'' | '&' | '*' | '!' | '|' | '>' | '{' | '[' | '%' | '@' | '`'))
        .then_some(value)
}

fn without_comment(value: &str) -> &str {
    match value.find(" #") {
        Some(end) => value[..end].trim(),
        None => value.trim(),
    }
}
