//! References to Kubernetes objects.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which object is meant: what `kubectl get KIND NAME -n NAMESPACE` needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectRef {
    /// `apps/v1`; `v1` for the core group.
    pub api_version: String,
    /// `Deployment`.
    pub kind: String,
    /// `""` for a cluster-scoped object.
    #[serde(default)]
    pub namespace: String,
    /// The object's name.
    pub name: String,
}

impl ObjectRef {
    /// A reference from its four parts.
    pub fn new(
        api_version: impl Into<String>,
        kind: impl Into<String>,
        namespace: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        Self {
            api_version: api_version.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// The API group: `apps` of `apps/v1`, `""` for core.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// What makes it the object that it is: kind, group, namespace and name. A version is only how one asks for it.
    pub fn identity(&self) -> (&str, &str, &str, &str) {
        (&self.kind, self.group(), &self.namespace, &self.name)
    }

    /// Whether both name the same object, whatever version they were asked in.
    pub fn is_same_object(&self, other: &Self) -> bool {
        self.name == other.name && self.identity() == other.identity()
    }

    /// `NAMESPACE/NAME`, or the bare name of a cluster-scoped object.
    pub fn path(&self) -> String {
        if self.namespace.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.namespace, self.name)
        }
    }
}

/// `Deployment shop/shop-podinfo`.
impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.path())
    }
}
