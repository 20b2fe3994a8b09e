//! Reading Argo CD's records from the cluster that it runs on.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;

use super::application::Application;
use super::delivery;
use super::drift::{self, Seen};
use super::project::Project;
use crate::deployer::{Delivery, Deployer};
use crate::record::{Metadata, lenient};
use crate::report::Evidence;
use crate::source::{ClusterWanted, Query, Reader, Resource, resources};

/// Argo CD.
pub struct Argo;

/// The server that means the cluster that Argo CD runs on, and its name.
const IN_CLUSTER: [&str; 2] = ["https://kubernetes.default.svc", "in-cluster"];

/// Everything of Argo CD that one cluster holds.
pub struct World {
    hub: String,
    applications: Vec<Application>,
    projects: Vec<Project>,
    /// Server to what its Secret tells.
    clusters: BTreeMap<String, Destination>,
}

/// A destination cluster.
struct Destination {
    name: String,
    /// Namespace and name of its Secret.
    secret: (String, String),
}

/// A cluster Secret. Only name and server are read; the credentials beside them are not.
#[derive(Deserialize)]
struct ClusterSecret {
    metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    data: NameAndServer,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NameAndServer {
    #[serde(deserialize_with = "lenient")]
    name: String,
    #[serde(deserialize_with = "lenient")]
    server: String,
}

impl World {
    /// The AppProject of an Application.
    pub fn project_of(&self, application: &Application) -> Option<&Project> {
        self.projects.iter().find(|project| project.metadata.name == application.spec.project)
    }

    /// What other Applications are warned of that concerns this one.
    pub fn warnings_about(&self, application: &Application) -> Vec<Evidence> {
        let name = &application.metadata.name;
        let qualified = format!("{}/{name}", application.metadata.namespace);
        self.applications
            .iter()
            .filter(|other| other.metadata.uid != application.metadata.uid)
            .flat_map(|other| {
                other.conditions("SharedResourceWarning").map(move |condition| (other, condition))
            })
            .filter(|(_, condition)| {
                // `Deployment/n is part of applications argocd/a and b`
                let named = condition.message.rsplit_once(" applications ").map_or("", |(_, names)| names);
                named.split(" and ").any(|part| part == name || part == qualified)
            })
            .map(|(other, condition)| Evidence {
                source: format!("{}, condition SharedResourceWarning", other.as_object()),
                says: condition.message.clone(),
            })
            .collect()
    }

    /// Where an Application goes.
    pub fn cluster_of(&self, application: &Application) -> ClusterWanted {
        let destination = &application.spec.destination;
        let wanted = [&destination.server, &destination.name];
        if wanted.iter().any(|word| IN_CLUSTER.contains(&word.as_str())) {
            return ClusterWanted { id: self.hub.clone(), is_hub: true, ..ClusterWanted::default() };
        }
        let known = self
            .clusters
            .get(&destination.server)
            .or_else(|| self.clusters.values().find(|known| known.name == destination.name));
        let id = known
            .map(|known| &known.name)
            .or(Some(&destination.name))
            .filter(|name| !name.is_empty())
            .unwrap_or(&destination.server);
        ClusterWanted {
            id: id.clone(),
            argocd_secret: known.map(|known| known.secret.clone()),
            ..ClusterWanted::default()
        }
    }
}

/// What `capture` and `rbac` need to know.
static READS: [Resource; 9] = [
    resources::APPLICATIONS,
    resources::APP_PROJECTS,
    resources::SECRETS,
    resources::DEPLOYMENTS,
    resources::STATEFUL_SETS,
    resources::DAEMON_SETS,
    resources::REPLICA_SETS,
    resources::PODS,
    resources::EVENTS,
];

impl Deployer for Argo {
    fn name(&self) -> &'static str {
        "argo"
    }

    fn field_managers(&self) -> &'static [&'static str] {
        &[drift::MANAGER]
    }

    fn reads(&self) -> &'static [Resource] {
        &READS
    }

    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>> {
        collect(hub, now).boxed_local()
    }
}

async fn collect(hub: &Reader, now: Timestamp) -> Vec<Delivery> {
    let applications: Vec<Application> = hub.all("").await;
    if applications.is_empty() {
        return Vec::new();
    }
    let world = World {
        hub: hub.cluster().name().to_owned(),
        applications,
        projects: hub.all("").await,
        clusters: clusters(hub).await,
    };
    let helm_namespaces = drift::helm_namespaces(hub).await;
    let mut deliveries = Vec::new();
    let now = hub.now(now);
    for application in &world.applications {
        let seen = if world.cluster_of(application).is_hub {
            drift::look(application, hub, &helm_namespaces, now).await
        } else {
            Seen::default()
        };
        deliveries.push(delivery::delivery(application, &world, seen, now));
    }
    deliveries
}

async fn clusters(hub: &Reader) -> BTreeMap<String, Destination> {
    let query = Query::all(resources::SECRETS).labelled("argocd.argoproj.io/secret-type=cluster");
    let decoded = |text: &str| STANDARD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    hub.select::<ClusterSecret>(query)
        .await
        .into_iter()
        .filter_map(|ClusterSecret { metadata, data }| {
            let destination =
                Destination { name: decoded(&data.name)?, secret: (metadata.namespace, metadata.name) };
            Some((decoded(&data.server)?, destination))
        })
        .collect()
}
