//! A cluster in memory, filled from `fixtures/recorded.tar.gz`, and the truth beside it.

use std::collections::BTreeMap;
use std::io::Read;
use std::rc::Rc;
use std::sync::OnceLock;

use futures::FutureExt;
use jiff::Timestamp;
use serde_json::Value;

use super::{Delivery, Deployer, Sign};
use crate::report::WayOut;
use crate::source::{Answer, Cluster, Miss, Object, Query, Reader, Resource};

/// Path in the archive to its bytes.
type Archive = BTreeMap<String, Vec<u8>>;

fn archive() -> &'static Archive {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let packed = include_bytes!("../../fixtures/recorded.tar.gz");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut files = Archive::new();
        for entry in archive.entries().expect("the archive reads") {
            let mut entry = entry.expect("the archive reads");
            let path = entry.path().expect("a path").to_string_lossy().trim_start_matches("./").to_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("the archive reads");
            files.insert(path, bytes);
        }
        files
    })
}

/// The recorded cases whose names start so.
pub fn cases(prefix: &str) -> Vec<&'static str> {
    archive()
        .keys()
        .filter_map(|path| path.strip_suffix("/case.json"))
        .filter(|case| case.starts_with(prefix))
        .collect()
}

/// The true findings of a case.
pub fn findings(case: &str) -> Vec<Value> {
    let truth: Value =
        serde_json::from_slice(&archive()[&format!("{case}/case.json")]).expect("case.json parses");
    truth["findings"].as_array().cloned().unwrap_or_default()
}

/// Objects in memory.
pub struct InMemory {
    name: String,
    objects: Vec<Value>,
}

impl InMemory {
    /// A cluster of these objects.
    pub fn new(name: &str, objects: Vec<Value>) -> Self {
        Self { name: name.to_owned(), objects }
    }

    /// A recorded cluster.
    pub fn recorded(case: &str, cluster: &str) -> Self {
        let folder = format!("{case}/clusters/{cluster}/");
        let objects = archive()
            .range(folder.clone()..)
            .take_while(|(path, _)| path.starts_with(&folder))
            .filter(|(path, _)| path.ends_with(".json"))
            .flat_map(|(path, bytes)| {
                let list: Value =
                    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
                list["items"].as_array().cloned().unwrap_or_default()
            })
            .collect();
        Self::new(cluster, objects)
    }

    /// The names of a case's clusters.
    pub fn names(case: &str) -> Vec<String> {
        let folder = format!("{case}/clusters/");
        let mut names: Vec<String> = archive()
            .range(folder.clone()..)
            .take_while(|(path, _)| path.starts_with(&folder))
            .filter_map(|(path, _)| Some(path.strip_prefix(&folder)?.split_once('/')?.0.to_owned()))
            .collect();
        names.dedup();
        names
    }

    /// The newest time in any object: when it was recorded.
    pub fn now(&self) -> Timestamp {
        fn newest(value: &Value) -> Option<Timestamp> {
            match value {
                Value::String(text) if text.len() < 40 => text.parse().ok(),
                Value::Array(items) => items.iter().filter_map(newest).max(),
                Value::Object(fields) => fields.values().filter_map(newest).max(),
                _ => None,
            }
        }
        self.objects
            .iter()
            .filter_map(|object| {
                let mut object = object.clone();
                // What is written there is a wish, not a time that has passed.
                object["spec"].take();
                newest(&object)
            })
            .max()
            .expect("some object has a time")
    }

    fn matches(object: &Value, query: &Query) -> bool {
        let metadata = &object["metadata"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let selected = |selector: &str, look: &dyn Fn(&str) -> String| {
            selector.split(',').filter(|term| !term.is_empty()).all(|term| {
                let (key, value) = term.split_once('=').expect("KEY=VALUE");
                look(key) == value
            })
        };
        text(&object["kind"]) == query.resource.kind
            && group(object) == query.resource.group
            && query.namespace.as_ref().is_none_or(|namespace| text(&metadata["namespace"]) == *namespace)
            && selected(&query.labels, &|key| text(&metadata["labels"][key]))
            && selected(&query.fields, &|key| text(key.split('.').fold(object, |value, step| &value[step])))
    }

    fn served(&self, resource: &Resource) -> bool {
        self.objects
            .iter()
            .any(|object| object["kind"] == *resource.kind && object["apiVersion"] == *resource.api_version())
    }
}

fn group(object: &Value) -> String {
    let version = object["apiVersion"].as_str().unwrap_or_default();
    version.split_once('/').map_or("", |(group, _)| group).to_owned()
}

impl Cluster for InMemory {
    fn name(&self) -> &str {
        &self.name
    }

    fn list<'a>(&'a self, query: &'a Query) -> Answer<'a, Vec<Object>> {
        async move {
            if !self.served(&query.resource) {
                return Err(Miss::NotServed { resource: query.resource.to_string() });
            }
            let origin: Rc<str> = format!("clusters/{}/{}.json", self.name, query.resource).into();
            Ok(self
                .objects
                .iter()
                .filter(|object| Self::matches(object, query))
                .map(|object| Object { json: object.to_string().into(), origin: origin.clone() })
                .collect())
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
            let query =
                Query::all(resource.clone()).within(namespace).selected(format!("metadata.name={name}"));
            Ok(self.list(&query).await.unwrap_or_default().into_iter().next())
        }
        .boxed_local()
    }

    fn resource_of<'a>(&'a self, api_version: &'a str, kind: &'a str) -> Answer<'a, Resource> {
        async move {
            let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
            Ok(Resource {
                group: group.to_owned().into(),
                version: version.to_owned().into(),
                plural: format!("{}s", kind.to_lowercase()).into(),
                kind: kind.to_owned().into(),
                namespaced: true,
            })
        }
        .boxed_local()
    }

    fn is_complete(&self) -> bool {
        true
    }
}

/// Everything that a deployer delivers from the clusters of a recorded case.
pub fn deliveries(deployer: &dyn Deployer, case: &str) -> Vec<Delivery> {
    InMemory::names(case)
        .iter()
        .flat_map(|name| {
            let cluster = InMemory::recorded(case, name);
            let now = cluster.now();
            collect(deployer, cluster, now)
        })
        .collect()
}

/// Everything that a deployer delivers from one cluster.
pub fn collect(deployer: &dyn Deployer, cluster: InMemory, now: Timestamp) -> Vec<Delivery> {
    let reader = Reader::new(Rc::new(cluster));
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime")
        .block_on(deployer.collect(&reader, now))
}

/// The finding's delivery, by `KIND NAMESPACE/NAME`.
pub fn delivery_of<'a>(deliveries: &'a [Delivery], owner: &str) -> Option<&'a Delivery> {
    deliveries.iter().find(|delivery| delivery.owner.as_ref().is_some_and(|found| found.to_string() == owner))
}

/// Every command of a delivery.
pub fn commands(delivery: &Delivery) -> Vec<String> {
    let of_sign = |sign: &Sign| sign.ways_out.clone();
    let ways: Vec<WayOut> = delivery
        .signs
        .iter()
        .flat_map(of_sign)
        .chain(delivery.ways_out.clone())
        .chain(delivery.first_aid.clone())
        .collect();
    ways.into_iter().flat_map(|way| way.commands).collect()
}
