//! Objects in JSON text: one, a list, an array, or several documents in a row.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::head::{Head, Key, Metadata, text as text_value};
use crate::source::Resource;

/// What a JSON text holds.
#[derive(Debug, Default)]
pub(super) struct Documents<'t> {
    /// Objects with their text, in text order.
    pub objects: Vec<(Head, Cow<'t, str>)>,
    /// Kinds of lists without items, as `apiVersion`, `kind`.
    pub empty_lists: Vec<(String, String)>,
    /// Messages of `Status` documents: what kubectl saves where it is refused.
    pub server_errors: Vec<String>,
    /// Values that are no Kubernetes objects.
    pub strangers: usize,
    /// Where the text stops being JSON.
    pub fault: Option<Fault>,
}

/// Where and why a text does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub line: usize,
    pub why: String,
    /// It ends in the middle of a value.
    pub is_cut_off: bool,
}

impl Fault {
    fn new(error: &serde_json::Error, before: &str) -> Self {
        let why = error.to_string();
        Self {
            line: error.line() + before.matches('\n').count(),
            why: why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why).to_owned(),
            is_cut_off: error.is_eof(),
        }
    }
}

/// Lists inside lists are followed this deep.
const LISTS: usize = 8;

/// Reads all documents of a text. `hint` names the kind of items that do not say theirs.
pub(super) fn read<'t>(text: &'t str, hint: Option<&Resource>) -> Documents<'t> {
    let mut documents = Documents::default();
    let mut at = 0;
    loop {
        at += between(&text[at..]);
        let rest = &text[at..];
        if rest.is_empty() {
            return documents;
        }
        match documents.read_one(rest, hint, LISTS) {
            Ok(length) => at += length,
            Err(error) => {
                documents.fault.get_or_insert_with(|| Fault::new(&error, &text[..at]));
                // Documents start at the beginning of a line, and nothing else in printed JSON does.
                match rest.get(1..).and_then(|rest| rest.find("\n{")) {
                    Some(next) if !error.is_eof() => at += next + 2,
                    _ => return documents,
                }
            }
        }
    }
}

/// Length of what may stand between documents: white space, `---`, comments.
fn between(text: &str) -> usize {
    let mut rest = text.trim_start();
    loop {
        if let Some(behind) = rest.strip_prefix("---") {
            rest = behind.trim_start();
        } else if rest.starts_with("==== START logs") {
            // `kubectl cluster-info dump` prints the logs of containers between the lists.
            rest = rest.split_once("\n==== END logs").map_or("", |(_, rest)| rest);
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
        } else if rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
        } else {
            break;
        }
    }
    text.len() - rest.len()
}

impl<'t> Documents<'t> {
    /// Reads the document that the text starts with, and returns its length.
    fn read_one(
        &mut self,
        text: &'t str,
        hint: Option<&Resource>,
        depth: usize,
    ) -> Result<usize, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let mut document = Document::default();
        let outcome = DocumentSeed(&mut document).deserialize(&mut deserializer);
        let is_list = document.is_list();
        let Document { head, items, message, .. } = document;
        if is_list {
            if items.is_empty() && outcome.is_ok() {
                self.empty_lists.push((head.api_version.clone(), head.kind.clone()));
            }
            for item in items {
                self.item(item, &head, hint, depth);
            }
            outcome?;
            return Ok(deserializer.into_iter::<IgnoredAny>().byte_offset());
        }
        outcome?;
        let length = deserializer.into_iter::<IgnoredAny>().byte_offset();
        if let Some((api_version, kind)) = missing_type(&head, &Head::default(), hint)
            && !head.name.is_empty()
        {
            let text = with_type(&text[..length], &api_version, &kind);
            self.objects.push((Head { api_version, kind, ..head }, Cow::Owned(text)));
        } else if head.is_object() {
            self.objects.push((head, Cow::Borrowed(&text[..length])));
        } else if head.kind == "Status" && !message.is_empty() {
            self.server_errors.push(message);
        } else {
            self.strangers += 1;
        }
        Ok(length)
    }

    fn item(&mut self, item: &'t RawValue, list: &Head, hint: Option<&Resource>, depth: usize) {
        let text = item.get();
        let Ok(mut head) = serde_json::from_str::<Head>(text) else {
            self.strangers += 1;
            return;
        };
        if head.name.is_empty() && head.kind.ends_with("List") {
            if depth > 0 && self.read_one(text, hint, depth - 1).is_ok() {
                return;
            }
            self.strangers += 1;
            return;
        }
        let missing = missing_type(&head, list, hint);
        let text = match missing {
            Some((api_version, kind)) => {
                let text = with_type(text, &api_version, &kind);
                head.api_version = api_version;
                head.kind = kind;
                Cow::Owned(text)
            }
            None => Cow::Borrowed(text),
        };
        if head.is_object() {
            self.objects.push((head, text));
        } else {
            self.strangers += 1;
        }
    }
}

/// apiVersion and kind of an item that leaves them out, as items of the API's own typed lists do.
fn missing_type(item: &Head, list: &Head, hint: Option<&Resource>) -> Option<(String, String)> {
    if !item.kind.is_empty() {
        return None;
    }
    match list.kind.strip_suffix("List") {
        Some(kind) if !kind.is_empty() => Some((list.api_version.clone(), kind.to_owned())),
        _ => hint.map(|resource| (resource.api_version(), resource.kind.to_string())),
    }
}

/// The same object with apiVersion and kind in front.
fn with_type(text: &str, api_version: &str, kind: &str) -> String {
    let rest = text.trim_start().strip_prefix('{').unwrap_or_default().trim_start();
    let comma = if rest.starts_with('}') { "" } else { "," };
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!("{{\"apiVersion\":{},\"kind\":{}{comma}{rest}", quoted(api_version), quoted(kind))
}

/// One document, as far as it was read: an error leaves what came before it.
#[derive(Default)]
struct Document<'t> {
    head: Head,
    has_items: bool,
    items: Vec<&'t RawValue>,
    message: String,
}

impl Document<'_> {
    fn is_list(&self) -> bool {
        self.has_items && self.head.name.is_empty()
    }
}

struct DocumentSeed<'a, 't>(&'a mut Document<'t>);

impl<'t> DeserializeSeed<'t> for DocumentSeed<'_, 't> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for DocumentSeed<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list of objects")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, seq: A) -> Result<(), A::Error> {
        self.0.has_items = true;
        push_all(seq, &mut self.0.items)
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        let document = self.0;
        while let Some(key) = map.next_key::<Key<'t>>()? {
            match &*key.0 {
                "apiVersion" => document.head.api_version = text_value(&mut map)?,
                "kind" => document.head.kind = text_value(&mut map)?,
                "message" => document.message = text_value(&mut map)?,
                "items" => {
                    document.has_items = true;
                    map.next_value_seed(ItemsSeed(&mut document.items))?;
                }
                "metadata" => {
                    let metadata = map.next_value::<Metadata>()?;
                    document.head.namespace = metadata.namespace;
                    document.head.name = metadata.name;
                    document.head.resource_version = metadata.resource_version;
                    document.head.has_managed_fields = metadata.has_managed_fields;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct ItemsSeed<'a, 't>(&'a mut Vec<&'t RawValue>);

impl<'t> DeserializeSeed<'t> for ItemsSeed<'_, 't> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for ItemsSeed<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("items")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    /// Some programs write a map of items; nothing in it is lost to the reader of other lists.
    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, seq: A) -> Result<(), A::Error> {
        push_all(seq, self.0)
    }
}

fn push_all<'t, A: SeqAccess<'t>>(mut seq: A, items: &mut Vec<&'t RawValue>) -> Result<(), A::Error> {
    while let Some(item) = seq.next_element::<&'t RawValue>()? {
        items.push(item);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::resources;

    fn names(documents: &Documents<'_>) -> Vec<String> {
        documents
            .objects
            .iter()
            .map(|(head, text)| {
                let again: Head = serde_json::from_str(text).expect("a text of an object parses");
                assert_eq!(&again, head);
                format!("{} {} {}", head.api_version, head.kind, head.name)
            })
            .collect()
    }

    #[test]
    fn shapes() {
        let pod =
            |name: &str| format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}}}}"#);
        let (a, b) = (pod("a"), pod("b"));
        for (text, want) in [
            (a.clone(), vec!["v1 Pod a"]),
            (format!("{a}{b}"), vec!["v1 Pod a", "v1 Pod b"]),
            (format!("# saved\n{a}\n---\n# more\n{b}\n"), vec!["v1 Pod a", "v1 Pod b"]),
            (format!("[{a},{b}]"), vec!["v1 Pod a", "v1 Pod b"]),
            (format!(r#"{{"kind":"List","apiVersion":"v1","items":[{a},{b}]}}"#), vec!["v1 Pod a", "v1 Pod b"]),
            (format!(r#"{{"items":[{{"kind":"PodList","items":[{a}]}},{b}]}}"#), vec!["v1 Pod a", "v1 Pod b"]),
            (
                r#"{"kind":"SecretList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"s"}}]}"#.into(),
                vec!["v1 Secret s"],
            ),
            (r#"[{"metadata":{"name":"d"}},{}]"#.into(), vec!["apps/v1 Deployment d"]),
            (r#"{"kind":"List","items":null}"#.into(), vec![]),
            (r#"{"metadata":{"name":"d"}}"#.into(), vec!["apps/v1 Deployment d"]),
            (
                format!("{a}\n==== START logs for container c of pod n/p ====\n{{\"x\n==== END logs for container c of pod n/p ====\n{b}"),
                vec!["v1 Pod a", "v1 Pod b"],
            ),
            (format!(r#"{{"broken": yes}}{}{b}"#, "\n"), vec!["v1 Pod b"]),
        ] {
            assert_eq!(names(&read(&text, Some(&resources::DEPLOYMENTS))), want, "{text}");
        }
    }

    #[test]
    fn what_comes_before_a_cut_is_used() {
        let text = r#"{"apiVersion":"v1","items":[{"kind":"Pod","metadata":{"name":"a"}},
            {"kind":"Pod","metadata":{"name":"b"}},{"kind":"Pod","meta"#;
        let documents = read(text, None);
        assert_eq!(documents.objects.len(), 2);
        let fault = documents.fault.expect("a cut is a fault");
        assert!(fault.is_cut_off && fault.line == 2, "{fault:?}");
    }

    #[test]
    fn refusals_lists_without_items_and_strangers_are_told_apart() {
        let text = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"secrets is forbidden"}
            {"kind":"SecretList","apiVersion":"v1","items":[]} {"level":"info"}"#;
        let documents = read(text, None);
        assert_eq!(documents.server_errors, ["secrets is forbidden"]);
        assert_eq!(documents.empty_lists, [("v1".to_owned(), "SecretList".to_owned())]);
        assert_eq!(documents.strangers, 1);
        assert_eq!(documents.fault, None);
    }
}
