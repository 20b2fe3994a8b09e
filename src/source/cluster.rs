//! One trait over living clusters and saved files.

use std::fmt;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

use super::Resource;
use super::access::AccessStep;

/// An answer that may take a while, or the reason why there is none.
pub type Answer<'a, T> = LocalBoxFuture<'a, Result<T, Miss>>;

/// Something that objects of one cluster can be read from. Only GET and LIST exist.
pub trait Cluster {
    /// The cluster's name as the user knows it: a context, a folder, Fleet's cluster id.
    fn name(&self) -> &str;

    /// All objects that match, in the order in which the source holds them.
    fn list<'a>(&'a self, query: &'a Query) -> Answer<'a, Vec<Object>>;

    /// One object, `None` where the source is sure that there is none.
    fn get<'a>(
        &'a self,
        resource: &'a Resource,
        namespace: &'a str,
        name: &'a str,
    ) -> Answer<'a, Option<Object>>;

    /// The resource that serves objects of this apiVersion and kind (discovery, or what the files hold).
    fn resource_of<'a>(&'a self, api_version: &'a str, kind: &'a str) -> Answer<'a, Resource>;

    /// Whether "nothing found" proves absence. A saved dump may simply not hold a kind.
    fn is_complete(&self) -> bool;

    /// Whether this was read at some time in the past: ages count from then. A capture of a living cluster
    /// is saved and complete.
    fn is_saved(&self) -> bool {
        !self.is_complete()
    }

    /// The kubeconfig context that kubectl reaches it with, where the user has one.
    fn context(&self) -> Option<&str> {
        None
    }
}

/// The clusters that one run can read.
pub trait Source {
    /// Clusters that are known before anything is read: the current context, the saved folders.
    fn clusters(&self) -> Vec<Rc<dyn Cluster>>;

    /// The cluster that a record on `hub` describes, or why it cannot be reached.
    fn downstream<'a>(
        &'a self,
        hub: &'a Rc<dyn Cluster>,
        wanted: &'a ClusterWanted,
    ) -> Answer<'a, Rc<dyn Cluster>>;

    /// Troubles met before any question was asked: a file that cannot be read, half an archive. A living
    /// source adds listings that it had to narrow to one namespace, so ask again after the run.
    fn troubles(&self) -> Vec<crate::report::Gap>;

    /// Which way was taken to each downstream cluster so far, and why others were not; for `-v`.
    fn access_log(&self) -> Vec<AccessStep> {
        Vec::new()
    }
}

/// A downstream cluster, as its record on the hub describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClusterWanted {
    /// Fleet's cluster id (`c-kqgtk`), Argo CD's cluster name.
    pub id: String,
    /// `management.cattle.io/cluster-display-name`, where there is one.
    pub display_name: Option<String>,
    /// Rancher's id of it (`c-m-x7k2p`), where the deployer's is another: Fleet names a provisioned cluster
    /// as its owner does, and keeps Rancher's id in the label `management.cattle.io/cluster-name`.
    pub rancher_id: Option<String>,
    /// Secret (namespace, name) that holds a kubeconfig.
    pub kubeconfig_secret: Option<(String, String)>,
    /// Key inside that Secret; Fleet's is `value`.
    pub kubeconfig_key: Option<String>,
    /// Argo CD's cluster Secret (namespace, name): its credentials are used only where a flag says so.
    pub argocd_secret: Option<(String, String)>,
    /// The hub is its own downstream (`fleet-local/local`, `https://kubernetes.default.svc`).
    pub is_hub: bool,
}

/// What to list.
#[derive(Clone, Debug)]
pub struct Query {
    /// The kind.
    pub resource: Resource,
    /// One namespace, or all.
    pub namespace: Option<String>,
    /// Equality label selector, `owner=helm,name=shop`.
    pub labels: String,
    /// Field selector; `type=…` (Secrets), `metadata.name=…` and `involvedObject.…=…` (Events) must work.
    pub fields: String,
    /// How much of each object is needed.
    pub detail: Detail,
}

impl Query {
    /// Whole objects of one kind in all namespaces.
    pub fn all(resource: Resource) -> Self {
        Self {
            resource,
            namespace: None,
            labels: String::new(),
            fields: String::new(),
            detail: Detail::Whole,
        }
    }

    /// The same in one namespace; `""` means all.
    pub fn within(mut self, namespace: impl Into<String>) -> Self {
        let namespace = namespace.into();
        self.namespace = (!namespace.is_empty()).then_some(namespace);
        self
    }

    /// The same, only those with these labels.
    pub fn labelled(mut self, labels: impl Into<String>) -> Self {
        self.labels = labels.into();
        self
    }

    /// The same, only those that match this field selector.
    pub fn selected(mut self, fields: impl Into<String>) -> Self {
        self.fields = fields.into();
        self
    }

    /// The same, as metadata only (`PartialObjectMetadata`).
    pub fn metadata_only(mut self) -> Self {
        self.detail = Detail::Metadata;
        self
    }
}

/// How much of each object a listing returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// `apiVersion`, `kind` and `metadata`.
    Metadata,
    /// Everything.
    Whole,
}

/// One Kubernetes object as JSON text, and where it came from.
#[derive(Clone, Debug)]
pub struct Object {
    /// The object, JSON.
    pub json: Rc<str>,
    /// What to call its place in a report: `clusters/c-prod/secrets.json`, `context prod-eu`.
    pub origin: Rc<str>,
}

impl Object {
    /// The typed record that this object is.
    ///
    /// # Errors
    /// The JSON does not have the record's shape.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Miss> {
        serde_json::from_str(&self.json)
            .map_err(|error| Miss::Unreadable { what: self.origin.to_string(), why: error.to_string() })
    }
}

/// Why something could not be had. Each becomes a gap of the report; none ends it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Miss {
    /// The API server (or the dump) has no such kind.
    NotServed {
        /// The resource, as kubectl prints it.
        resource: String,
    },
    /// 403.
    Forbidden {
        /// `list` or `get`.
        verb: String,
        /// `secrets`, `gitrepos.fleet.cattle.io`.
        resource: String,
        /// The namespace, `""` for all.
        namespace: String,
    },
    /// 401: token or certificate expired or wrong.
    Unauthorized {
        /// The cluster.
        cluster: String,
    },
    /// No way to the cluster, or none that worked.
    Unreachable {
        /// The cluster.
        cluster: String,
        /// Each way that was tried and why it failed.
        why: String,
    },
    /// The time limit for this cluster or for the whole run ran out.
    TimedOut {
        /// The cluster.
        cluster: String,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// Something was there and could not be understood.
    Unreadable {
        /// File, archive member or URL path.
        what: String,
        /// The parser's or server's words.
        why: String,
    },
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotServed { resource } => write!(f, "{resource} are not served here"),
            Self::Forbidden { verb, resource, namespace } if namespace.is_empty() => {
                write!(f, "not allowed to {verb} {resource} in all namespaces")
            }
            Self::Forbidden { verb, resource, namespace } => {
                write!(f, "not allowed to {verb} {resource} in namespace {namespace}")
            }
            Self::Unauthorized { cluster } => {
                write!(f, "cluster {cluster} does not accept the credentials (expired?)")
            }
            Self::Unreachable { cluster, why } => write!(f, "cluster {cluster} cannot be reached: {why}"),
            Self::TimedOut { cluster, seconds } => {
                write!(f, "cluster {cluster} did not answer within {seconds} s")
            }
            Self::Unreadable { what, why } => write!(f, "{what} cannot be read: {why}"),
        }
    }
}
