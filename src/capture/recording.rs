//! A source that notes what is read from it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt as _;
use serde_json::{Value, json};

use super::taken::{Taken, TakenCluster};
use crate::report::Gap;
use crate::source::{Answer, Cluster, ClusterWanted, Detail, Object, Query, Resource, Source};

/// Passes everything through and remembers it.
pub struct Recording {
    inner: Box<dyn Source>,
    log: Rc<Log>,
}

#[derive(Default)]
struct Log {
    clusters: RefCell<BTreeMap<String, TakenCluster>>,
    /// The clusters behind those that were handed out: `downstream` has to be asked with the real hub.
    real: RefCell<BTreeMap<String, Rc<dyn Cluster>>>,
}

impl Recording {
    /// A recording of everything that is read through it.
    pub fn of(inner: Box<dyn Source>) -> Self {
        Self { inner, log: Rc::default() }
    }

    /// What was read so far.
    pub fn taken(&self) -> Taken {
        Taken { clusters: self.log.clusters.borrow().clone(), missed: self.inner.troubles() }
    }
}

impl Source for Recording {
    fn clusters(&self) -> Vec<Rc<dyn Cluster>> {
        let clusters = self.inner.clusters().into_iter().map(|cluster| self.log.wrap(cluster, true));
        clusters.collect()
    }

    fn downstream<'a>(
        &'a self,
        hub: &'a Rc<dyn Cluster>,
        wanted: &'a ClusterWanted,
    ) -> Answer<'a, Rc<dyn Cluster>> {
        let real = self.log.real.borrow().get(hub.name()).cloned();
        async move {
            let hub = real.as_ref().unwrap_or(hub);
            let cluster = self.log.wrap(self.inner.downstream(hub, wanted).await?, false);
            if let Some(taken) = self.log.clusters.borrow_mut().get_mut(cluster.name()) {
                let names = [Some(&wanted.id), wanted.display_name.as_ref()];
                taken.known_as.extend(names.into_iter().flatten().filter(|name| !name.is_empty()).cloned());
            }
            Ok(cluster)
        }
        .boxed_local()
    }

    fn troubles(&self) -> Vec<Gap> {
        self.inner.troubles()
    }
}

impl Log {
    fn wrap(self: &Rc<Self>, inner: Rc<dyn Cluster>, is_asked_first: bool) -> Rc<dyn Cluster> {
        let name = inner.name().to_owned();
        self.clusters.borrow_mut().entry(name.clone()).or_insert_with(|| TakenCluster {
            context: inner.context().map(str::to_owned),
            is_complete: inner.is_complete(),
            is_asked_first,
            ..TakenCluster::default()
        });
        self.real.borrow_mut().insert(name, inner.clone());
        Rc::new(RecordedCluster { inner, log: self.clone() })
    }

    fn note(&self, cluster: &str, resource: &Resource, objects: &[Object], is_whole: bool) {
        if let Some(taken) = self.clusters.borrow_mut().get_mut(cluster) {
            taken.note(resource, objects, is_whole);
        }
    }
}

struct RecordedCluster {
    inner: Rc<dyn Cluster>,
    log: Rc<Log>,
}

impl Cluster for RecordedCluster {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn list<'a>(&'a self, query: &'a Query) -> Answer<'a, Vec<Object>> {
        async move {
            let objects = self.inner.list(query).await?;
            if query.detail == Detail::Whole {
                self.log.note(self.name(), &query.resource, &objects, true);
            } else {
                // What was selected by a field has that field, though its metadata alone came.
                let selected: Vec<Object> =
                    objects.iter().map(|object| with_fields(object, &query.fields)).collect();
                self.log.note(self.name(), &query.resource, &selected, false);
            }
            Ok(objects)
        }
        .boxed_local()
    }

    fn get<'a>(
        &'a self,
        resource: &'a Resource,
        namespace: &'a str,
        name: &'a str,
    ) -> Answer<'a, Option<Object>> {
        async move {
            let object = self.inner.get(resource, namespace, name).await?;
            self.log.note(self.name(), resource, object.as_slice(), true);
            Ok(object)
        }
        .boxed_local()
    }

    fn resource_of<'a>(&'a self, api_version: &'a str, kind: &'a str) -> Answer<'a, Resource> {
        self.inner.resource_of(api_version, kind)
    }

    fn is_complete(&self) -> bool {
        self.inner.is_complete()
    }

    fn is_saved(&self) -> bool {
        self.inner.is_saved()
    }

    fn context(&self) -> Option<&str> {
        self.inner.context()
    }
}

/// The object with `type`, which a Secret's metadata leaves out and a list of releases selects by.
fn with_fields(object: &Object, fields: &str) -> Object {
    let kind = fields.split(',').find_map(|field| field.trim().strip_prefix("type="));
    let Some(kind) = kind else { return object.clone() };
    let Ok(mut value) = serde_json::from_str::<Value>(&object.json) else { return object.clone() };
    if let Some(map) = value.as_object_mut() {
        map.insert("type".into(), json!(kind.trim_start_matches('=')));
    }
    Object { json: value.to_string().into(), origin: object.origin.clone() }
}
