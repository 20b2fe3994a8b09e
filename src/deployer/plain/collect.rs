//! Listing the releases of a cluster.

use std::collections::BTreeMap;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde::Deserialize;

use super::delivery;
use crate::deployer::{Delivery, Deployer};
use crate::helm::{Driver, ObjectMetadata, RevisionMeta};
use crate::source::{Query, Reader, Resource, resources};

/// Plain Helm.
pub struct Plain;

/// What `capture` and `rbac` need to know.
static READS: [Resource; 2] = [resources::SECRETS, resources::CONFIG_MAPS];

impl Deployer for Plain {
    fn name(&self) -> &'static str {
        "helm"
    }

    fn field_managers(&self) -> &'static [&'static str] {
        &["helm"]
    }

    fn reads(&self) -> &'static [Resource] {
        &READS
    }

    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>> {
        collect(hub, now).boxed_local()
    }
}

#[derive(Deserialize)]
struct Record {
    metadata: ObjectMetadata,
}

async fn collect(hub: &Reader, now: Timestamp) -> Vec<Delivery> {
    let mut releases: BTreeMap<(String, String), Vec<RevisionMeta>> = BTreeMap::new();
    for driver in [Driver::Secret, Driver::ConfigMap] {
        let query = match driver {
            Driver::Secret => Query::all(resources::SECRETS).selected("type=helm.sh/release.v1"),
            Driver::ConfigMap => Query::all(resources::CONFIG_MAPS),
        };
        let records: Vec<Record> = hub.select(query.labelled("owner=helm").metadata_only()).await;
        for meta in records.into_iter().filter_map(|it| RevisionMeta::from_metadata(it.metadata, driver)) {
            releases.entry((meta.namespace.clone(), meta.release.clone())).or_default().push(meta);
        }
    }
    let name = hub.cluster().name();
    releases.into_values().filter_map(|revisions| delivery::delivery(&revisions, name, now)).collect()
}
