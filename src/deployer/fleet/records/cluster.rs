//! Cluster: a downstream cluster and its agent, as the upstream knows them.

use jiff::Timestamp;
use serde::Deserialize;

use crate::record::{Condition, Metadata, null_is_default};
use crate::source::{ClusterWanted, Record, Resource, resources};

/// A Fleet Cluster.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FleetCluster {
    /// Name (the cluster id), namespace (the workspace), labels.
    pub metadata: Metadata,
    /// Pause and access.
    #[serde(deserialize_with = "null_is_default")]
    pub spec: Spec,
    /// The agent's sign of life.
    #[serde(deserialize_with = "null_is_default")]
    pub status: Status,
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spec {
    /// Nothing is brought to this cluster.
    pub paused: bool,
    /// Secret with a kubeconfig under key `value`.
    #[serde(deserialize_with = "null_is_default")]
    pub kube_config_secret: String,
    /// Its namespace, where it is not the Cluster's.
    #[serde(deserialize_with = "null_is_default")]
    pub kube_config_secret_namespace: String,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Status {
    /// The namespace of its BundleDeployments.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
    /// The agent.
    #[serde(deserialize_with = "null_is_default")]
    pub agent: Agent,
    /// A schedule governs this cluster.
    pub scheduled: bool,
    /// It is open now.
    pub active_schedule: bool,
    /// `Ready`, `Imported`, …
    #[serde(deserialize_with = "null_is_default")]
    pub conditions: Vec<Condition>,
}

/// `status.agent`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Agent {
    /// One check-in a minute.
    pub last_seen: Option<Timestamp>,
    /// Where the agent runs.
    #[serde(deserialize_with = "null_is_default")]
    pub namespace: String,
}

impl FleetCluster {
    /// Label that holds the name which people use. Rancher writes it.
    pub const DISPLAY_NAME: &'static str = "management.cattle.io/cluster-display-name";

    /// The name that people use, where there is another one than the id.
    pub fn display_name(&self) -> Option<&str> {
        Some(self.metadata.label(Self::DISPLAY_NAME)).filter(|name| !name.is_empty())
    }

    /// Whether it is the cluster that Fleet itself runs in.
    pub fn is_local(&self) -> bool {
        self.metadata.namespace == "fleet-local" && self.metadata.name == "local"
    }

    /// How to ask a source for it.
    pub fn wanted(&self) -> ClusterWanted {
        let secret = &self.spec.kube_config_secret;
        let namespace = match self.spec.kube_config_secret_namespace.as_str() {
            "" => &self.metadata.namespace,
            namespace => namespace,
        };
        ClusterWanted {
            id: self.metadata.name.clone(),
            display_name: self.display_name().map(str::to_owned),
            rancher_id: Some(self.metadata.label("management.cattle.io/cluster-name"))
                .filter(|id| !id.is_empty())
                .map(str::to_owned),
            kubeconfig_secret: (!secret.is_empty()).then(|| (namespace.to_owned(), secret.clone())),
            kubeconfig_key: None,
            argocd_secret: None,
            is_hub: self.is_local(),
        }
    }
}

impl Record for FleetCluster {
    const RESOURCE: Resource = resources::FLEET_CLUSTERS;
}
