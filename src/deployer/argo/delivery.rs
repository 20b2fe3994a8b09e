//! An Application as a delivery.

use jiff::Timestamp;
use serde_json::json;

use super::application::Application;
use super::collect::World;
use super::drift::{MANAGER, Seen};
use super::{sign, statement, sync, way_out};
use crate::deployer::{Delivery, Hints, Standing};
use crate::object::ObjectRef;
use crate::report::{Evidence, Gap};

/// What one Application delivers.
pub fn delivery(application: &Application, world: &World, seen: Seen, now: Timestamp) -> Delivery {
    let cluster = world.cluster_of(application);
    let signs = sign::signs(application, world, seen, now);
    let standing = match (application.sync(), application.health(), application.phase()) {
        ("Synced", "Healthy" | "Suspended", "Succeeded" | "") if signs.is_empty() => Standing::Landed,
        ("Synced", "Healthy" | "Suspended", "Succeeded" | "") => Standing::LooksReady,
        _ => Standing::Stuck,
    };
    let is_failed = ["Failed", "Error"].contains(&application.phase());
    let policy = &application.spec.sync_policy;
    Delivery {
        deployer: "argo",
        manager: MANAGER,
        owner: Some(application.as_object()),
        chain: chain(application),
        gaps: gaps(&cluster),
        cluster: Some(cluster),
        state: json!({
            "sync": application.status.sync.status,
            "health": application.status.health.status,
            "phase": application.status.operation_state.as_ref().and_then(|state| state.phase.as_deref()),
        }),
        standing,
        release: None,
        wanted: sync::wanted_in_words(application),
        wanted_since: None,
        statements: statement::statements(application),
        signs,
        heals_itself: policy.heals_itself(),
        paused: !policy.is_automated(),
        evidence: evidence(application),
        objects: differing(application),
        first_aid: Vec::new(),
        ways_out: if is_failed { way_out::try_again(application) } else { Vec::new() },
        hints: Hints::default(),
    }
}

/// Objects that Argo CD itself finds to differ from Git.
fn differing(application: &Application) -> Vec<ObjectRef> {
    let resources = application.status.resources.iter();
    resources
        .filter(|resource| resource.status == "OutOfSync" && !resource.requires_pruning && !resource.hook)
        .map(super::application::ResourceStatus::as_object)
        .collect()
}

/// ApplicationSet or Application above it, then itself.
fn chain(application: &Application) -> Vec<ObjectRef> {
    let metadata = &application.metadata;
    let above = metadata
        .owner_references
        .iter()
        .find(|owner| owner.kind == "ApplicationSet")
        .map(|owner| ObjectRef::new(&owner.api_version, &owner.kind, &metadata.namespace, &owner.name))
        .or_else(|| parent(application));
    above.into_iter().chain([application.as_object()]).collect()
}

/// The Application that renders this one (app of apps), by its mark or by the older label.
fn parent(application: &Application) -> Option<ObjectRef> {
    let metadata = &application.metadata;
    let mark = metadata.annotation("argocd.argoproj.io/tracking-id");
    let marked =
        mark.split_once(':').filter(|(_, rest)| rest.contains("/Application:")).map(|(name, _)| name);
    let label = metadata.label("app.kubernetes.io/instance");
    let name = marked.or(Some(label).filter(|name| !name.is_empty()))?;
    // `NAMESPACE_NAME` for an Application outside Argo CD's own namespace.
    let (namespace, name) = name.split_once('_').unwrap_or((&metadata.namespace, name));
    let is_itself = name == metadata.name && namespace == metadata.namespace;
    (!is_itself).then(|| ObjectRef::new("argoproj.io/v1alpha1", "Application", namespace, name))
}

/// What is known beyond the reason.
fn evidence(application: &Application) -> Vec<Evidence> {
    let name = application.as_object();
    let mut evidence = Vec::new();
    let landed = sync::landed(application);
    if !landed.is_empty() {
        evidence.push(Evidence {
            source: format!("{name}, status.history[-1]"),
            says: format!("last sync that succeeded: {}", landed.join(", ")),
        });
    }
    if let Some(state) = &application.status.operation_state
        && ["Failed", "Error"].contains(&application.phase())
    {
        let applied: Vec<String> = state
            .sync_result
            .resources
            .iter()
            .filter(|result| result.hook_type.is_empty() && result.status == "Synced" && !result.is_failed())
            .map(|result| result.as_object().to_string())
            .collect();
        if !applied.is_empty() {
            evidence.push(Evidence {
                source: format!("{name}, status.operationState.syncResult"),
                says: format!("applied all the same, by this or an earlier try: {}", applied.join(", ")),
            });
        }
    }
    evidence
}

fn gaps(cluster: &crate::source::ClusterWanted) -> Vec<Gap> {
    if cluster.is_hub {
        return Vec::new();
    }
    vec![Gap {
        missing: format!("the objects on {}", cluster.id),
        why: "Argo CD's own credentials for that cluster are used only with --use-argocd-credentials".into(),
        fill: None,
    }]
}
