//! The classes for people: their pages, read once.

use std::sync::LazyLock;

use super::classes::TABLE;
use super::model::Class;
use super::page;
use crate::report::Risk;

/// A class as `explain` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassEntry {
    /// `ssa.conflict`.
    pub class: Class,
    /// The heading under which `explain` lists it: `Applying`, `Admission`, …
    pub group: &'static str,
    /// One line.
    pub title: &'static str,
    /// What it means.
    pub explanation: String,
    /// How to recognise it, in a text or on the objects.
    pub recognise: String,
    /// What happens next by itself, by deployer.
    pub retries: String,
    /// Ways out, least destructive first; commands still have their placeholders.
    pub ways_out: Vec<WayTemplate>,
    /// What programs print: real texts with other names.
    pub texts: Vec<String>,
}

/// A way out before names are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayTemplate {
    /// What it does, one line.
    pub title: &'static str,
    /// The deployers that it is for (`fleet`, `flux`, `argo`, `k3s`, `helm`); empty is all.
    pub deployers: Vec<&'static str>,
    /// The kinds of field manager that it is for; empty is all.
    pub managers: Vec<&'static str>,
    /// What it can break.
    pub risk: Risk,
    /// Who has to do it.
    pub who: &'static str,
    /// With `{name}` and the like.
    pub commands: Vec<&'static str>,
    /// What happens next, and what stays.
    pub then: String,
}

/// All classes, in the order of the table.
pub fn catalogue() -> &'static [ClassEntry] {
    static CATALOGUE: LazyLock<Vec<ClassEntry>> =
        LazyLock::new(|| TABLE.iter().map(|entry| page::read(entry.class, entry.page)).collect());
    &CATALOGUE
}

/// The entry of a class by its name.
pub fn explained(class: &str) -> Option<&'static ClassEntry> {
    catalogue().iter().find(|entry| entry.class.0 == class)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the order in which `explain` lists them.
    const GROUPS: [&str; 10] = [
        "Applying",
        "Admission",
        "Rendering",
        "Sources",
        "Waiting",
        "Helm's record",
        "The API server",
        "Deployers",
        "On the cluster",
        "Landmines",
    ];

    #[test]
    fn every_page_is_whole() {
        for entry in catalogue() {
            let name = entry.class.0;
            assert!(GROUPS.contains(&entry.group), "{name}: group {:?}", entry.group);
            assert!(!entry.title.is_empty() && entry.explanation.len() > 30, "{name}");
            assert!(!entry.recognise.is_empty(), "{name} says not how to recognise it");
            assert!(!entry.retries.is_empty(), "{name} says not what retries do");
            for way in &entry.ways_out {
                assert!(
                    !way.title.is_empty() && !way.who.is_empty() && !way.then.is_empty(),
                    "{name}: {way:?}"
                );
            }
            let told = TABLE.iter().any(|row| row.class == entry.class && !row.rules.is_empty());
            assert!(!told || !entry.texts.is_empty(), "{name} shows no text");
        }
    }

    #[test]
    fn every_shown_text_has_the_class_that_it_stands_for() {
        for entry in catalogue() {
            for text in &entry.texts {
                let told = crate::failure::classify(text).map(|failure| failure.class.0);
                assert_eq!(told, Some(entry.class.0), "{text}");
            }
        }
    }
}
