//! The report as data: the contract of `-o json`, which the human, markdown and HTML forms print too.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Packed;
use crate::object::ObjectRef;

/// Everything that one run found.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `helm-forensics/v1`.
    pub api_version: String,
    /// `Report`.
    pub kind: String,
    /// The time that ages are counted from.
    pub now: Timestamp,
    /// The clusters that the question concerned.
    pub clusters: Vec<ClusterSeen>,
    /// One per owner and cluster.
    pub findings: Vec<Finding>,
    /// Deliveries in scope that need no explaining.
    #[serde(default)]
    pub healthy: usize,
    /// What could not be had and concerns the run as a whole.
    pub gaps: Vec<Gap>,
}

impl Report {
    /// `apiVersion` of every report.
    pub const API_VERSION: &'static str = "helm-forensics/v1";

    /// An empty report.
    pub fn new(now: Timestamp) -> Self {
        Self {
            api_version: Self::API_VERSION.into(),
            kind: "Report".into(),
            now,
            clusters: Vec::new(),
            findings: Vec::new(),
            healthy: 0,
            gaps: Vec::new(),
        }
    }
}

/// A cluster of the question.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ClusterSeen {
    /// Fleet's id, the context's or the folder's name.
    pub name: String,
    /// The name that people use, where there is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Whether anything could be read from it.
    pub reached: bool,
}

/// One thing that did not land (or soon will not) on one cluster, with its reason.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// GitRepo, HelmOp, HelmRelease, Application, HelmChart; null for plain Helm.
    pub owner: Option<ObjectRef>,
    /// The cluster that it concerns; null where it never came to one.
    pub cluster: Option<String>,
    /// The owner's state on that cluster in the deployer's own words; null for plain Helm and `audit`.
    pub state: Value,
    /// The release's revision that tells the reason.
    pub release: Option<Release>,
    /// The class of failure-guide's vocabulary, `ssa.conflict`.
    pub class: String,
    /// Other classes that the evidence allows or that stand beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// One line that a person can act on.
    pub summary: String,
    /// The owner's own text, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Field by field, who holds what.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Other things that the failure names: webhook, quota, hook, resource, missing kind, …
    #[serde(default, skip_serializing_if = "Packed::is_null")]
    pub entities: Packed,
    /// What was wanted (commit, chart version), as the deployer knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// Number of tries whose records are gone, where the revision numbers tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tries_lost: Option<u32>,
    /// What runs at this moment, for workloads in question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<Running>,
    /// Failed revisions of the same release before this one that are still stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Earlier>,
    /// From the owner down to what stands for this cluster: GitRepo, Bundle, BundleDeployment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<ObjectRef>,
    /// The deployer undoes hand-made changes here by itself.
    #[serde(default)]
    pub heals_itself: bool,
    /// For a failed revision that a later one has overtaken without healing it: the later one's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overtaken_by: Option<u32>,
    /// How sure this is.
    pub confidence: Confidence,
    /// Every claim with its source.
    pub evidence: Vec<Evidence>,
    /// What happened when, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Moment>,
    /// Least destructive first.
    pub ways_out: Vec<WayOut>,
    /// What is not known and how to learn it.
    pub gaps: Vec<Gap>,
}

impl Finding {
    /// The same in no more memory than it needs. Texts and lists that grew hold room to grow on, and the
    /// report of a large fleet holds a finding for each of its clusters.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let exact = serde_json::to_value(&self).and_then(serde_json::from_value);
        exact.unwrap_or(self)
    }
}

/// The revision of a Helm release that a finding rests on.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// The namespace that holds the release's Secrets.
    pub namespace: String,
    /// The release's name.
    pub name: String,
    /// The revision's number.
    pub revision: Option<u32>,
    /// Helm's word: `failed`, `deployed`, `pending-upgrade`, …
    pub status: Option<String>,
    /// Helm's text, redacted.
    pub description: Option<String>,
    /// `NAME VERSION` of the chart of that revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
    /// The revision that is still deployed, where it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deployed_revision: Option<u32>,
    /// Start of that try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// The revision that holds the reason, where `revision` is a later one (a rollback).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause_revision: Option<u32>,
}

/// One field that two managers want to set.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The object that holds the field.
    pub object: ObjectRef,
    /// As the API server prints it: `.spec.replicas`.
    pub path: String,
    /// Who holds it.
    pub manager: String,
    /// `Apply` or `Update`.
    pub operation: String,
    /// `scale`, or `""`.
    pub subresource: String,
    /// Who that manager is, in words.
    #[serde(default)]
    pub who: String,
    /// When it took the field, from managedFields or the best other evidence.
    pub since: Option<Timestamp>,
    /// Where `since` comes from, or why it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_from: Option<String>,
    /// What the refused revision sets.
    pub wanted: Value,
    /// What the object holds now.
    pub live: Value,
    /// Everyone who owns the field now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Owned>,
}

/// One owner of a field.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Owned {
    /// Field manager.
    pub manager: String,
    /// `Apply` or `Update`.
    pub operation: String,
    /// `scale`, or `""`.
    pub subresource: String,
    /// The time in managedFields.
    pub since: Option<Timestamp>,
}

/// What a workload in question runs at this moment.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Running {
    /// The workload.
    pub object: ObjectRef,
    /// `4 of 4 ready`, or why not.
    pub says: String,
}

/// A failed revision before the one that the finding rests on.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Earlier {
    /// The revision's number.
    pub revision: u32,
    /// Helm's word for it.
    pub status: String,
    /// Its class.
    pub class: String,
    /// Helm's text, redacted.
    pub description: String,
    /// Its conflicts, with the values of that revision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// By elimination.
    Possible,
    /// One source says so.
    Likely,
    /// Text and live state agree.
    Certain,
}

/// A claim and where it stands.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Evidence {
    /// File, object and field, cluster.
    pub source: String,
    /// What it says.
    pub says: String,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// When, or between which times.
    pub at: Instant,
    /// What.
    pub what: String,
    /// Where that stands.
    pub source: String,
}

/// A time, or the best that is known of it.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", untagged)]
pub enum Instant {
    /// Known.
    Exact(Timestamp),
    /// Between two known times.
    Between {
        /// Not before.
        after: Option<Timestamp>,
        /// Not after.
        before: Option<Timestamp>,
    },
}

/// A way out of the trouble.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct WayOut {
    /// What it does, one line.
    pub title: String,
    /// What it can break.
    pub risk: Risk,
    /// Who has to do it: `on call`, `owner of the chart`, `cluster admin`.
    pub who: String,
    /// Commands for a POSIX shell, each whole on one line.
    pub commands: Vec<String>,
    /// What happens next, and what stays.
    pub then: String,
}

/// What a way out can break.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Nothing restarts, nothing is lost.
    Safe,
    /// Pods restart or a component does.
    Restarts,
    /// Something is deleted, replaced or overwritten.
    Destructive,
}

/// Something that could not be had, and the command that would fill the gap.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq, Hash)]
pub struct Gap {
    /// What is missing.
    pub missing: String,
    /// Why.
    pub why: String,
    /// The command that would get it, where there is one.
    pub fill: Option<String>,
}
