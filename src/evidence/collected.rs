//! What a run has collected so far.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::choose::Group;
use super::{Case, Question};
use crate::object::ObjectRef;
use crate::report::{ClusterSeen, Gap};
use crate::source::Miss;

/// Everything that was collected. Of each case only `T` is kept, what the caller made of it as it arrived:
/// a fleet of a thousand clusters costs a thousand answers, not a thousand histories.
pub struct Evidence<T> {
    /// The time that ages are counted from.
    pub now: Timestamp,
    /// The clusters that the question concerned.
    pub clusters: Vec<ClusterSeen>,
    /// How many deliveries were in scope and healthy by the deployer's own word.
    pub healthy: usize,
    /// What could not be had and concerns more than one case.
    pub gaps: Vec<Gap>,
    /// Owners of the kinds that were asked for, so that a name that does not exist can be answered with those that do.
    pub owners: Vec<ObjectRef>,
    /// Why nothing at all is known of a hub, for each such hub.
    pub silent: Vec<Miss>,
    /// Clusters that were not read yet; a slot is empty when its cluster was.
    pub(super) waiting: Vec<Option<Box<Group>>>,
    /// With the place in the report.
    answers: Vec<(usize, T)>,
    /// Indices of the question's targets that some case answers.
    met: BTreeSet<usize>,
}

impl<T> Evidence<T> {
    /// Evidence with nothing in it yet.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            clusters: Vec::new(),
            healthy: 0,
            gaps: Vec::new(),
            owners: Vec::new(),
            silent: Vec::new(),
            waiting: Vec::new(),
            answers: Vec::new(),
            met: BTreeSet::new(),
        }
    }

    /// How many cases were read.
    pub fn read(&self) -> usize {
        self.answers.len()
    }

    /// What was made of each case, in the order of a report.
    pub fn answers(&self) -> impl Iterator<Item = &T> {
        self.answers.iter().map(|(_, answer)| answer)
    }

    /// The same, by value.
    pub fn take_answers(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.answers).into_iter().map(|(_, answer)| answer)
    }

    /// The same evidence with something else made of each answer.
    pub fn map<U>(self, mut with: impl FnMut(T) -> U) -> Evidence<U> {
        Evidence {
            now: self.now,
            clusters: self.clusters,
            healthy: self.healthy,
            gaps: self.gaps,
            owners: self.owners,
            silent: self.silent,
            waiting: self.waiting,
            answers: self.answers.into_iter().map(|(place, answer)| (place, with(answer))).collect(),
            met: self.met,
        }
    }

    /// Whether a case answers the question's target at this index.
    pub fn has_met(&self, target: usize) -> bool {
        self.met.contains(&target)
    }

    pub(super) fn add(&mut self, place: usize, case: Case, question: &Question, read: &impl Fn(Case) -> T) {
        self.met.extend(question.meant_by(&case.delivery));
        self.answers.push((place, read(case)));
    }

    /// Clusters answer in any order; a report is in one.
    pub(super) fn finish(&mut self) {
        self.clusters.sort_by(|a, b| a.name.cmp(&b.name));
        self.clusters.dedup();
        self.answers.sort_by_key(|(place, _)| *place);
    }
}
