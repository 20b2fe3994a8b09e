//! Where charts come from, and which object of that chain is the root of a trouble.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::helm_release::{HelmRelease, Reference};
use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, lenient};
use crate::source::Resource;

/// Every kind that a chart can come from, the newest version of its API first.
pub const RESOURCES: [Resource; 9] = [
    Resource::fixed(GROUP, "v1", "helmcharts", "HelmChart", true),
    Resource::fixed(GROUP, "v1beta2", "helmcharts", "HelmChart", true),
    Resource::fixed(GROUP, "v1", "helmrepositories", "HelmRepository", true),
    Resource::fixed(GROUP, "v1beta2", "helmrepositories", "HelmRepository", true),
    Resource::fixed(GROUP, "v1", "ocirepositories", "OCIRepository", true),
    Resource::fixed(GROUP, "v1beta2", "ocirepositories", "OCIRepository", true),
    Resource::fixed(GROUP, "v1", "gitrepositories", "GitRepository", true),
    Resource::fixed(GROUP, "v1beta2", "gitrepositories", "GitRepository", true),
    Resource::fixed(GROUP, "v1", "buckets", "Bucket", true),
];

const GROUP: &str = "source.toolkit.fluxcd.io";

/// HelmChart, HelmRepository, OCIRepository, GitRepository, Bucket.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceObject {
    /// As the object has it.
    #[serde(deserialize_with = "lenient")]
    pub api_version: String,
    /// Which of them it is.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Name and namespace.
    pub metadata: Metadata,
    /// What is wanted.
    #[serde(deserialize_with = "lenient")]
    pub spec: SourceSpec,
    /// What came of it.
    #[serde(deserialize_with = "lenient")]
    pub status: SourceStatus,
}

/// `spec` of any source.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceSpec {
    /// Where it is read from.
    #[serde(deserialize_with = "lenient")]
    pub url: String,
    /// HelmChart: the source behind it.
    #[serde(deserialize_with = "lenient")]
    pub source_ref: Reference,
    /// Told to do nothing.
    #[serde(deserialize_with = "lenient")]
    pub suspend: bool,
}

/// `status` of any source.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceStatus {
    /// `Ready`, `FetchFailed`, …
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
    /// What is stored.
    #[serde(deserialize_with = "lenient")]
    pub artifact: Artifact,
    /// HelmChart: `main@sha1:<40 digits>`.
    #[serde(deserialize_with = "lenient")]
    pub observed_source_artifact_revision: String,
}

/// `status.artifact`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Artifact {
    /// `1.0.0+247aa0aa18dc`, `main@sha1:…`, `1.0.0@sha256:…`.
    #[serde(deserialize_with = "lenient")]
    pub revision: String,
}

impl SourceObject {
    /// A reference to it.
    pub fn as_object(&self) -> ObjectRef {
        self.metadata.as_object(&self.api_version, &self.kind)
    }

    /// What it complains of, if it is not ready.
    pub fn complaint(&self) -> Option<&str> {
        condition(&self.status.conditions, "Ready")
            .filter(|ready| ready.is_false())
            .map(|ready| ready.message.as_str())
    }
}

/// All sources of a cluster.
#[derive(Debug, Default)]
pub struct Sources(BTreeMap<(String, String, String), SourceObject>);

/// One object on the way from a HelmRelease to where its chart comes from.
#[derive(Debug)]
pub struct Link<'a> {
    /// What is referred to.
    pub object: ObjectRef,
    /// The object, if it is there.
    pub found: Option<&'a SourceObject>,
}

impl FromIterator<SourceObject> for Sources {
    fn from_iter<I: IntoIterator<Item = SourceObject>>(objects: I) -> Self {
        Self(
            objects
                .into_iter()
                .map(|object| {
                    let key = (
                        object.kind.clone(),
                        object.metadata.namespace.clone(),
                        object.metadata.name.clone(),
                    );
                    (key, object)
                })
                .collect(),
        )
    }
}

impl Sources {
    /// From the HelmChart (or what `chartRef` names) to the last source behind it.
    pub fn chain<'a>(&'a self, helm_release: &HelmRelease) -> Vec<Link<'a>> {
        let Some((kind, namespace, name)) = first(helm_release) else { return Vec::new() };
        let mut links = vec![self.link(&kind, &namespace, &name)];
        let behind = match links.first().and_then(|link| link.found) {
            Some(chart) if chart.kind == "HelmChart" => Some((chart.spec.source_ref.clone(), namespace)),
            Some(_) => None,
            // The HelmChart is not there (yet, or not in this dump): its source is named by the HelmRelease.
            None => helm_release.spec.chart.as_ref().map(|chart| {
                let (namespace, _) = helm_release.resolve(&chart.spec.source_ref);
                (chart.spec.source_ref.clone(), namespace)
            }),
        };
        if let Some((source, namespace)) = behind {
            links.push(self.link(&source.kind, &namespace, &source.name));
        }
        links
    }

    /// The source of this kind, namespace and name.
    pub fn find(&self, object: &ObjectRef) -> Option<&SourceObject> {
        self.0.get(&(object.kind.clone(), object.namespace.clone(), object.name.clone()))
    }

    fn link(&self, kind: &str, namespace: &str, name: &str) -> Link<'_> {
        let found = self.0.get(&(kind.to_owned(), namespace.to_owned(), name.to_owned()));
        let object = found.map_or_else(
            || ObjectRef::new(format!("{GROUP}/v1"), kind, namespace, name),
            SourceObject::as_object,
        );
        Link { object, found }
    }
}

/// What the HelmRelease takes its chart from: kind, namespace, name.
fn first(helm_release: &HelmRelease) -> Option<(String, String, String)> {
    if let Some(reference) = &helm_release.spec.chart_ref {
        let (namespace, name) = helm_release.resolve(reference);
        return Some((reference.kind.clone(), namespace, name));
    }
    let chart = helm_release.spec.chart.as_ref()?;
    // The controller names it `HRNAMESPACE-HRNAME` and puts it beside the source.
    let (namespace, _) = helm_release.resolve(&chart.spec.source_ref);
    let computed = format!("{}-{}", helm_release.metadata.namespace, helm_release.metadata.name);
    let (namespace, name) = helm_release
        .status
        .helm_chart
        .split_once('/')
        .map_or((namespace, computed), |(namespace, name)| (namespace.to_owned(), name.to_owned()));
    Some(("HelmChart".to_owned(), namespace, name))
}

/// What is wanted, in Flux's terms: `chart shop 2.0.0`, `commit 247aa0a of main`.
pub fn wanted(helm_release: &HelmRelease, sources: &Sources) -> Option<String> {
    let chain = sources.chain(helm_release);
    let chart = chain.first().and_then(|link| link.found);
    let commit = chart
        .map(|chart| chart.status.observed_source_artifact_revision.as_str())
        .and_then(|revision| revision.split_once("@sha1:"));
    if let Some((reference, commit)) = commit {
        return Some(format!("commit {} of {reference}", commit.get(..7).unwrap_or(commit)));
    }
    if let Some(template) = &helm_release.spec.chart {
        let version = match template.spec.version.as_str() {
            "" | "*" => chart.map_or("", |chart| chart.status.artifact.revision.as_str()),
            version => version,
        };
        return Some(format!("chart {} {version}", template.spec.chart).trim_end().to_owned());
    }
    chart
        .map(|source| source.status.artifact.revision.as_str())
        .filter(|revision| !revision.is_empty())
        .map(|revision| format!("chart {revision}"))
}
