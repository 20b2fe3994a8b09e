//! What every deployer can say about what it delivers.

use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde_json::Value;

use crate::failure::Class;
use crate::object::ObjectRef;
use crate::report::{Confidence, Evidence, Gap, WayOut};
use crate::source::{ClusterWanted, Reader, Resource};

/// A program that brings what somebody declared onto clusters.
pub trait Deployer {
    /// `fleet`.
    fn name(&self) -> &'static str;

    /// Field managers that this deployer writes objects with. The first is used for releases.
    fn field_managers(&self) -> &'static [&'static str];

    /// Every resource that [`Deployer::collect`] reads on the hub; `capture` and `rbac` follow this table.
    fn reads(&self) -> &'static [Resource];

    /// Everything that this deployer delivers, healthy or not, read from its hub cluster.
    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>>;
}

/// One owner's delivery to one cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    /// [`Deployer::name`].
    pub deployer: &'static str,
    /// The field manager that its release writes objects with.
    pub manager: &'static str,
    /// GitRepo, HelmOp, HelmRelease, Application, HelmChart; `None` for plain Helm.
    pub owner: Option<ObjectRef>,
    /// From the owner down to what stands for this cluster: GitRepo, Bundle, BundleDeployment.
    pub chain: Vec<ObjectRef>,
    /// The target cluster; `None` where it never came to one.
    pub cluster: Option<ClusterWanted>,
    /// The deployer's own word for the state, computed, not copied: `"WaitApplied"`, or an object.
    pub state: Value,
    /// Whether there is anything to explain.
    pub standing: Standing,
    /// The Helm release that carries it.
    pub release: Option<ReleaseTarget>,
    /// What was wanted, in the deployer's terms: `commit 3e876b9`, `chart 6.15.0`.
    pub wanted: Option<String>,
    /// When it was wanted first, where the deployer tells.
    pub wanted_since: Option<Timestamp>,
    /// The owner's own texts, the one that counts first.
    pub statements: Vec<Statement>,
    /// Reasons that stand in objects, not in a text, strongest first.
    pub signs: Vec<Sign>,
    /// Whether the deployer undoes hand-made changes by itself.
    pub heals_itself: bool,
    /// Whether the deployer is told to do nothing here.
    pub paused: bool,
    /// Objects that the deployer itself names as changed, missing or not ready.
    pub objects: Vec<ObjectRef>,
    /// What is known beyond that and worth a line in the report.
    pub evidence: Vec<Evidence>,
    /// What the deployer's records leave open.
    pub gaps: Vec<Gap>,
    /// What has to be done before anything else, while there is time: it comes before the cause's ways out.
    pub first_aid: Vec<WayOut>,
    /// Ways out that hold whatever the cause is: what makes this deployer try again. They come after those
    /// of the cause.
    pub ways_out: Vec<WayOut>,
    /// What has to be looked at beyond the deployer's records.
    pub hints: Hints,
}

/// What the deployer's records cannot tell and the cluster's objects can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The deployer would not say so if somebody changed the objects: compare them with the manifest of
    /// the revision that it made itself ([`ReleaseTarget::claimed_revision`], else the newest deployed).
    pub compare_live: bool,
    /// The deployer did not wait for the workloads: look whether they run (`rollout::why`).
    pub follow_rollouts: bool,
    /// The class of a deployed revision's absence or text says nothing; only the signs and statements do.
    pub ignores_release_text: bool,
}

/// Whether a delivery needs explaining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// What was wanted runs, as far as the deployer's records tell.
    #[default]
    Landed,
    /// It reads healthy, and its signs say otherwise.
    LooksReady,
    /// It did not land.
    Stuck,
}

/// Where the release of a delivery is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseTarget {
    /// The namespace of the release's Secrets.
    pub namespace: String,
    /// The release's name.
    pub name: String,
    /// `namespace/name:revision` as the deployer has it, for evidence; often the last good one.
    pub claimed_revision: Option<u32>,
}

/// A text of the owner about this delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The whole text. It may hold secrets: only the door prints it.
    pub text: String,
    /// `BundleDeployment cluster-x/shop-shop, condition Deployed`.
    pub source: String,
    /// The text speaks of the present try. Old news is shown, never classified.
    pub is_current: bool,
}

/// A reason that stands in objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// Its class.
    pub class: Class,
    /// How sure the objects make it.
    pub confidence: Confidence,
    /// It holds even where a failed revision or a text names another cause (a paused cluster does not hide a conflict: `false`).
    pub outranks_texts: bool,
    /// One line for a person.
    pub summary: String,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// Ways out that only this deployer knows.
    pub ways_out: Vec<WayOut>,
    /// What would tell more.
    pub gaps: Vec<Gap>,
}

impl Sign {
    /// A sign that stands beside texts and knows no way out of its own yet.
    pub fn new(
        class: &'static str,
        confidence: Confidence,
        summary: String,
        evidence: Vec<Evidence>,
    ) -> Self {
        Self {
            class: Class(class),
            confidence,
            outranks_texts: false,
            summary,
            evidence,
            ways_out: Vec::new(),
            gaps: Vec::new(),
        }
    }
}

/// A claim with its source, for the report.
pub fn evidence(source: impl Into<String>, says: impl Into<String>) -> Evidence {
    Evidence { source: source.into(), says: says.into() }
}
