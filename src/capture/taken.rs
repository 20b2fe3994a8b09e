//! What was read, cluster by cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::report::Gap;
use crate::source::saved::Saved;
use crate::source::{Object, Resource, Source as _};

/// Everything that was read in one run.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// By name.
    pub clusters: BTreeMap<String, TakenCluster>,
    /// What could not be read.
    pub missed: Vec<Gap>,
}

/// What was read of one cluster.
#[derive(Clone, Debug, Default)]
pub struct TakenCluster {
    /// Ids and display names that it was asked for by.
    pub known_as: BTreeSet<String>,
    /// The kubeconfig context that reaches it.
    pub context: Option<String>,
    /// Whether it was known before anything was read.
    pub is_asked_first: bool,
    /// Whether what was not found is not there.
    pub is_complete: bool,
    /// Objects by resource, as kubectl prints it, then by namespace and name. A resource without objects
    /// was asked for, and there were none.
    pub resources: BTreeMap<String, BTreeMap<(String, String), TakenObject>>,
}

/// One object as it was read.
#[derive(Clone, Debug)]
pub struct TakenObject {
    /// Its JSON.
    pub json: Rc<str>,
    /// Where it came from.
    pub origin: Rc<str>,
    /// Not only its metadata.
    pub is_whole: bool,
}

impl Taken {
    /// All that was saved, also what no command reads.
    pub fn all_of(saved: &Saved) -> Self {
        let mut taken = Self { missed: saved.troubles(), ..Self::default() };
        for cluster in saved.clusters() {
            let new = TakenCluster { is_asked_first: true, ..TakenCluster::default() };
            taken.clusters.insert(cluster.name().to_owned(), new);
        }
        for (cluster, resource, object) in saved.everything() {
            match object {
                Ok(object) => {
                    taken.clusters.entry(cluster.to_owned()).or_default().note(&resource, &[object], true);
                }
                Err(miss) => taken.missed.push(Gap {
                    missing: format!("{resource} of {cluster}"),
                    why: miss.to_string(),
                    fill: None,
                }),
            }
        }
        taken
    }
}

impl TakenCluster {
    /// Notes objects of one resource. A whole object replaces its metadata, never the other way round.
    pub fn note(&mut self, resource: &Resource, objects: &[Object], is_whole: bool) {
        let noted = self.resources.entry(resource.to_string()).or_default();
        for object in objects {
            let Some(key) = key_of(&object.json) else { continue };
            if noted.get(&key).is_some_and(|known| known.is_whole && !is_whole) {
                continue;
            }
            let (json, origin) = (object.json.clone(), object.origin.clone());
            noted.insert(key, TakenObject { json, origin, is_whole });
        }
    }
}

/// Namespace and name.
fn key_of(json: &str) -> Option<(String, String)> {
    #[derive(serde::Deserialize)]
    struct Head {
        metadata: Metadata,
    }
    #[derive(serde::Deserialize)]
    struct Metadata {
        #[serde(default)]
        namespace: Option<String>,
        name: String,
    }
    let Head { metadata } = serde_json::from_str(json).ok()?;
    Some((metadata.namespace.unwrap_or_default(), metadata.name))
}
