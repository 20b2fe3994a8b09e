//! HelmCharts that are gone while an object of theirs is not: after 5 minutes the uninstall gives up,
//! and events claim success.

use serde::Deserialize;
use serde_json::Value;

use super::helm_chart::{API_VERSION, HelmChart};
use crate::deployer::quote::quote;
use crate::deployer::{Delivery, Hints, Sign, Standing};
use crate::failure::Class;
use crate::object::ObjectRef;
use crate::record::{Metadata, lenient};
use crate::report::{Confidence, Evidence, Risk, WayOut};
use crate::rollout::Event;
use crate::source::{ClusterWanted, Query, Reader, Resource, resources};

/// Kinds that charts make and that finalizers hold.
const HELD: [Resource; 7] = [
    resources::CONFIG_MAPS,
    resources::SECRETS,
    resources::SERVICES,
    resources::PERSISTENT_VOLUME_CLAIMS,
    resources::DEPLOYMENTS,
    resources::STATEFUL_SETS,
    resources::JOBS,
];

#[derive(Deserialize)]
struct Held {
    #[serde(default, deserialize_with = "lenient")]
    metadata: Metadata,
}

/// HelmCharts whose uninstall is over by the events, and of which something is still being deleted.
pub async fn deliveries(reader: &Reader, charts: &[HelmChart]) -> Vec<Delivery> {
    let events: Vec<Event> =
        reader.select(Query::all(resources::EVENTS).selected("involvedObject.kind=HelmChart")).await;
    let mut gone: Vec<(String, String)> = events
        .into_iter()
        .filter(|event| event.involved_object.kind == "HelmChart" && event.reason == "RemoveJob")
        .map(|event| (event.involved_object.namespace, event.involved_object.name))
        .filter(|(namespace, name)| {
            !charts.iter().any(|chart| chart.metadata.namespace == *namespace && chart.metadata.name == *name)
        })
        .collect();
    gone.sort();
    gone.dedup();
    if gone.is_empty() {
        return Vec::new();
    }
    let mut held: Vec<(ObjectRef, Metadata)> = Vec::new();
    for resource in HELD {
        let found: Vec<Held> = reader.select(Query::all(resource.clone()).metadata_only()).await;
        held.extend(found.into_iter().filter(|object| object.metadata.deletion_timestamp.is_some()).map(
            |object| (object.metadata.as_object(&resource.api_version(), &resource.kind), object.metadata),
        ));
    }
    gone.into_iter()
        .filter_map(|(namespace, name)| {
            let (object, metadata) =
                held.iter().find(|(_, metadata)| metadata.annotation("meta.helm.sh/release-name") == name)?;
            Some(delivery(&namespace, &name, object, metadata, reader.cluster().name()))
        })
        .collect()
}

fn delivery(namespace: &str, name: &str, object: &ObjectRef, metadata: &Metadata, hub: &str) -> Delivery {
    let owner = ObjectRef::new(API_VERSION, "HelmChart", namespace, name);
    let finalizers = metadata.finalizers.join(", ");
    let since = metadata.deletion_timestamp.map_or(String::new(), |since| since.to_string());
    let sign = Sign {
        class: Class("wait.timeout"),
        confidence: Confidence::Likely,
        outranks_texts: false,
        summary: format!("the HelmChart is gone and {object} is still being deleted, held by {finalizers}"),
        evidence: vec![
            Evidence { source: format!("{object}, metadata.deletionTimestamp"), says: since },
            Evidence { source: format!("{object}, metadata.finalizers"), says: finalizers },
            Evidence { source: format!("events of {owner}"), says: "RemoveJob: uninstalled".into() },
        ],
        ways_out: vec![WayOut {
            title: "find who has to remove the finalizer; taking it away by hand skips that clean-up".into(),
            risk: Risk::Safe,
            who: "owner of the finalizer".into(),
            commands: vec![format!(
                "kubectl -n {} get {} {} -o jsonpath={{.metadata.finalizers}}",
                quote(&object.namespace),
                object.kind.to_lowercase(),
                quote(&object.name)
            )],
            then: "the object goes by itself once its finalizers are gone".into(),
        }],
        gaps: Vec::new(),
    };
    Delivery {
        deployer: "k3s",
        manager: "helm",
        owner: Some(owner.clone()),
        chain: vec![owner],
        cluster: Some(ClusterWanted { id: hub.to_owned(), is_hub: true, ..ClusterWanted::default() }),
        state: Value::Null,
        standing: Standing::Stuck,
        release: None,
        wanted: Some("its deletion".into()),
        wanted_since: None,
        statements: Vec::new(),
        signs: vec![sign],
        heals_itself: false,
        paused: false,
        evidence: Vec::new(),
        gaps: Vec::new(),
        objects: Vec::new(),
        first_aid: Vec::new(),
        ways_out: Vec::new(),
        hints: Hints::default(),
    }
}
