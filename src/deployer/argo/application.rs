//! The Application as it is read.

use jiff::Timestamp;
use serde::Deserialize;

use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, lenient};
use crate::source::{Record, Resource, resources};

/// `argoproj.io/v1alpha1 Application`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Application {
    /// Name, annotations.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
    /// What the controller found; it has no subresource of its own.
    #[serde(deserialize_with = "lenient")]
    pub status: Status,
}

impl Record for Application {
    const RESOURCE: Resource = resources::APPLICATIONS;
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// The AppProject.
    #[serde(deserialize_with = "lenient")]
    pub project: String,
    /// Where to.
    #[serde(deserialize_with = "lenient")]
    pub destination: Destination,
    /// Where from.
    #[serde(deserialize_with = "lenient")]
    pub source: Source,
    /// Where from, if there are several.
    #[serde(deserialize_with = "lenient")]
    pub sources: Vec<Source>,
    /// When.
    #[serde(deserialize_with = "lenient")]
    pub sync_policy: SyncPolicy,
}

/// `spec.destination`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Destination {
    /// `https://kubernetes.default.svc` is the cluster that Argo CD runs on.
    #[serde(deserialize_with = "lenient")]
    pub server: String,
    /// In place of `server`; `in-cluster` is the cluster that Argo CD runs on.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// Where objects without a namespace go.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
}

/// `spec.source`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Git or a chart repository.
    #[serde(rename = "repoURL", deserialize_with = "lenient")]
    pub repo_url: String,
    /// A path in Git.
    #[serde(deserialize_with = "lenient")]
    pub path: String,
    /// A chart in a repository.
    #[serde(deserialize_with = "lenient")]
    pub chart: String,
    /// Branch, tag, commit or version.
    #[serde(deserialize_with = "lenient")]
    pub target_revision: String,
}

/// `spec.syncPolicy`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SyncPolicy {
    /// Absent: nothing is deployed by itself.
    #[serde(deserialize_with = "lenient")]
    pub automated: Option<Automated>,
    /// How often a failed sync is tried again.
    #[serde(deserialize_with = "lenient")]
    pub retry: Retry,
    /// `ServerSideApply=true`, `RespectIgnoreDifferences=true`.
    #[serde(deserialize_with = "lenient")]
    pub sync_options: Vec<String>,
}

impl SyncPolicy {
    /// Whether a new commit is deployed by itself.
    pub fn is_automated(&self) -> bool {
        self.automated.as_ref().is_some_and(|automated| automated.enabled != Some(false))
    }

    /// Whether a change on the cluster is undone.
    pub fn heals_itself(&self) -> bool {
        self.is_automated() && self.automated.as_ref().is_some_and(|automated| automated.self_heal)
    }
}

/// `spec.syncPolicy.automated`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Automated {
    /// `false` turns it off without removing it.
    #[serde(deserialize_with = "lenient")]
    pub enabled: Option<bool>,
    /// Undo changes on the cluster.
    #[serde(deserialize_with = "lenient")]
    pub self_heal: bool,
    /// Delete what Git no longer has.
    #[serde(deserialize_with = "lenient")]
    pub prune: bool,
}

/// `retry` of a policy or an operation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Retry {
    /// 5 for an automated sync without any policy.
    #[serde(deserialize_with = "lenient")]
    pub limit: i64,
    /// The next retry takes the newest commit.
    #[serde(deserialize_with = "lenient")]
    pub refresh: bool,
}

/// `status`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status {
    /// Git against cluster.
    #[serde(deserialize_with = "lenient")]
    pub sync: SyncStatus,
    /// Whether what is there works.
    #[serde(deserialize_with = "lenient")]
    pub health: Health,
    /// The present or the last operation.
    #[serde(deserialize_with = "lenient")]
    pub operation_state: Option<OperationState>,
    /// Only troubles, without a status: being there is being true.
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
    /// Object by object.
    #[serde(deserialize_with = "lenient")]
    pub resources: Vec<ResourceStatus>,
    /// Syncs that succeeded, oldest first.
    #[serde(deserialize_with = "lenient")]
    pub history: Vec<Deployed>,
    /// When Git and cluster were compared last.
    #[serde(deserialize_with = "lenient")]
    pub reconciled_at: Option<Timestamp>,
}

/// `status.health`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Health {
    /// `Healthy`, `Progressing`, `Degraded`, `Missing`, `Suspended`, `Unknown`.
    #[serde(deserialize_with = "lenient")]
    pub status: Option<String>,
    /// Since when.
    #[serde(deserialize_with = "lenient")]
    pub last_transition_time: Option<Timestamp>,
}

/// `status.sync`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SyncStatus {
    /// `Synced`, `OutOfSync`, `Unknown`.
    #[serde(deserialize_with = "lenient")]
    pub status: Option<String>,
    /// The wanted commit; the branch's name where Git could not be read or rendered.
    #[serde(deserialize_with = "lenient")]
    pub revision: String,
    /// The same for several sources.
    #[serde(deserialize_with = "lenient")]
    pub revisions: Vec<String>,
}

/// `status.operationState`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OperationState {
    /// `Running`, `Succeeded`, `Failed`, `Error`, `Terminating`.
    #[serde(deserialize_with = "lenient")]
    pub phase: Option<String>,
    /// A text. It may hold secrets.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
    /// What was asked for.
    #[serde(deserialize_with = "lenient")]
    pub operation: Operation,
    /// What came of it.
    #[serde(deserialize_with = "lenient")]
    pub sync_result: SyncResult,
    /// Tries after the first.
    #[serde(deserialize_with = "lenient")]
    pub retry_count: i64,
    /// Start.
    #[serde(deserialize_with = "lenient")]
    pub started_at: Option<Timestamp>,
    /// End of the last try.
    #[serde(deserialize_with = "lenient")]
    pub finished_at: Option<Timestamp>,
}

/// `operationState.operation`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Operation {
    /// The sync.
    #[serde(deserialize_with = "lenient")]
    pub sync: SyncOperation,
    /// Its retries.
    #[serde(deserialize_with = "lenient")]
    pub retry: Retry,
}

/// `operationState.operation.sync`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SyncOperation {
    /// The commit that is worked on.
    #[serde(deserialize_with = "lenient")]
    pub revision: String,
    /// The same for several sources.
    #[serde(deserialize_with = "lenient")]
    pub revisions: Vec<String>,
    /// How often the same commit was healed.
    #[serde(deserialize_with = "lenient")]
    pub auto_heal_attempts_count: i64,
}

/// `operationState.syncResult`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SyncResult {
    /// The commit that was applied.
    #[serde(deserialize_with = "lenient")]
    pub revision: String,
    /// The same for several sources.
    #[serde(deserialize_with = "lenient")]
    pub revisions: Vec<String>,
    /// Object by object.
    #[serde(deserialize_with = "lenient")]
    pub resources: Vec<ResourceResult>,
}

/// `operationState.syncResult.resources[]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceResult {
    /// `""` for core.
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    /// `v1`.
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    /// `Deployment`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// `Synced`, `SyncFailed`, `Pruned`, `PruneSkipped`; `Synced` also for a hook that failed.
    #[serde(deserialize_with = "lenient")]
    pub status: String,
    /// `PreSync` … on a hook, else empty.
    #[serde(deserialize_with = "lenient")]
    pub hook_type: String,
    /// `Running`, `Succeeded`, `Failed`, `Error`.
    #[serde(deserialize_with = "lenient")]
    pub hook_phase: String,
    /// A text. It may hold secrets.
    #[serde(deserialize_with = "lenient")]
    pub message: String,
}

impl ResourceResult {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        reference(&self.group, &self.version, &self.kind, &self.namespace, &self.name)
    }

    /// Whether this object or hook is why the operation failed.
    pub fn is_failed(&self) -> bool {
        self.status == "SyncFailed" || ["Failed", "Error"].contains(&self.hook_phase.as_str())
    }
}

/// `status.resources[]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceStatus {
    /// `""` for core.
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    /// `v1`.
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    /// `Deployment`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Its namespace.
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// `Synced`, `OutOfSync`, `Unknown`.
    #[serde(deserialize_with = "lenient")]
    pub status: String,
    /// Git does not have it any more.
    #[serde(deserialize_with = "lenient")]
    pub requires_pruning: bool,
    /// It is a hook.
    #[serde(deserialize_with = "lenient")]
    pub hook: bool,
}

impl ResourceStatus {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        reference(&self.group, &self.version, &self.kind, &self.namespace, &self.name)
    }
}

/// `status.history[]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Deployed {
    /// The commit.
    #[serde(deserialize_with = "lenient")]
    pub revision: String,
    /// The same for several sources.
    #[serde(deserialize_with = "lenient")]
    pub revisions: Vec<String>,
    /// When.
    #[serde(deserialize_with = "lenient")]
    pub deployed_at: Option<Timestamp>,
}

fn reference(group: &str, version: &str, kind: &str, namespace: &str, name: &str) -> ObjectRef {
    let version = if version.is_empty() { "v1" } else { version };
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    ObjectRef::new(api_version, kind, namespace, name)
}

impl Application {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object("argoproj.io/v1alpha1", "Application")
    }

    /// `status.sync.status`, `""` where there is none.
    pub fn sync(&self) -> &str {
        self.status.sync.status.as_deref().unwrap_or_default()
    }

    /// `status.health.status`, `""` where there is none.
    pub fn health(&self) -> &str {
        self.status.health.status.as_deref().unwrap_or_default()
    }

    /// `status.operationState.phase`, `""` where there is none.
    pub fn phase(&self) -> &str {
        self.status.operation_state.as_ref().and_then(|state| state.phase.as_deref()).unwrap_or_default()
    }

    /// Texts of the conditions of this type.
    pub fn conditions<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Condition> {
        self.status.conditions.iter().filter(move |condition| condition.kind == kind)
    }
}
