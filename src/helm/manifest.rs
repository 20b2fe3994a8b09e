//! The objects of a release: found by a line scan, parsed only when asked for.
//!
//! A manifest of 774 documents takes 50 to 110 ms in a YAML parser and 1.5 ms here (rust-guide 4).

use serde_json::Value;

use super::manifest_scan::{Scan, scan};
use super::{Hook, Release};
use crate::object::ObjectRef;
use crate::yaml::{self, YamlError};

/// The documents of a release's manifest and of its hooks, in Helm's order.
#[derive(Clone, Debug)]
pub struct Manifest<'a> {
    namespace: &'a str,
    documents: Vec<Document<'a>>,
    /// Places in `documents`, sorted by kind and name.
    sorted: Vec<usize>,
}

/// One object of a manifest.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// What it is. The namespace is as written, so mostly empty: Helm fills in the release's one.
    pub object: ObjectRef,
    /// Template that made it (Helm's comment `# Source: CHART/templates/FILE`), or the hook's path.
    pub source: Option<&'a str>,
    /// Whether a hook carries it. Hooks are not part of what an upgrade compares and applies.
    pub is_hook: bool,
    body: Body<'a>,
}

#[derive(Clone, Debug)]
enum Body<'a> {
    Text(&'a str),
    /// An item of a `List`.
    Item(Box<Value>),
}

/// An object as a release wants it, [`Manifest::find`] for a single question.
pub fn find(release: &Release, object: &ObjectRef) -> Option<Value> {
    Manifest::of(release).find(object)
}

/// The objects of a YAML stream.
pub fn documents(text: &str) -> Vec<Document<'_>> {
    yaml::documents(text).flat_map(|document| read(document.text)).collect()
}

impl<'a> Manifest<'a> {
    /// The objects of a release, its hooks' included.
    pub fn of(release: &'a Release) -> Self {
        let mut all = documents(&release.manifest);
        for Hook { manifest: text, path, .. } in &release.hooks {
            all.extend(documents(text).into_iter().map(|document| Document {
                source: document.source.or(Some(path.as_str()).filter(|path| !path.is_empty())),
                is_hook: true,
                ..document
            }));
        }
        Self::new(&release.namespace, all)
    }

    /// The objects of a YAML stream that Helm would install into this namespace.
    pub fn from_text(text: &'a str, namespace: &'a str) -> Self {
        Self::new(namespace, documents(text))
    }

    fn new(namespace: &'a str, documents: Vec<Document<'a>>) -> Self {
        let mut sorted: Vec<usize> = (0..documents.len()).collect();
        sorted.sort_by_key(|at| documents[*at].key());
        Self { namespace, documents, sorted }
    }

    /// All of them.
    pub fn documents(&self) -> &[Document<'a>] {
        &self.documents
    }

    /// The document of an object: same group, kind and name; a document without a namespace is in the
    /// release's one or cluster-scoped. An empty `api_version` matches every group, as some failure texts
    /// name none. Objects that are applied come before hooks.
    pub fn document(&self, object: &ObjectRef) -> Option<&Document<'a>> {
        let key = (object.kind.as_str(), object.name.as_str());
        let first = self.sorted.partition_point(|at| self.documents[*at].key() < key);
        let named = self.sorted[first..].iter().map(|at| &self.documents[*at]);
        let same = |document: &&Document<'a>| {
            (object.api_version.is_empty() || document.object.group() == object.group())
                && self.is_in(document, &object.namespace)
        };
        let matches = || named.clone().take_while(|document| document.key() == key).filter(same);
        matches().find(|document| document.object.namespace == object.namespace).or_else(|| matches().next())
    }

    /// The object as the release wants it.
    pub fn find(&self, object: &ObjectRef) -> Option<Value> {
        self.document(object)?.value().ok()
    }

    fn is_in(&self, document: &Document<'a>, namespace: &str) -> bool {
        let own = document.object.namespace.as_str();
        namespace.is_empty() || own == namespace || (own.is_empty() && self.namespace == namespace)
    }
}

impl<'a> Document<'a> {
    fn key(&self) -> (&str, &str) {
        (&self.object.kind, &self.object.name)
    }

    /// What it is, the namespace as written.
    pub fn reference(&self) -> ObjectRef {
        self.object.clone()
    }

    /// The object, parsed as Helm does.
    ///
    /// # Errors
    /// The document is not YAML. Helm refuses to store such a manifest.
    pub fn value(&self) -> Result<Value, YamlError> {
        match &self.body {
            Body::Text(text) => yaml::parse(text),
            Body::Item(item) => Ok((**item).clone()),
        }
    }

    /// The document as rendered; `None` for an item of a `List`.
    pub fn text(&self) -> Option<&'a str> {
        match self.body {
            Body::Text(text) => Some(text),
            Body::Item(_) => None,
        }
    }
}

fn read(text: &str) -> Vec<Document<'_>> {
    let (source, object) = match scan(text) {
        Scan { source, object: Some(object) } => (source, object),
        Scan { source, object: None } => return read_parsed(text, source),
    };
    vec![Document { object, source, is_hook: false, body: Body::Text(text) }]
}

/// The slow way, for lists, quotes, anchors and flow style.
fn read_parsed<'a>(text: &'a str, source: Option<&'a str>) -> Vec<Document<'a>> {
    let Ok(value) = yaml::parse(text) else {
        return Vec::new();
    };
    if is_list(&value) {
        return items(value)
            .map(|item| Document {
                object: object_of(&item),
                source,
                is_hook: false,
                body: Body::Item(Box::new(item)),
            })
            .collect();
    }
    if !value.is_object() {
        return Vec::new();
    }
    vec![Document { object: object_of(&value), source, is_hook: false, body: Body::Text(text) }]
}

/// Helm expands what Kubernetes calls a list: `kind: …List` with `items`.
fn is_list(value: &Value) -> bool {
    value["kind"].as_str().is_some_and(|kind| kind.ends_with("List")) && value["items"].is_array()
}

/// Items, lists in lists unfolded.
fn items(list: Value) -> Box<dyn Iterator<Item = Value>> {
    let Value::Object(mut list) = list else {
        return Box::new(std::iter::empty());
    };
    let Some(Value::Array(items)) = list.remove("items") else {
        return Box::new(std::iter::empty());
    };
    Box::new(items.into_iter().flat_map(|item| {
        if is_list(&item) {
            self::items(item)
        } else {
            Box::new(std::iter::once(item)) as Box<dyn Iterator<Item = _>>
        }
    }))
}

fn object_of(value: &Value) -> ObjectRef {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let metadata = &value["metadata"];
    ObjectRef::new(
        text(&value["apiVersion"]),
        text(&value["kind"]),
        text(&metadata["namespace"]),
        text(&metadata["name"]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"---
# Source: shop/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: shop-web
spec:
  ports: [{port: 80}]
---
# Source: shop/templates/deployment.yaml
kind: Deployment
apiVersion: apps/v1
metadata:
  labels:
    name: not-this
  name: "shop-web" # the one
  namespace: 'shop'
spec:
  replicas: 2
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "flow"}}
---
apiVersion: v1
kind: List
items:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: reader}
- apiVersion: v1
  kind: ConfigMapList
  items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: inner, namespace: other}
    data: {a: b}
---
apiVersion: extensions/v1beta1
kind: Deployment
metadata: &anchored
  name: old
"#;

    fn found(api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<Value> {
        Manifest::from_text(MANIFEST, "shop").find(&ObjectRef::new(api_version, kind, namespace, name))
    }

    #[test]
    fn objects_are_found_however_they_are_written() {
        for (api_version, kind, namespace, name) in [
            ("v1", "Service", "shop", "shop-web"),
            ("apps/v1", "Deployment", "shop", "shop-web"),
            ("apps/v1beta2", "Deployment", "shop", "shop-web"),
            ("", "Deployment", "shop", "shop-web"),
            ("v1", "ConfigMap", "shop", "flow"),
            ("rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader"),
            ("v1", "ConfigMap", "other", "inner"),
            ("extensions/v1", "Deployment", "shop", "old"),
        ] {
            assert!(
                found(api_version, kind, namespace, name).is_some(),
                "{api_version} {kind} {namespace}/{name}"
            );
        }
        assert_eq!(found("apps/v1", "Deployment", "shop", "shop-web").unwrap()["spec"]["replicas"], 2);
    }

    #[test]
    fn others_are_not() {
        for (api_version, kind, namespace, name) in [
            ("v1", "Service", "elsewhere", "shop-web"),
            ("apps/v1", "Deployment", "shop", "not-this"),
            ("apps/v1", "Deployment", "shop", "old"),
            ("v1", "ConfigMap", "shop", "inner"),
        ] {
            assert_eq!(
                found(api_version, kind, namespace, name),
                None,
                "{api_version} {kind} {namespace}/{name}"
            );
        }
    }

    #[test]
    fn sources_and_hooks_are_told_apart() {
        let hook = Hook {
            path: "shop/templates/migrate.yaml".into(),
            manifest: "apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate}\n".into(),
            ..Hook::default()
        };
        let release = Release {
            manifest: MANIFEST.into(),
            namespace: "shop".into(),
            hooks: vec![hook],
            ..Release::default()
        };
        let manifest = Manifest::of(&release);
        let sources: Vec<_> = manifest.documents().iter().map(|one| (one.source, one.is_hook)).collect();
        assert_eq!(sources[0], (Some("shop/templates/service.yaml"), false));
        assert_eq!(sources[2], (None, false));
        assert_eq!(sources.last(), Some(&(Some("shop/templates/migrate.yaml"), true)));
        assert!(manifest.find(&ObjectRef::new("batch/v1", "Job", "shop", "migrate")).is_some());
    }
}
