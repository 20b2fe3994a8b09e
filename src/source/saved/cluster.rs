//! One cluster of the saved evidence.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::future::{FutureExt as _, ready};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::body::Files;
use super::kinds::{self, Entry, Objects};
use super::selector::Selector;
use crate::source::{Answer, Cluster, Detail, Miss, Object, Query, Resource};

/// API group and kind.
pub(super) type KindKey = (String, String);

/// A cluster, as far as files tell of it.
#[derive(Debug)]
pub(super) struct SavedCluster {
    pub name: String,
    pub files: Rc<Files>,
    pub kinds: BTreeMap<KindKey, Objects>,
    /// Kinds of which an empty list was saved.
    pub empty: BTreeSet<KindKey>,
    /// A capture that says that it holds all.
    pub is_complete: bool,
    /// Other names that a capture gives it.
    pub known_as: Vec<String>,
    /// Whether the search starts here, as in a dump it does everywhere.
    pub is_asked_first: bool,
    /// The context that a capture was taken with.
    pub context: Option<String>,
}

impl SavedCluster {
    pub fn new(name: String) -> Self {
        Self {
            name,
            files: Rc::default(),
            kinds: BTreeMap::new(),
            empty: BTreeSet::new(),
            is_complete: false,
            known_as: Vec::new(),
            is_asked_first: true,
            context: None,
        }
    }

    /// Every object, resource by resource.
    pub fn everything(&self) -> impl Iterator<Item = (Resource, Result<Object, Miss>)> {
        self.kinds.iter().flat_map(move |((_, kind), objects)| {
            let resource = objects.resource(kind);
            objects.entries.iter().map(move |entry| (resource.clone(), self.object(entry)))
        })
    }

    /// Whether this is one of its names.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.known_as.iter().any(|alias| alias == name)
    }

    fn objects(&self, resource: &Resource) -> Result<Option<&Objects>, Miss> {
        let key = (resource.group.to_string(), resource.kind.to_string());
        match self.kinds.get(&key) {
            Some(objects) => Ok(Some(objects)),
            None if self.empty.contains(&key) => Ok(None),
            None => Err(Miss::NotServed { resource: resource.to_string() }),
        }
    }

    fn object(&self, entry: &Entry) -> Result<Object, Miss> {
        Ok(Object { json: self.files.text(entry.file, &entry.body)?, origin: self.files.origin(entry.file) })
    }

    fn select(&self, query: &Query) -> Result<Vec<Object>, Miss> {
        let Some(objects) = self.objects(&query.resource)? else { return Ok(Vec::new()) };
        let labels = Selector::parse(&query.labels);
        let fields = Selector::parse(&query.fields);
        let mut selected = Vec::new();
        for entry in &objects.entries {
            if query.namespace.as_deref().is_some_and(|namespace| namespace != &*entry.namespace) {
                continue;
            }
            let mut object = self.object(entry)?;
            if !labels.selects_labels(&object.json) || !fields.selects_fields(&object.json) {
                continue;
            }
            if query.detail == Detail::Metadata {
                object.json = metadata_of(&object)?;
            }
            selected.push(object);
        }
        Ok(selected)
    }

    fn find(&self, resource: &Resource, namespace: &str, name: &str) -> Result<Option<Object>, Miss> {
        let Some(objects) = self.objects(resource)? else { return Ok(None) };
        objects.get(namespace, name).map(|entry| self.object(entry)).transpose()
    }
}

impl Cluster for SavedCluster {
    fn name(&self) -> &str {
        &self.name
    }

    fn list<'a>(&'a self, query: &'a Query) -> Answer<'a, Vec<Object>> {
        ready(self.select(query)).boxed_local()
    }

    fn get<'a>(
        &'a self,
        resource: &'a Resource,
        namespace: &'a str,
        name: &'a str,
    ) -> Answer<'a, Option<Object>> {
        ready(self.find(resource, namespace, name)).boxed_local()
    }

    fn resource_of<'a>(&'a self, api_version: &'a str, kind: &'a str) -> Answer<'a, Resource> {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        let held = self.kinds.get(&(group.to_owned(), kind.to_owned()));
        let resource = match held {
            Some(objects) => objects.resource(kind),
            None => kinds::resource(api_version, kind, true),
        };
        ready(Ok(resource)).boxed_local()
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn is_saved(&self) -> bool {
        true
    }

    fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }
}

/// What a metadata-only list returns of an object.
fn metadata_of(object: &Object) -> Result<Rc<str>, Miss> {
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Partial {
        api_version: Option<Box<RawValue>>,
        kind: Option<Box<RawValue>>,
        metadata: Option<Box<RawValue>>,
    }
    let partial: Partial = object.parse()?;
    let text = serde_json::to_string(&partial);
    text.map(Into::into)
        .map_err(|error| Miss::Unreadable { what: object.origin.to_string(), why: error.to_string() })
}
