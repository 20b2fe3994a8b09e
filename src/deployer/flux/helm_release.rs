//! The HelmRelease as it is read.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
use crate::source::Resource;

/// `helm.toolkit.fluxcd.io/v2`, and the versions before it that old clusters still serve.
pub const RESOURCES: [Resource; 3] = [
    Resource::fixed("helm.toolkit.fluxcd.io", "v2", "helmreleases", "HelmRelease", true),
    Resource::fixed("helm.toolkit.fluxcd.io", "v2beta2", "helmreleases", "HelmRelease", true),
    Resource::fixed("helm.toolkit.fluxcd.io", "v2beta1", "helmreleases", "HelmRelease", true),
];

/// A HelmRelease.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HelmRelease {
    /// As the object has it.
    #[serde(deserialize_with = "lenient")]
    pub api_version: String,
    /// Name, generation, annotations.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
    /// What the controller remembers; absent until it ran once.
    #[serde(deserialize_with = "lenient")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// Chart from a source.
    #[serde(deserialize_with = "lenient")]
    pub chart: Option<ChartTemplate>,
    /// Chart from an OCIRepository or a HelmChart, in place of `chart`.
    #[serde(deserialize_with = "lenient")]
    pub chart_ref: Option<Reference>,
    /// Told to do nothing.
    #[serde(deserialize_with = "lenient")]
    pub suspend: bool,
    /// The release's name, where it is not computed.
    #[serde(deserialize_with = "lenient")]
    pub release_name: String,
    /// Where the objects go.
    #[serde(deserialize_with = "lenient")]
    pub target_namespace: String,
    /// Where the release's Secrets go.
    #[serde(deserialize_with = "lenient")]
    pub storage_namespace: String,
    /// Another cluster.
    #[serde(deserialize_with = "lenient")]
    pub kube_config: Option<KubeConfig>,
    /// HelmReleases that must be ready first.
    #[serde(deserialize_with = "lenient")]
    pub depends_on: Vec<Reference>,
    /// `mode`: `enabled`, `warn`, `disabled`.
    #[serde(deserialize_with = "lenient")]
    pub drift_detection: DriftDetection,
    /// Options of an install.
    #[serde(deserialize_with = "lenient")]
    pub install: Action,
    /// Options of an upgrade.
    #[serde(deserialize_with = "lenient")]
    pub upgrade: Action,
    /// Timeout of an action, a Go duration; 5 minutes by default.
    #[serde(deserialize_with = "lenient")]
    pub timeout: String,
}

/// `spec.chart`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChartTemplate {
    /// The HelmChart that the controller makes of it.
    #[serde(deserialize_with = "lenient")]
    pub spec: ChartSpec,
}

/// `spec.chart.spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChartSpec {
    /// Name in a HelmRepository, path in a GitRepository or Bucket.
    #[serde(deserialize_with = "lenient")]
    pub chart: String,
    /// A version or a semver range.
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    /// Where it comes from.
    #[serde(deserialize_with = "lenient")]
    pub source_ref: Reference,
}

/// A reference to another object of Flux.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct Reference {
    /// `HelmRepository`; empty in `dependsOn`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// The object's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// Empty means the HelmRelease's own.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
}

/// `spec.kubeConfig`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct KubeConfig {
    /// The Secret with a kubeconfig.
    #[serde(deserialize_with = "lenient")]
    pub secret_ref: Option<SecretKey>,
    /// The ConfigMap of a cluster that is reached with a cloud's own login.
    #[serde(deserialize_with = "lenient")]
    pub config_map_ref: Option<SecretKey>,
}

/// A Secret and a key in it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SecretKey {
    /// The Secret's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// `value` or `value.yaml` by default.
    #[serde(deserialize_with = "lenient")]
    pub key: Option<String>,
}

/// `spec.driftDetection`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DriftDetection {
    /// `enabled`, `warn`, `disabled` or empty.
    #[serde(deserialize_with = "lenient")]
    pub mode: String,
    /// Paths that are not compared.
    #[serde(deserialize_with = "lenient")]
    pub ignore: Vec<Value>,
}

/// `spec.install`, `spec.upgrade`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Action {
    /// Ready without waiting for the workloads.
    #[serde(deserialize_with = "lenient")]
    pub disable_wait: bool,
    /// Timeout of this action alone.
    #[serde(deserialize_with = "lenient")]
    pub timeout: String,
    /// What happens after a failure.
    #[serde(deserialize_with = "lenient")]
    pub remediation: Remediation,
    /// `RetryOnFailure` never gives up.
    #[serde(deserialize_with = "lenient")]
    pub strategy: Strategy,
}

/// `remediation`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Remediation {
    /// Further attempts; 0 by default, negative without end.
    #[serde(deserialize_with = "lenient")]
    pub retries: i64,
    /// `rollback` or `uninstall`.
    #[serde(deserialize_with = "lenient")]
    pub strategy: String,
}

/// `strategy`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Strategy {
    /// `RemediateOnFailure` or `RetryOnFailure`.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// `Ready`, `Released`, `Remediated`, `Stalled`, `Reconciling`, `Drifted`.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
    /// -1 before a first success of the prerequisites.
    #[serde(deserialize_with = "lenient")]
    pub observed_generation: Option<i64>,
    /// Where the release's Secrets are; it does not say on which cluster.
    #[serde(deserialize_with = "lenient")]
    pub storage_namespace: String,
    /// `NAMESPACE/NAME` of the HelmChart.
    #[serde(deserialize_with = "lenient")]
    pub helm_chart: String,
    /// The controller's memory, unsorted; revisions in it may be gone.
    #[serde(deserialize_with = "lenient")]
    pub history: Vec<Snapshot>,
    /// The generation of the last attempt.
    #[serde(deserialize_with = "lenient")]
    pub last_attempted_generation: Option<i64>,
    /// The chart version of the last attempt.
    #[serde(deserialize_with = "lenient")]
    pub last_attempted_revision: String,
    /// `install` or `upgrade`.
    #[serde(deserialize_with = "lenient")]
    pub last_attempted_release_action: String,
    /// The last `reconcile.fluxcd.io/requestedAt` that was seen.
    #[serde(deserialize_with = "lenient")]
    pub last_handled_reconcile_at: String,
    /// v2beta1: the revision that the controller made last.
    #[serde(deserialize_with = "lenient")]
    pub last_release_revision: Option<u32>,
    /// Failed tries of this generation, those without a revision among them.
    #[serde(deserialize_with = "lenient")]
    pub failures: i64,
    /// Failed installs.
    #[serde(deserialize_with = "lenient")]
    pub install_failures: i64,
    /// Failed upgrades.
    #[serde(deserialize_with = "lenient")]
    pub upgrade_failures: i64,
}

/// An entry of `status.history`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    /// The release's name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The target namespace, not the storage namespace.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// The revision.
    #[serde(deserialize_with = "lenient")]
    pub version: u32,
    /// Helm's word.
    #[serde(deserialize_with = "lenient")]
    pub status: String,
    /// `1.0.0+247aa0aa18dc`.
    #[serde(deserialize_with = "lenient")]
    pub chart_version: String,
    /// When it was made.
    #[serde(deserialize_with = "lenient")]
    pub last_deployed: Option<Timestamp>,
}

impl HelmRelease {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        let version =
            if self.api_version.is_empty() { RESOURCES[0].api_version() } else { self.api_version.clone() };
        self.metadata.as_object(&version, "HelmRelease")
    }

    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.status.conditions, kind)
    }

    /// The options of the action that was tried last.
    pub fn last_action(&self) -> &Action {
        if self.status.last_attempted_release_action == "install" {
            &self.spec.install
        } else {
            &self.spec.upgrade
        }
    }

    /// `NAMESPACE/NAME` of a reference from this HelmRelease.
    pub fn resolve(&self, reference: &Reference) -> (String, String) {
        let namespace =
            if reference.namespace.is_empty() { &self.metadata.namespace } else { &reference.namespace };
        (namespace.clone(), reference.name.clone())
    }
}
