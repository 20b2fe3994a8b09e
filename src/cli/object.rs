//! One living object, found by what a person types, and the release that sets it.

use std::rc::Rc;
use std::str::FromStr;

use serde_json::Value;

use crate::deployer::{Delivery, ReleaseTarget};
use crate::evidence::{Releases, manifest_of};
use crate::fields::{ManagedFields, as_helm_applies};
use crate::helm::{History, Limit, Manifest};
use crate::object::ObjectRef;
use crate::source::{Cluster, Miss, Reader, Resource, resources};

/// Short names that kubectl has for kinds which people ask for.
const SHORT: [(&str, &str); 12] = [
    ("deploy", "Deployment"),
    ("sts", "StatefulSet"),
    ("ds", "DaemonSet"),
    ("rs", "ReplicaSet"),
    ("po", "Pod"),
    ("svc", "Service"),
    ("cm", "ConfigMap"),
    ("ns", "Namespace"),
    ("pvc", "PersistentVolumeClaim"),
    ("hpa", "HorizontalPodAutoscaler"),
    ("ing", "Ingress"),
    ("sa", "ServiceAccount"),
];

/// Built-in kinds beyond the table of resources that the program reads by itself.
const OTHERS: [(&str, &str); 12] = [
    ("v1", "ServiceAccount"),
    ("networking.k8s.io/v1", "Ingress"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("batch/v1", "CronJob"),
    ("policy/v1", "PodDisruptionBudget"),
    ("rbac.authorization.k8s.io/v1", "Role"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("storage.k8s.io/v1", "StorageClass"),
    ("v1", "LimitRange"),
];

/// A `TYPE/NAME` argument: `deployment/web`, `deploy/web`, `Widget.v1.example.com/blue`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    api_version: String,
    kind: String,
    name: String,
}

/// Why an argument names no object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not TYPE/NAME: for example deployment/web, svc/web, or for a custom resource KIND.VERSION.GROUP/NAME \
     (Widget.v1.example.com/blue)"
)]
pub struct ObjectNameError {
    text: String,
}

impl FromStr for ObjectName {
    type Err = ObjectNameError;

    fn from_str(text: &str) -> Result<Self, ObjectNameError> {
        let wrong = || ObjectNameError { text: text.to_owned() };
        let (kind, name) = text.split_once('/').filter(|(_, name)| !name.is_empty()).ok_or_else(wrong)?;
        let (api_version, kind) = known(kind).or_else(|| custom(kind)).ok_or_else(wrong)?;
        Ok(Self { api_version, kind, name: name.to_owned() })
    }
}

/// A kind that the program knows, by kind, plural, either with the group behind it, or short name.
fn known(typed: &str) -> Option<(String, String)> {
    let lower = typed.to_lowercase();
    let long = SHORT
        .iter()
        .find(|(short, _)| *short == lower)
        .map_or(lower.clone(), |(_, kind)| kind.to_lowercase());
    let is_it = |resource: &&Resource| {
        let kind = resource.kind.to_lowercase();
        kind == long
            || *resource.plural == long
            || resource.to_string() == lower
            || lower.split_once('.') == Some((kind.as_str(), &*resource.group))
    };
    resources::ALL
        .iter()
        .find(is_it)
        .map(|resource| (resource.api_version(), resource.kind.to_string()))
        .or_else(|| {
            let same = |kind: &str| {
                let kind = kind.to_lowercase();
                kind == long || long == plural(&kind)
            };
            OTHERS
                .iter()
                .find(|(_, kind)| same(kind))
                .map(|(version, kind)| ((*version).into(), (*kind).into()))
        })
}

/// As the API's own kinds form it.
fn plural(kind: &str) -> String {
    match kind.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if kind.ends_with('s') => format!("{kind}es"),
        None => format!("{kind}s"),
    }
}

/// `KIND.VERSION.GROUP`, as kubectl takes it.
fn custom(typed: &str) -> Option<(String, String)> {
    let (kind, rest) = typed.split_once('.')?;
    let (version, group) = rest.split_once('.')?;
    version.starts_with('v').then(|| (format!("{group}/{version}"), kind.to_owned()))
}

/// A living object with what its release sets.
pub struct Found {
    /// The cluster that it lives on.
    pub cluster: String,
    /// The object.
    pub live: Value,
    /// As the release applies it, where there is one.
    pub desired: Option<Value>,
    /// The field manager of that release's deployer.
    pub own: Option<&'static str>,
}

/// Managers that apply releases, the one that is the last word on an object first.
const APPLIERS: [&str; 4] = ["fleetagent", "helm-controller", "argocd-controller", "helm"];

impl Found {
    /// Looks for the object on one cluster.
    pub async fn on(
        cluster: &Rc<dyn Cluster>,
        name: &ObjectName,
        namespace: &str,
        limit: Limit,
    ) -> Result<Option<Self>, Miss> {
        let resource = cluster.resource_of(&name.api_version, &name.kind).await?;
        let namespace = if resource.namespaced { namespace } else { "" };
        let Some(object) = cluster.get(&resource, namespace, &name.name).await? else { return Ok(None) };
        let live: Value = object.parse()?;
        let desired = desired(cluster, &live, limit).await;
        let own = ManagedFields::of(&live).and_then(|managed| {
            APPLIERS.into_iter().find(|applier| managed.entries.iter().any(|entry| entry.manager == *applier))
        });
        Ok(Some(Self { cluster: cluster.name().to_owned(), live, desired, own }))
    }
}

/// What the release that Helm's annotations name sets on this object.
async fn desired(cluster: &Rc<dyn Cluster>, live: &Value, limit: Limit) -> Option<Value> {
    let annotation = |name: &str| live.pointer("/metadata/annotations")?.get(name)?.as_str();
    let target = ReleaseTarget {
        namespace: annotation("meta.helm.sh/release-namespace")?.to_owned(),
        name: annotation("meta.helm.sh/release-name")?.to_owned(),
        claimed_revision: None,
    };
    let reader = Reader::new(cluster.clone());
    let releases = Releases::list(&reader, std::slice::from_ref(&target.namespace), limit).await;
    let history: History = releases.history(&reader, &target, crate::evidence::Depth::Live).await?;
    let release = manifest_of(&Delivery::default(), &history)?;
    let reference = reference(live);
    let object = Manifest::of(release).find(&reference)?;
    Some(as_helm_applies(&object, &release.name, &release.namespace, !reference.namespace.is_empty()))
}

/// The reference of a whole object.
pub fn reference(object: &Value) -> ObjectRef {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    ObjectRef::new(text("/apiVersion"), text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_as_for_kubectl() {
        for (text, api_version, kind, name) in [
            ("deployment/web", "apps/v1", "Deployment", "web"),
            ("deploy/web", "apps/v1", "Deployment", "web"),
            ("deployments.apps/web", "apps/v1", "Deployment", "web"),
            ("deployment.apps/web", "apps/v1", "Deployment", "web"),
            ("deployment.batch/web", "", "", ""),
            ("cm/web", "v1", "ConfigMap", "web"),
            ("ClusterRole/kyverno:admin", "rbac.authorization.k8s.io/v1", "ClusterRole", "kyverno:admin"),
            ("ingresses/web", "networking.k8s.io/v1", "Ingress", "web"),
            ("networkpolicies/web", "networking.k8s.io/v1", "NetworkPolicy", "web"),
            ("Widget.v1.example.com/blue", "example.com/v1", "Widget", "blue"),
            ("web", "", "", ""),
            ("deployment/", "", "", ""),
        ] {
            let read = text.parse::<ObjectName>().ok();
            let expected =
                ObjectName { api_version: api_version.into(), kind: kind.into(), name: name.into() };
            assert_eq!(read, (!kind.is_empty()).then_some(expected), "{text}");
        }
    }
}
