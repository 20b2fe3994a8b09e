//! What became of a HelmChart's present spec, read from its Job, the Job's pods and the release.

use super::helm_chart::{HelmChart, HelmChartConfig};
use super::job::{self, Job};
use crate::deployer::ReleaseTarget;
use crate::record::Metadata;
use crate::rollout::{Pod, Rollout};

/// Label of a release Secret: the configuration that made it, 63 characters of its hash.
pub const HASH_LABEL: &str = "helmcharts.helm.cattle.io/configHash";

/// A HelmChart with everything that belongs to it.
pub struct Attempt {
    /// The HelmChart.
    pub chart: HelmChart,
    /// What is merged into it.
    pub config: Option<HelmChartConfig>,
    /// Its install Job, if there is one.
    pub job: Option<Job>,
    /// Its delete Job, if there is one.
    pub delete_job: Option<Job>,
    /// Pods of the install Job, the newest first.
    pub pods: Vec<Pod>,
    /// Revisions of its release, the newest first.
    pub revisions: Vec<Revision>,
    /// Whether the release's namespace exists, where that could be read.
    pub has_namespace: Option<bool>,
    /// A Secret with values that its pods wait for.
    pub missing_secret: Option<String>,
    /// Workloads of the release that do not run as applied.
    pub rollouts: Vec<Rollout>,
}

/// A revision of the release, as the labels of its Secret tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its number.
    pub number: u32,
    /// Helm's word.
    pub status: String,
    /// The configuration that made it; `""` for one that a person made.
    pub hash: String,
}

impl Revision {
    /// The revision that a release Secret holds.
    pub fn of(secret: &Metadata) -> Option<Self> {
        Some(Self {
            number: secret.label("version").parse().ok()?,
            status: secret.label("status").to_owned(),
            hash: secret.label(HASH_LABEL).to_owned(),
        })
    }
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Hands off.
    Unmanaged,
    /// Its deletion has begun.
    Deleting,
    /// The controller never made a Job.
    NoJob,
    /// The controller refused to make one.
    Refused,
    /// The newest revision was made from this spec and is deployed.
    Landed,
    /// The newest revision is failed.
    Failed,
    /// The newest revision is `pending-…` or `uninstalling`.
    Pending,
    /// The Job's own pod does not start.
    JobHeld,
    /// Helm ran and ended without writing a revision.
    NoRevision,
    /// The Job ended well, and no revision was made from this spec.
    NotTried,
    /// The Job has only begun.
    Begun,
}

impl Attempt {
    /// Where its release is.
    pub fn release(&self) -> ReleaseTarget {
        let metadata = &self.chart.metadata;
        let env = |name: &str| self.job.as_ref().map_or("", |job| job.env(name)).to_owned();
        let first = |candidates: [String; 3]| {
            candidates.into_iter().find(|candidate| !candidate.is_empty()).unwrap_or_default()
        };
        let spec = &self.chart.spec;
        ReleaseTarget {
            namespace: first([
                env("TARGET_NAMESPACE"),
                spec.target_namespace.clone(),
                metadata.namespace.clone(),
            ]),
            name: first([env("NAME"), metadata.name.clone(), String::new()]),
            claimed_revision: self
                .revisions
                .iter()
                .find(|revision| self.is_of_this_spec(revision))
                .map(|found| found.number),
        }
    }

    /// Whether a revision was made from the present spec. The label holds 63 characters, the Job's
    /// variable may one day hold all.
    pub fn is_of_this_spec(&self, revision: &Revision) -> bool {
        let wanted = self.job.as_ref().map_or("", |job| job.env("CONFIG_HASH"));
        !revision.hash.is_empty() && wanted.starts_with(&revision.hash)
    }

    /// The newest revision.
    pub fn newest(&self) -> Option<&Revision> {
        self.revisions.first()
    }

    /// The newest deployed revision.
    pub fn deployed(&self) -> Option<&Revision> {
        self.revisions.iter().find(|revision| revision.status == "deployed")
    }

    /// The revision that the Job expects to find.
    pub fn expected_revision(&self) -> Option<u32> {
        self.job.as_ref()?.env("EXPECTED_RELEASE_REVISION").parse().ok()
    }

    /// The policy that acts: the Job's, which is the HelmChartConfig's where there is one.
    pub fn policy(&self) -> &str {
        let candidates = [
            self.job.as_ref().map_or("", |job| job.env("FAILURE_POLICY")),
            self.config.as_ref().map_or("", |config| config.spec.failure_policy.as_str()),
            self.chart.spec.failure_policy.as_str(),
        ];
        candidates.into_iter().find(|policy| !policy.is_empty()).unwrap_or("reinstall")
    }

    /// The release was uninstalled and installed anew by the policy: the history began again.
    pub fn was_reinstalled(&self) -> bool {
        let is_first = self.newest().is_some_and(|newest| newest.number == 1);
        let has_said = self
            .pods
            .iter()
            .filter_map(job::last_words)
            .any(|words| words.starts_with("Uninstalling failed"));
        is_first && (has_said || self.expected_revision() > Some(1))
    }

    /// What became of the present spec.
    pub fn outcome(&self) -> Outcome {
        let is_refused = self.chart.condition("Failed").is_some_and(|failed| failed.is_true());
        let is_waiting = self.pods.first().is_some_and(|pod| pod.status.phase == "Pending");
        match (self.newest(), &self.job) {
            _ if self.chart.is_unmanaged() => Outcome::Unmanaged,
            _ if self.chart.metadata.deletion_timestamp.is_some() => Outcome::Deleting,
            (None, None) if is_refused => Outcome::Refused,
            (_, None) => Outcome::NoJob,
            (Some(newest), _) if newest.status.starts_with("pending") || newest.status == "uninstalling" => {
                Outcome::Pending
            }
            (Some(newest), _) if newest.status == "failed" => Outcome::Failed,
            (Some(newest), _) if newest.status == "deployed" && self.is_of_this_spec(newest) => {
                Outcome::Landed
            }
            _ if is_waiting => Outcome::JobHeld,
            (_, Some(job)) if job.is_complete() => Outcome::NotTried,
            _ if self.pods.iter().any(|pod| job::last_exit(pod).is_some_and(|code| code != 0)) => {
                Outcome::NoRevision
            }
            _ if is_refused => Outcome::NoRevision,
            _ => Outcome::Begun,
        }
    }
}
