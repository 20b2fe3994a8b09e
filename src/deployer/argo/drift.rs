//! What the live objects of an Application tell, read only where its records leave it open.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::application::Application;
use crate::deployer::read;
use crate::object::ObjectRef;
use crate::record::{Metadata, Written, lenient};
use crate::rollout::Rollout;
use crate::source::{Query, Reader, resources};

/// The manager that Argo CD writes with.
pub const MANAGER: &str = "argocd-controller";

/// More objects of one Application are not looked at.
const MOST: usize = 20;

/// What was seen.
#[derive(Default)]
pub struct Seen {
    /// Objects that differ from Git, with those who wrote them after the last sync.
    pub drifted: Vec<(ObjectRef, Vec<Written>)>,
    /// Objects that a Helm release claims as well: object, `NAMESPACE/NAME` of the release.
    pub claimed: Vec<(ObjectRef, String)>,
    /// Workloads that do not run as applied.
    pub rollouts: Vec<Rollout>,
}

#[derive(Deserialize)]
struct Live {
    #[serde(default, deserialize_with = "lenient")]
    metadata: Metadata,
}

/// Looks at an Application's live objects.
pub async fn look(
    application: &Application,
    reader: &Reader,
    helm_namespaces: &[String],
    now: Timestamp,
) -> Seen {
    let mut seen = Seen::default();
    let mut objects: Vec<(ObjectRef, bool)> = application
        .status
        .resources
        .iter()
        .filter(|resource| !resource.hook && !resource.requires_pruning)
        .map(|resource| (resource.as_object(), resource.status == "OutOfSync"))
        .filter(|(object, is_out)| *is_out || helm_namespaces.contains(&object.namespace))
        .collect();
    // Workloads are what people change; a list of hundreds is not read for the sake of one sign.
    objects.sort_by_key(|(object, is_out)| (!is_out, object.group() != "apps"));
    for (object, is_out) in objects.into_iter().take(MOST) {
        let Some(live) = read::live(reader, &object).await else { continue };
        if let Some(release) = claimed_by(&live, application) {
            seen.claimed.push((object.clone(), release));
        }
        if is_out {
            seen.drifted.push((object, writers_since_sync(&live, application)));
        }
    }
    if ["Degraded", "Progressing"].contains(&application.health()) {
        seen.rollouts = rollouts(application, reader, now).await;
    }
    seen
}

/// Namespaces that hold releases of Helm, metadata only.
pub async fn helm_namespaces(reader: &Reader) -> Vec<String> {
    let query = Query::all(resources::SECRETS)
        .labelled("owner=helm")
        .selected("type=helm.sh/release.v1")
        .metadata_only();
    let secrets: Vec<Live> = reader.select(query).await;
    let mut namespaces: Vec<String> = secrets.into_iter().map(|secret| secret.metadata.namespace).collect();
    namespaces.sort();
    namespaces.dedup();
    namespaces
}

/// The release whose annotations stand beside Argo CD's own mark.
fn claimed_by(live: &Value, application: &Application) -> Option<String> {
    let annotations = live.get("metadata")?.get("annotations")?;
    let text = |key: &str| annotations.get(key).and_then(Value::as_str);
    let mark = text("argocd.argoproj.io/tracking-id")?;
    let is_ours = mark.split(':').next().is_some_and(|name| {
        name == application.metadata.name
            || name == format!("{}_{}", application.metadata.namespace, application.metadata.name)
    });
    is_ours.then_some(())?;
    let release = text("meta.helm.sh/release-name")?;
    Some(format!("{}/{release}", text("meta.helm.sh/release-namespace").unwrap_or_default()))
}

/// Everybody but Argo CD who wrote the object itself and not before the last sync ended. The scale
/// subresource keeps no time.
fn writers_since_sync(live: &Value, application: &Application) -> Vec<Written> {
    let synced = application.status.operation_state.as_ref().and_then(|state| state.finished_at);
    let live: Live = serde_json::from_value(live.clone()).unwrap_or(Live { metadata: Metadata::default() });
    live.metadata
        .managed_fields
        .into_iter()
        .filter(|entry| entry.manager != MANAGER && entry.subresource != "status")
        .filter(|entry| entry.time.is_none_or(|time| synced.is_none_or(|synced| time >= synced)))
        .collect()
}

async fn rollouts(application: &Application, reader: &Reader, now: Timestamp) -> Vec<Rollout> {
    let objects: Vec<ObjectRef> =
        application.status.resources.iter().map(|resource| resource.as_object()).collect();
    let mut namespaces: Vec<&str> = objects
        .iter()
        .filter(|object| ["Deployment", "StatefulSet", "DaemonSet"].contains(&object.kind.as_str()))
        .map(|object| object.namespace.as_str())
        .collect();
    namespaces.sort_unstable();
    namespaces.dedup();
    let mut rollouts = Vec::new();
    for namespace in namespaces {
        let is_ours = |workload: &crate::rollout::Workload| {
            objects.iter().any(|object| object.is_same_object(&workload.as_object()))
        };
        rollouts.extend(read::rollouts(reader, namespace, is_ours, now).await);
    }
    rollouts
}
