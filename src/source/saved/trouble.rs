//! What went wrong with a file, and how the report says it.

use std::collections::BTreeMap;

use crate::report::Gap;

/// Something about one file that the reader of a report has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    /// The file, as reports call it.
    pub origin: String,
    /// What is the matter.
    pub matter: Matter,
}

/// Kinds of trouble.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Matter {
    /// The system refuses it.
    Unreadable { why: String },
    /// A file of 0 bytes.
    Empty,
    /// It ends before its end.
    CutOff { objects: usize },
    /// An archive that ends before its end.
    ArchiveCutOff,
    /// An archive that does not unpack.
    Damaged { why: String },
    /// Its text does not parse.
    Broken { line: usize, why: String },
    /// YAML indented with a tab.
    Tab { line: usize },
    /// No text, though its name says so.
    Binary,
    /// Bytes that are no UTF-8.
    InvalidText,
    /// `kubectl get` as printed for people.
    Table { resource: Option<String> },
    /// An error of the API server, saved in place of the answer.
    ServerError { message: String },
    /// A symbolic or hard link.
    Link,
    /// A device, a pipe, a socket.
    Device,
    /// A name that points out of the archive.
    Escape,
    /// Locked with a password.
    Encrypted,
    /// Beyond a limit.
    TooMuch { what: String },
    /// An archive in an archive in an archive.
    Nested,
    /// The same object stands elsewhere with another resourceVersion.
    Superseded { object: String, newer_in: String },
}

/// How one kind of trouble is said. `{files}` is replaced by the files.
struct Saying {
    missing: &'static str,
    why: String,
    fill: Option<String>,
}

const SAVE_AGAIN: &str = "kubectl get TYPE -A -o json --show-managed-fields > FILE";

impl Matter {
    fn saying(&self) -> Saying {
        let (missing, why, fill): (_, String, Option<String>) = match self {
            Self::Unreadable { why } => ("{files}", format!("cannot be read: {why}"), None),
            Self::Empty => ("{files}", "has 0 bytes".into(), Some(SAVE_AGAIN.into())),
            Self::CutOff { objects } => (
                "the rest of {files}",
                format!("it ends before its end; {objects} whole objects before the cut are used"),
                Some(SAVE_AGAIN.into()),
            ),
            Self::ArchiveCutOff => (
                "the rest of {files}",
                "the archive ends before its end; what came before the cut is used".into(),
                Some("copy it again and compare sizes".into()),
            ),
            Self::Damaged { why } => ("part of {files}", format!("it does not unpack: {why}"), None),
            Self::Broken { line, why } => {
                ("part of {files}", format!("line {line} does not parse: {why}"), None)
            }
            Self::Tab { line } => (
                "part of {files}",
                format!("line {line} is indented with a tab, which YAML forbids"),
                Some("sed -i 's/\\t/  /g' FILE".into()),
            ),
            Self::Binary => ("{files}", "neither JSON nor YAML, whatever its name says".into(), None),
            Self::InvalidText => {
                ("some characters in {files}", "they are not UTF-8; each is read as U+FFFD".into(), None)
            }
            Self::Table { resource } => (
                "the objects in {files}",
                "a table as kubectl prints it for people holds neither fields nor owners".into(),
                Some(format!(
                    "kubectl get {} -A -o json --show-managed-fields > FILE",
                    resource.as_deref().unwrap_or("TYPE")
                )),
            ),
            Self::ServerError { message } => {
                ("the objects in {files}", format!("the API server answered with an error: {message}"), None)
            }
            Self::Link => ("{files}", "links are not followed".into(), None),
            Self::Device => ("{files}", "not a regular file".into(), None),
            Self::Escape => ("{files}", "its name points out of the archive".into(), None),
            Self::Encrypted => (
                "{files}",
                "locked with a password".into(),
                Some("unzip ARCHIVE -d DIR, then --from DIR".into()),
            ),
            Self::TooMuch { what } => ("the rest of {files}", what.clone(), None),
            Self::Nested => {
                ("{files}", "an archive inside an archive inside an archive is not opened".into(), None)
            }
            Self::Superseded { object, newer_in } => (
                "an older state of {files}",
                format!(
                    "{object} is there twice; the state with the newer resourceVersion, in {newer_in}, is used"
                ),
                None,
            ),
        };
        Saying { missing, why, fill }
    }
}

/// At most this many files are named for one kind of trouble.
const NAMED: usize = 5;

/// The troubles as gaps: files with the same trouble share one.
pub(super) fn gaps(troubles: &[Trouble]) -> Vec<Gap> {
    let mut groups: BTreeMap<(usize, &Matter), Vec<&str>> = BTreeMap::new();
    let mut first_seen: BTreeMap<&Matter, usize> = BTreeMap::new();
    for (at, trouble) in troubles.iter().enumerate() {
        let order = *first_seen.entry(&trouble.matter).or_insert(at);
        groups.entry((order, &trouble.matter)).or_default().push(&trouble.origin);
    }
    groups
        .into_iter()
        .map(|((_, matter), files)| {
            let saying = matter.saying();
            Gap {
                missing: saying.missing.replace("{files}", &names(&files)),
                why: saying.why,
                fill: saying.fill,
            }
        })
        .collect()
}

fn names(files: &[&str]) -> String {
    let named = files.get(..NAMED).unwrap_or(files).join(", ");
    match files.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!("{named} and {more} more files"),
        _ => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_the_same_trouble_share_a_gap() {
        let empty = |n: usize| Trouble { origin: format!("f{n}"), matter: Matter::Empty };
        let mut troubles: Vec<Trouble> = (0..7).map(empty).collect();
        troubles.insert(3, Trouble { origin: "x".into(), matter: Matter::Link });
        let gaps = gaps(&troubles);
        let missing: Vec<&str> = gaps.iter().map(|gap| gap.missing.as_str()).collect();
        assert_eq!(missing, ["f0, f1, f2, f3, f4 and 2 more files", "x"]);
    }
}
