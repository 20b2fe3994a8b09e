//! All stored revisions of one release, and what follows from their order.

use std::collections::BTreeMap;

use super::{Driver, Missing, Release, Revision, Status, missing};

/// The revisions of one release that are still stored, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The namespace of the records.
    pub namespace: String,
    /// The release's name.
    pub name: String,
    /// Where the records are. Helm reads one driver only, so one name in both makes two histories.
    pub driver: Driver,
    /// Ascending, each number once.
    revisions: Vec<Revision>,
}

impl History {
    /// Sorts revisions into histories, by namespace and name. A revision met twice (two dumps of one
    /// cluster) counts once, the one with a payload before the one without.
    pub fn group(revisions: impl IntoIterator<Item = Revision>) -> Vec<Self> {
        let mut groups: BTreeMap<(String, String, Driver), BTreeMap<u32, Revision>> = BTreeMap::new();
        for revision in revisions {
            let meta = &revision.meta;
            let key = (meta.namespace.clone(), meta.release.clone(), meta.driver);
            let group = groups.entry(key).or_default();
            let known = group.get(&revision.number()).is_some_and(|known| known.payload.is_some());
            if !known {
                group.insert(revision.number(), revision);
            }
        }
        groups
            .into_iter()
            .map(|((namespace, name, driver), revisions)| Self {
                namespace,
                name,
                driver,
                revisions: revisions.into_values().collect(),
            })
            .collect()
    }

    /// One release's revisions, in any order; where the records are is read from them.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>, mut revisions: Vec<Revision>) -> Self {
        revisions.sort_by_key(Revision::number);
        revisions.dedup_by_key(|revision| revision.number());
        let driver = revisions.first().map_or(Driver::Secret, |revision| revision.meta.driver);
        Self { namespace: namespace.into(), name: name.into(), driver, revisions }
    }

    /// Every stored revision, oldest first.
    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// One revision, if it is stored.
    pub fn revision(&self, number: u32) -> Option<&Revision> {
        self.revisions.iter().find(|revision| revision.number() == number)
    }

    /// The highest number.
    pub fn newest(&self) -> Option<&Revision> {
        self.revisions.last()
    }

    /// The revision that Helm holds for running: the newest with status `deployed`. There is none after
    /// a rollback that failed on apply, and the next upgrade still works (field-guide 4).
    pub fn deployed(&self) -> Option<&Revision> {
        self.revisions.iter().rev().find(|revision| *revision.status() == Status::Deployed)
    }

    /// The newest revision that was applied without an error.
    pub fn last_good(&self) -> Option<&Revision> {
        self.revisions.iter().rev().find(|revision| revision.landed())
    }

    /// The payload of the newest revision that has one.
    pub fn newest_release(&self) -> Option<&Release> {
        self.revisions.iter().rev().find_map(Revision::release)
    }

    /// `ssa` or `csa` of the newest readable revision, which the next upgrade follows; `None` means that
    /// Helm 3 wrote it, or that no payload was read.
    pub fn apply_method(&self) -> Option<&str> {
        self.newest_release()?.apply_method.as_deref()
    }

    /// Numbers that are not stored, and why.
    pub fn missing(&self) -> Vec<Missing> {
        missing::missing(&self.revisions)
    }

    /// Tries after the last good revision whose records are gone (`newest - deployed - 1`, less those
    /// that are still stored). Deployed 2 beside failed 57: 54. Without a good one that is stored
    /// nobody can tell a lost try from an old record: 0.
    pub fn tries_lost(&self) -> u32 {
        let Some(good) = self.deployed().or_else(|| self.last_good()).map(Revision::number) else {
            return 0;
        };
        self.missing().iter().filter(|gap| gap.first > good).map(Missing::count).sum()
    }

    /// Failed revisions that a later good one made good. A rollback heals nothing: what was wanted did
    /// not land.
    pub fn healed(&self) -> impl Iterator<Item = &Revision> {
        let healer = self
            .revisions
            .iter()
            .rev()
            .find(|revision| revision.landed() && !revision.is_rollback())
            .map_or(0, Revision::number);
        self.revisions.iter().filter(move |revision| revision.has_failed() && revision.number() < healer)
    }

    /// Failed revisions that no later good one made good, oldest first.
    pub fn unhealed(&self) -> impl Iterator<Item = &Revision> {
        let healed: Vec<u32> = self.healed().map(Revision::number).collect();
        self.revisions.iter().filter(move |one| one.has_failed() && !healed.contains(&one.number()))
    }

    /// Numbers of the revisions whose payloads [`History::causes`] and a comparison with the live objects
    /// still need: the newest, those before a rollback, the deployed one. Fetch them, build the history
    /// again and ask again, until nothing is asked for.
    pub fn payloads_needed(&self) -> Vec<u32> {
        let mut needed = Vec::new();
        let mut ask = |revision: Option<&Revision>| {
            if let Some(revision) = revision.filter(|revision| revision.payload.is_none())
                && !needed.contains(&revision.number())
            {
                needed.push(revision.number());
            }
        };
        ask(self.newest());
        ask(self.deployed());
        for revision in self.revisions.iter().rev().take_while(|revision| revision.is_rollback()) {
            ask(revision.number().checked_sub(1).and_then(|before| self.revision(before)));
        }
        needed
    }
}
