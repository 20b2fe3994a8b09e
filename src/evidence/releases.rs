//! The Helm releases of one cluster: first as metadata, then the payloads that matter.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::deployer::ReleaseTarget;
use crate::helm::{Decoder, Driver, History, Limit, ObjectMetadata, Payload, Revision, RevisionMeta, Status};
use crate::source::{Object, Query, Reader, Resource, resources};

/// Selects release Secrets; the field selector is indexed by the API server, the label alone is not.
const SECRET_TYPE: &str = "type=helm.sh/release.v1";
const OWNED: &str = "owner=helm";

/// Metadata of every release record that the question can need, and a decoder for payloads.
pub struct Releases {
    records: BTreeMap<(String, String), Vec<RevisionMeta>>,
    decoder: RefCell<Decoder>,
}

/// A release record of which only the metadata is read.
#[derive(Deserialize)]
struct Record {
    metadata: ObjectMetadata,
}

impl Releases {
    /// Lists the records of some namespaces (all, if none is given) as metadata only.
    pub async fn list(reader: &Reader, namespaces: &[String], limit: Limit) -> Self {
        let mut records: BTreeMap<(String, String), Vec<RevisionMeta>> = BTreeMap::new();
        let everywhere = [String::new()];
        let namespaces = if namespaces.is_empty() { &everywhere } else { namespaces };
        for namespace in namespaces {
            for meta in list_one(reader, namespace).await {
                records.entry((meta.namespace.clone(), meta.release.clone())).or_default().push(meta);
            }
        }
        Self { records, decoder: RefCell::new(Decoder::new(limit)) }
    }

    /// Every release that was seen, by (storage namespace, name).
    pub fn keys(&self) -> impl Iterator<Item = &(String, String)> {
        self.records.keys()
    }

    /// Whether the labels alone leave room for a failure: the newest record is no good one, or follows on
    /// one that is not, so that it may be a rollback.
    pub fn may_have_failed(&self, namespace: &str, name: &str) -> bool {
        let Some(records) = self.records.get(&(namespace.to_owned(), name.to_owned())) else { return false };
        let mut statuses: Vec<(u32, &Status)> =
            records.iter().map(|meta| (meta.revision, &meta.status)).collect();
        statuses.sort_unstable();
        let is_bad = |status: &Status| *status == Status::Failed || status.unfinished();
        statuses.iter().rev().take(2).any(|(_, status)| is_bad(status))
            || statuses.last().is_some_and(|(_, status)| **status == Status::Superseded)
    }

    /// The history of a release with the payloads that tell why it stands as it does, or with all.
    pub async fn history(&self, reader: &Reader, target: &ReleaseTarget, depth: Depth) -> Option<History> {
        let records = self.records.get(&(target.namespace.clone(), target.name.clone()))?;
        let mut revisions: Vec<Revision> = records.iter().cloned().map(Revision::without_payload).collect();
        revisions.sort_by_key(Revision::number);
        for at in depth.first_look(&revisions, target.claimed_revision) {
            self.fetch(reader, &mut revisions[at]).await;
        }
        if let Some(at) = depth.second_look(&revisions) {
            self.fetch(reader, &mut revisions[at]).await;
        }
        History::group(revisions).into_iter().next()
    }

    async fn fetch(&self, reader: &Reader, revision: &mut Revision) {
        if revision.payload.is_some() {
            return;
        }
        let meta = &revision.meta;
        let resource = resource_of(meta.driver);
        match reader.cluster().get(&resource, &meta.namespace, &meta.object_name).await {
            Ok(Some(object)) => revision.payload = self.decode(&object, meta.driver),
            Ok(None) => {}
            Err(miss) => reader.missed(miss),
        }
    }

    /// `None` where the object holds no payload at all (a dump without Secret data).
    fn decode(
        &self,
        object: &Object,
        driver: Driver,
    ) -> Option<Result<crate::helm::Release, crate::helm::DecodeError>> {
        let value: Value = serde_json::from_str(&object.json).ok()?;
        let text = value.pointer("/data/release").and_then(Value::as_str).filter(|text| !text.is_empty())?;
        let payload = match driver {
            Driver::Secret => Payload::from_secret_data(text),
            Driver::ConfigMap => Payload::from_config_map_data(text),
        };
        Some(self.decoder.borrow_mut().release(&payload))
    }
}

/// How many payloads of a release are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Failed and pending ones, and whatever is needed to see behind a rollback.
    Cause,
    /// Those, the deployed one and the one that the deployer claims, whose manifests are held against the
    /// cluster.
    Live,
    /// All.
    All,
}

impl Depth {
    /// Indices of the revisions that are fetched at once: the newest, all that say they failed, and all
    /// that came after the deployed one, since `superseded` can hide a failure (failure-guide 2).
    fn first_look(self, revisions: &[Revision], claimed: Option<u32>) -> Vec<usize> {
        let newest = revisions.len().saturating_sub(1);
        let deployed = revisions.iter().rposition(|it| *it.status() == Status::Deployed);
        let is_needed = |at: usize, revision: &Revision| {
            let is_odd = *revision.status() == Status::Failed || revision.status().unfinished();
            match self {
                Self::All => true,
                _ if at == newest || is_odd => true,
                _ if deployed.is_none_or(|deployed| at > deployed) => true,
                Self::Live => Some(at) == deployed || Some(revision.number()) == claimed,
                Self::Cause => false,
            }
        };
        revisions.iter().enumerate().filter(|(at, it)| is_needed(*at, it)).map(|(at, _)| at).collect()
    }

    /// The revision before a rollback: it holds the cause.
    fn second_look(self, revisions: &[Revision]) -> Option<usize> {
        let is_rollback = revisions.last()?.release().is_some_and(|it| it.info.rolled_back_to().is_some());
        is_rollback.then_some(revisions.len().checked_sub(2)?)
    }
}

async fn list_one(reader: &Reader, namespace: &str) -> Vec<RevisionMeta> {
    let secrets = Query::all(resources::SECRETS)
        .within(namespace)
        .labelled(OWNED)
        .selected(SECRET_TYPE)
        .metadata_only();
    let found = records(reader, secrets, Driver::Secret).await;
    if !found.is_empty() {
        return found;
    }
    // `helm` with HELM_DRIVER=configmap: the Secret driver would show nothing and exit 0.
    let config_maps = Query::all(resources::CONFIG_MAPS).within(namespace).labelled(OWNED).metadata_only();
    records(reader, config_maps, Driver::ConfigMap).await
}

async fn records(reader: &Reader, query: Query, driver: Driver) -> Vec<RevisionMeta> {
    let found: Vec<Record> = reader.select(query).await;
    found.into_iter().filter_map(|record| RevisionMeta::from_metadata(record.metadata, driver)).collect()
}

fn resource_of(driver: Driver) -> Resource {
    match driver {
        Driver::Secret => resources::SECRETS,
        Driver::ConfigMap => resources::CONFIG_MAPS,
    }
}
