//! One living cluster: questions of the program become GETs, answers become objects.

use std::cell::RefCell;
use std::rc::Rc;

use super::answer::{self, Answer as Sorted, Asked};
use super::deadline::Deadline;
use super::discovery::{self, ServedKinds};
use super::memory::Memory;
use super::server::Server;
use super::trouble::Trouble;
use super::{page, path};
use crate::report::Gap;
use crate::source::{Answer, Cluster, Detail, Miss, Object, Query, Resource, resources};

const JSON: &str = "application/json";
/// What makes an API server send no more than each object's metadata; JSON where it cannot.
const METADATA_LIST: &str =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

/// An API server answers a first page from memory and reads those after it from etcd, whole objects, where
/// one of release Secrets takes longer than all the rest (measured on 1.37: 25 ms for 500, 55 ms for 2,500,
/// 180 ms for the second 500). `helm list` asks for all at once.
const METADATA_PER_PAGE: usize = 5_000;

/// A cluster that is read over HTTPS.
pub(in crate::source) struct LiveCluster {
    pub(super) name: String,
    pub(super) origin: Rc<str>,
    /// The kubeconfig context, where kubectl has one for it.
    pub(super) context: Option<String>,
    pub(super) server: Rc<Server>,
    pub(super) prefix: String,
    /// What a listing falls back to where all namespaces are forbidden.
    pub(super) fallback_namespace: Option<String>,
    pub(super) deadline: Deadline,
    pub(super) memory: Box<Memory>,
    /// Listings that only one namespace was read of.
    pub(super) narrowed: Rc<RefCell<Vec<Gap>>>,
}

impl LiveCluster {
    /// GETs one path below the cluster's prefix within the limits, and sorts the answer.
    async fn ask(&self, accept: &str, asked: &Asked<'_>) -> Result<Sorted, Miss> {
        self.deadline.patience()?;
        self.server.open().await.map_err(|trouble| self.given_up(trouble))?;
        let (left, limit) = self.deadline.patience()?;
        let path = format!("{}{}", self.prefix, asked.path);
        match tokio::time::timeout(left, self.server.get(&path, accept)).await {
            Err(_) | Ok(Err(Trouble::Silence)) => Err(self.deadline.was_silent(&self.name, limit)),
            Ok(Err(Trouble::Cut(why))) => Err(Miss::Unreachable {
                cluster: self.name.clone(),
                why: format!("the connection broke: {why}"),
            }),
            Ok(Err(trouble)) => Err(self.given_up(trouble)),
            Ok(Ok(reply)) => {
                self.deadline.answered();
                let sorted = answer::sort(reply, asked);
                if let Sorted::Refused(miss @ (Miss::Unauthorized { .. } | Miss::Unreachable { .. })) =
                    &sorted
                {
                    self.deadline.give_up(miss);
                }
                Ok(sorted)
            }
        }
    }

    /// No way leads there; further questions get the same answer at once.
    fn given_up(&self, trouble: Trouble) -> Miss {
        let why = match trouble {
            Trouble::Connect(why) | Trouble::Setup(why) | Trouble::Cut(why) => why,
            Trouble::Silence => "it is silent".into(),
        };
        let miss = Miss::Unreachable { cluster: self.name.clone(), why };
        self.deadline.give_up(&miss);
        miss
    }

    fn asked<'a>(&'a self, verb: &'a str, resource: String, namespace: &'a str, path: &'a str) -> Asked<'a> {
        Asked { cluster: &self.name, verb, resource, namespace, path }
    }

    /// Whether an API server answers here at all; asked at most once.
    pub(super) async fn check(&self) -> Result<(), Miss> {
        let check = async {
            let asked = self.asked("get", "the server's version".into(), "", "/version");
            match self.ask(JSON, &asked).await? {
                Sorted::Json(text) if text.contains("gitVersion") => Ok(()),
                // An API server that hides its version from us is one all the same.
                Sorted::Refused(Miss::Forbidden { .. } | Miss::Unreadable { .. }) | Sorted::Expired => Ok(()),
                Sorted::Refused(miss) => Err(miss),
                Sorted::Json(_) | Sorted::NotFound | Sorted::NotFoundSaysSomebody => {
                    let why =
                        "no Kubernetes API server answers there (no /version): is the URL wrong?".into();
                    let miss = Miss::Unreachable { cluster: self.name.clone(), why };
                    self.deadline.give_up(&miss);
                    Err(miss)
                }
            }
        };
        self.memory.is_kubernetes.get_or_init(|| check).await.clone()
    }

    /// Whether Rancher knows a cluster under this prefix: `None` where it does not.
    pub(super) async fn is_there(&self) -> Option<Result<(), Miss>> {
        let asked = self.asked("get", "the server's version".into(), "", "/version");
        match self.ask(JSON, &asked).await {
            Ok(Sorted::Json(text)) if text.contains("gitVersion") => Some(Ok(())),
            Ok(Sorted::NotFound | Sorted::NotFoundSaysSomebody | Sorted::Json(_) | Sorted::Expired) => None,
            // Without this path an API server asks whether we may see it.
            Ok(Sorted::Refused(Miss::Forbidden { .. })) => None,
            Ok(Sorted::Refused(miss)) | Err(miss) => Some(Err(miss)),
        }
    }

    /// A listing, from memory where that is as good.
    async fn list_once(&self, query: &Query) -> Result<Vec<Object>, Miss> {
        if self.memory.is_unserved(&query.resource) {
            return Err(Miss::NotServed { resource: query.resource.to_string() });
        }
        let listed = match query.detail {
            Detail::Metadata => {
                let collection =
                    path::collection(&query.resource, query.namespace.as_deref().unwrap_or_default());
                let path = format!("{collection}{}", path::page(query, 0, None));
                self.memory.listing(path, || self.list_all(query)).await
            }
            Detail::Whole => self.list_all(query).await,
        };
        listed.inspect_err(|miss| self.memory.note(&query.resource, miss))
    }

    async fn list_all(&self, query: &Query) -> Result<Vec<Object>, Miss> {
        let wide = self.list_within(query, query.namespace.as_deref().unwrap_or_default()).await;
        match (&wide, &self.fallback_namespace) {
            (Err(miss @ Miss::Forbidden { .. }), Some(namespace))
                if query.namespace.is_none() && query.resource.namespaced =>
            {
                let objects = self.list_within(query, namespace).await?;
                let gap = Gap {
                    missing: format!(
                        "{} of cluster {} outside of namespace {namespace}",
                        query.resource, self.name
                    ),
                    why: miss.to_string(),
                    fill: None,
                };
                let mut narrowed = self.narrowed.borrow_mut();
                if !narrowed.contains(&gap) {
                    narrowed.push(gap);
                }
                Ok(objects)
            }
            _ => wide,
        }
    }

    /// Every page of one listing. A token that grew too old in between (410) means to start over, once.
    async fn list_within(&self, query: &Query, namespace: &str) -> Result<Vec<Object>, Miss> {
        let collection = path::collection(&query.resource, namespace);
        let (accept, limit) = match query.detail {
            Detail::Metadata => (METADATA_LIST, METADATA_PER_PAGE),
            Detail::Whole => (JSON, whole_objects_per_page(&query.resource)),
        };
        let mut objects = Vec::new();
        let mut token = None;
        let mut started_over = false;
        loop {
            let url = format!("{collection}{}", path::page(query, limit, token.as_deref()));
            let asked = self.asked("list", query.resource.to_string(), namespace, &url);
            match self.ask(accept, &asked).await? {
                Sorted::Json(text) => {
                    token = page::split(&text, &query.resource, query.detail, &self.origin, &mut objects)
                        .map_err(|error| self.unreadable(&collection, &error))?;
                    if token.is_none() {
                        return Ok(objects);
                    }
                }
                Sorted::Expired if !started_over => {
                    started_over = true;
                    token = None;
                    objects.clear();
                }
                Sorted::Expired => {
                    return Err(Miss::Unreadable {
                        what: format!("{collection} of cluster {}", self.name),
                        why: "the list changed faster than its pages could be read (410, twice)".into(),
                    });
                }
                Sorted::NotFoundSaysSomebody => {
                    self.check().await?;
                    return Err(Miss::NotServed { resource: query.resource.to_string() });
                }
                Sorted::NotFound => return Err(Miss::NotServed { resource: query.resource.to_string() }),
                Sorted::Refused(miss) => return Err(miss),
            }
        }
    }

    async fn get_one(
        &self,
        resource: &Resource,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, Miss> {
        let url = path::object(resource, namespace, name);
        let asked = self.asked("get", resource.to_string(), namespace, &url);
        match self.ask(JSON, &asked).await? {
            Sorted::Json(text) => {
                let json = page::complete(&text, resource, Detail::Whole)
                    .map_err(|error| self.unreadable(&url, &error))?;
                Ok(Some(Object { json, origin: self.origin.clone() }))
            }
            Sorted::NotFound => Ok(None),
            Sorted::NotFoundSaysSomebody => {
                self.check().await?;
                Err(Miss::NotServed { resource: resource.to_string() })
            }
            Sorted::Expired => Err(Miss::Unreadable { what: url, why: "410 Gone".into() }),
            Sorted::Refused(miss) => Err(miss),
        }
    }

    async fn find_resource(&self, api_version: &str, kind: &str) -> Result<Resource, Miss> {
        if let Some(known) = discovery::known(api_version, kind) {
            return Ok(known);
        }
        let cell = self.memory.served.borrow_mut().entry(api_version.to_owned()).or_default().clone();
        let served = cell.get_or_init(|| self.served_kinds(api_version)).await.clone()?;
        served.find(api_version, kind).ok_or_else(|| not_served(api_version, kind))
    }

    async fn served_kinds(&self, api_version: &str) -> Result<Rc<ServedKinds>, Miss> {
        let url = path::group_version(api_version);
        let asked = self.asked("get", api_version.to_owned(), "", &url);
        match self.ask(JSON, &asked).await? {
            Sorted::Json(text) => {
                let served = ServedKinds::parse(&text).map_err(|error| self.unreadable(&url, &error))?;
                Ok(Rc::new(served))
            }
            Sorted::NotFoundSaysSomebody => {
                self.check().await?;
                Err(Miss::NotServed { resource: api_version.into() })
            }
            Sorted::NotFound | Sorted::Expired => Err(Miss::NotServed { resource: api_version.into() }),
            Sorted::Refused(miss) => Err(miss),
        }
    }

    fn unreadable(&self, path: &str, error: &serde_json::Error) -> Miss {
        Miss::Unreadable { what: format!("{path} of cluster {}", self.name), why: error.to_string() }
    }
}

fn not_served(api_version: &str, kind: &str) -> Miss {
    Miss::NotServed { resource: format!("{kind} of {api_version}") }
}

/// Objects of these kinds can be a megabyte each; 500 of them would be held at once.
fn whole_objects_per_page(resource: &Resource) -> usize {
    let large = [resources::SECRETS, resources::CONFIG_MAPS, resources::FLEET_CONTENTS, resources::BUNDLES];
    if large.contains(resource) { 50 } else { 500 }
}

impl Cluster for LiveCluster {
    fn name(&self) -> &str {
        &self.name
    }

    fn list<'a>(&'a self, query: &'a Query) -> Answer<'a, Vec<Object>> {
        Box::pin(self.list_once(query))
    }

    fn get<'a>(
        &'a self,
        resource: &'a Resource,
        namespace: &'a str,
        name: &'a str,
    ) -> Answer<'a, Option<Object>> {
        Box::pin(self.get_one(resource, namespace, name))
    }

    fn resource_of<'a>(&'a self, api_version: &'a str, kind: &'a str) -> Answer<'a, Resource> {
        Box::pin(self.find_resource(api_version, kind))
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }
}
