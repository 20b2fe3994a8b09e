//! HelmChart and HelmChartConfig as they are read.

use serde::Deserialize;

use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
use crate::source::{Record, Resource, resources};

/// `helm.cattle.io/v1`.
pub const API_VERSION: &str = "helm.cattle.io/v1";

/// Hands off: Job, values Secret and content ConfigMap go, status and release stay as they are.
const UNMANAGED: &str = "helmcharts.helm.cattle.io/unmanaged";

/// A HelmChart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HelmChart {
    /// Name and namespace.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
    /// Which Job was made; nothing of what came of it.
    #[serde(deserialize_with = "lenient")]
    pub status: Status,
}

impl Record for HelmChart {
    const RESOURCE: Resource = resources::K3S_HELM_CHARTS;
}

/// A HelmChartConfig: merged into the HelmChart of the same name and namespace.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HelmChartConfig {
    /// Name and namespace.
    pub metadata: Metadata,
    /// What is added.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
}

impl Record for HelmChartConfig {
    const RESOURCE: Resource = resources::K3S_HELM_CHART_CONFIGS;
}

/// `spec` of both.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// Chart name or URL.
    #[serde(deserialize_with = "lenient")]
    pub chart: String,
    /// Chart repository.
    #[serde(deserialize_with = "lenient")]
    pub repo: String,
    /// Chart version.
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    /// The chart itself, a base64 archive.
    #[serde(deserialize_with = "lenient")]
    pub chart_content: String,
    /// Where the release goes.
    #[serde(deserialize_with = "lenient")]
    pub target_namespace: String,
    /// YAML. It may hold secrets.
    #[serde(deserialize_with = "lenient")]
    pub values_content: String,
    /// `reinstall` (the default, written by the API server), `abort` or `retry`.
    #[serde(deserialize_with = "lenient")]
    pub failure_policy: String,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// `helm-install-NAME`.
    #[serde(deserialize_with = "lenient")]
    pub job_name: String,
    /// `JobCreated` and `Failed`, without times.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
}

impl HelmChart {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object(API_VERSION, "HelmChart")
    }

    /// Whether the controller is told to leave it alone.
    pub fn is_unmanaged(&self) -> bool {
        self.metadata.annotations.contains_key(UNMANAGED)
    }

    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.status.conditions, kind)
    }

    /// The chart as it is named, `""` for an inline one.
    pub fn chart_in_words(&self) -> String {
        format!("{} {}", self.spec.chart, self.spec.version).trim().to_owned()
    }
}

impl HelmChartConfig {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object(API_VERSION, "HelmChartConfig")
    }
}
