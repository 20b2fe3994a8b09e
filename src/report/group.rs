//! Findings that share a cause, as one: ten clusters that refuse the same commit are one trouble.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Finding, Report, value};
use crate::object::ObjectRef;

/// How bad it is, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Standing {
    /// What was wanted did not land.
    Stuck,
    /// The deployer calls it healthy.
    LooksReady,
    /// A failed revision that a later one has overtaken without healing it.
    Overtaken,
    /// Nothing is wrong yet; the next change will be refused, or will undo something.
    Landmine,
}

/// States in which a deployer says that all is well.
const READY_STATES: [&str; 6] = ["Active", "Deployed", "Healthy", "Ready", "Synced", "deployed"];

impl Standing {
    pub(super) fn of(finding: &Finding) -> Self {
        if finding.overtaken_by.is_some() {
            Self::Overtaken
        } else if finding.state.is_null() && is_landmine(finding) {
            Self::Landmine
        } else if finding.state.as_str().is_some_and(|state| READY_STATES.contains(&state)) {
            Self::LooksReady
        } else {
            Self::Stuck
        }
    }

    /// The word at the head of a block.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Stuck => "STUCK",
            Self::LooksReady => "ONLY LOOKS READY",
            Self::Overtaken => "FAILED EARLIER",
            Self::Landmine => "LANDMINE",
        }
    }
}

fn is_landmine(finding: &Finding) -> bool {
    finding.class.starts_with("landmine.")
        || (finding.owner.is_none()
            && finding.release.as_ref().is_none_or(|release| release.revision.is_none()))
}

/// What did not land, of all that a report tells.
pub fn stuck(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| Standing::of(finding) == Standing::Stuck)
}

/// Findings with one owner and one cause; the first stands for all.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) standing: Standing,
    pub(super) lead: &'a Finding,
    /// All of them, the first included, by cluster.
    pub(super) all: Vec<&'a Finding>,
}

/// What makes two findings the same trouble. Revisions, times and ways out differ from cluster to
/// cluster and are not part of it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause<'a> {
    standing: Standing,
    owner: Option<&'a ObjectRef>,
    release: Option<(&'a str, &'a str)>,
    class: &'a str,
    state: String,
    text: Option<&'a str>,
    fields: Vec<(&'a ObjectRef, &'a str, &'a str, &'a str, String, String)>,
}

impl<'a> Cause<'a> {
    fn of(finding: &'a Finding) -> Self {
        let release = finding.release.as_ref();
        let text = release.and_then(|release| release.description.as_deref()).or(finding.message.as_deref());
        Self {
            standing: Standing::of(finding),
            owner: finding.owner.as_ref(),
            release: release.map(|release| (release.namespace.as_str(), release.name.as_str())),
            class: &finding.class,
            state: value::state(&finding.state).unwrap_or_default(),
            // The conflict text adds nothing to the fields; that of another class is the cause.
            text: if finding.conflicts.is_empty() { text.or(Some(finding.summary.as_str())) } else { None },
            fields: finding
                .conflicts
                .iter()
                .map(|c| {
                    let key = |value: &Value| value.to_string();
                    (
                        &c.object,
                        c.path.as_str(),
                        c.manager.as_str(),
                        c.subresource.as_str(),
                        key(&c.wanted),
                        key(&c.live),
                    )
                })
                .collect(),
        }
    }
}

/// The report's findings, those with the same cause together, worst first; then what hits most
/// clusters, then by name.
pub(super) fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut causes: BTreeMap<Cause<'_>, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        causes.entry(Cause::of(finding)).or_default().push(finding);
    }
    let mut groups: Vec<Group<'_>> = causes
        .into_iter()
        .filter_map(|(cause, mut all)| {
            all.sort_by(|a, b| a.cluster.cmp(&b.cluster));
            Some(Group { standing: cause.standing, lead: all.first()?, all })
        })
        .collect();
    groups.sort_by_key(|group| (group.standing, std::cmp::Reverse(group.all.len())));
    groups
}

/// Number of findings of each standing, worst first; those that do not occur are left out.
pub(super) fn counts(report: &Report) -> Vec<(Standing, usize)> {
    let mut counts: BTreeMap<Standing, usize> = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry(Standing::of(finding)).or_default() += 1;
    }
    counts.into_iter().collect()
}
