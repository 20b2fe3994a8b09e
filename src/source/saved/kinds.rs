//! What a saved cluster holds, kind by kind.

use std::collections::HashMap;

use super::body::Body;
use super::plural;
use crate::source::{Resource, resources};

/// One object of the index.
#[derive(Debug)]
pub(super) struct Entry {
    pub namespace: Box<str>,
    pub name: Box<str>,
    pub resource_version: Box<str>,
    pub has_managed_fields: bool,
    pub file: u32,
    pub body: Body,
}

impl Entry {
    fn key(&self) -> (&str, &str) {
        (&self.namespace, &self.name)
    }

    /// Whether this is the state to use of the two: the newer one, else the one that says more.
    fn is_better_than(&self, other: &Self) -> bool {
        let (mine, theirs) = (&*self.resource_version, &*other.resource_version);
        if mine == theirs {
            return (self.has_managed_fields, self.body.len()) > (other.has_managed_fields, other.body.len());
        }
        // Not a number (or none): nothing tells the age, and the later file is the likelier update.
        match (mine.parse::<u128>(), theirs.parse::<u128>()) {
            (Ok(mine), Ok(theirs)) => mine > theirs,
            (mine, theirs) => mine.is_ok() || theirs.is_err(),
        }
    }
}

/// All objects of one kind in one cluster.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// As they were saved, most often in one version.
    pub api_version: String,
    /// In the order in which they stand in the files.
    pub entries: Vec<Entry>,
    /// Indexes into `entries` by namespace and name.
    sorted: Vec<u32>,
}

/// An object that was there twice in different states.
#[derive(Debug)]
pub(super) struct Superseded {
    pub object: String,
    pub older_file: u32,
    pub newer_file: u32,
}

impl Objects {
    /// Sorts the index and leaves one state of every object.
    pub fn settle(&mut self, kind: &str) -> Vec<Superseded> {
        let mut superseded = Vec::new();
        let mut best: HashMap<(&str, &str), usize> = HashMap::with_capacity(self.entries.len());
        let mut dropped = vec![false; self.entries.len()];
        for (at, entry) in self.entries.iter().enumerate() {
            let Some(known) = best.get_mut(&entry.key()) else {
                best.insert(entry.key(), at);
                continue;
            };
            let other = &self.entries[*known];
            let (older, newer) = if entry.is_better_than(other) { (*known, at) } else { (at, *known) };
            if entry.resource_version != other.resource_version {
                let separator = if entry.namespace.is_empty() { "" } else { "/" };
                superseded.push(Superseded {
                    object: format!("{kind} {}{separator}{}", entry.namespace, entry.name),
                    older_file: self.entries[older].file,
                    newer_file: self.entries[newer].file,
                });
            }
            dropped[older] = true;
            *known = newer;
        }
        drop(best);
        let mut dropped = dropped.into_iter();
        self.entries.retain(|_| !dropped.next().unwrap_or(false));
        self.sorted = (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).collect();
        let entries = &self.entries;
        self.sorted.sort_by(|a, b| entries[*a as usize].key().cmp(&entries[*b as usize].key()));
        superseded
    }

    /// The object with this name.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Entry> {
        let at = self
            .sorted
            .binary_search_by(|at| self.entries[*at as usize].key().cmp(&(namespace, name)))
            .ok()?;
        self.entries.get(self.sorted[at] as usize)
    }

    /// The resource of these objects, its plural guessed where the table does not know it.
    pub fn resource(&self, kind: &str) -> Resource {
        resource(&self.api_version, kind, self.entries.iter().any(|entry| !entry.namespace.is_empty()))
    }
}

/// The resource of a kind; `is_namespaced` is believed where the table does not know the kind.
pub(super) fn resource(api_version: &str, kind: &str, is_namespaced: bool) -> Resource {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let known = resources::ALL.iter().find(|known| known.group == group && known.kind == kind);
    if let Some(known) = known {
        return Resource { version: version.to_owned().into(), ..known.clone() };
    }
    Resource {
        group: group.to_owned().into(),
        version: version.to_owned().into(),
        plural: plural::guess(kind).into(),
        kind: kind.to_owned().into(),
        namespaced: is_namespaced,
    }
}
