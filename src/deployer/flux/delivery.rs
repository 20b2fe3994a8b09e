//! A HelmRelease as a delivery.

use jiff::Timestamp;
use serde_json::Value;

use super::collect::World;
use super::helm_release::{HelmRelease, KubeConfig};
use super::state::State;
use super::{name, sign, source, statement, way_out};
use crate::deployer::{Delivery, Hints, Standing};
use crate::object::ObjectRef;
use crate::report::{Evidence, Gap};
use crate::source::ClusterWanted;

/// Secrets with a kubeconfig are called so by Cluster API and in Flux's documentation.
const KUBECONFIG_SUFFIX: &str = "-kubeconfig";

/// What one HelmRelease delivers.
pub fn delivery(helm_release: &HelmRelease, world: &World, now: Timestamp) -> Delivery {
    let state = State::of(helm_release);
    let signs = sign::signs(helm_release, world, now);
    let standing = match state.standing(helm_release) {
        Standing::Landed if !signs.is_empty() => Standing::LooksReady,
        standing => standing,
    };
    let is_remote = helm_release.spec.kube_config.is_some();
    Delivery {
        deployer: "flux",
        manager: "helm-controller",
        owner: Some(helm_release.as_object()),
        chain: chain(helm_release, world),
        cluster: Some(cluster_of(
            &helm_release.metadata.namespace,
            helm_release.spec.kube_config.as_ref(),
            world,
        )),
        state: Value::from(state.word()),
        standing,
        release: Some(name::release_of(helm_release)),
        wanted: source::wanted(helm_release, &world.sources),
        wanted_since: helm_release.metadata.last_written(&["helm-controller"]),
        statements: statement::statements(helm_release),
        signs,
        heals_itself: helm_release.spec.drift_detection.mode == "enabled" && !helm_release.spec.suspend,
        paused: helm_release.spec.suspend,
        evidence: evidence(helm_release, world),
        gaps: gaps(helm_release),
        objects: Vec::new(),
        first_aid: Vec::new(),
        ways_out: way_out::try_again(helm_release, state),
        hints: Hints {
            compare_live: true,
            follow_rollouts: state == State::Ready
                && helm_release.last_action().disable_wait
                && (is_remote || !world.has_workloads),
            ignores_release_text: false,
        },
    }
}

/// Kustomization (if one applied it), HelmRelease.
fn chain(helm_release: &HelmRelease, world: &World) -> Vec<ObjectRef> {
    let above = world.kustomization_of(helm_release).map(|above| above.as_object());
    above.into_iter().chain([helm_release.as_object()]).collect()
}

/// Where an owner in `namespace` goes, as its `spec.kubeConfig` says.
pub fn cluster_of(namespace: &str, kube_config: Option<&KubeConfig>, world: &World) -> ClusterWanted {
    let Some(KubeConfig { secret_ref, config_map_ref }) = kube_config else {
        return ClusterWanted { id: world.hub.clone(), is_hub: true, ..ClusterWanted::default() };
    };
    let named = secret_ref.as_ref().or(config_map_ref.as_ref());
    let name = named.map_or("", |named| named.name.as_str());
    ClusterWanted {
        id: name.strip_suffix(KUBECONFIG_SUFFIX).unwrap_or(name).to_owned(),
        display_name: None,
        rancher_id: None,
        kubeconfig_secret: secret_ref.as_ref().map(|secret| (namespace.to_owned(), secret.name.clone())),
        kubeconfig_key: secret_ref
            .as_ref()
            .map(|secret| secret.key.clone().unwrap_or_else(|| "value".to_owned())),
        argocd_secret: None,
        is_hub: false,
    }
}

/// What is known beyond the reason.
fn evidence(helm_release: &HelmRelease, world: &World) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    if let Some(stalled) = helm_release.condition("Stalled").filter(|stalled| stalled.is_true()) {
        evidence.push(Evidence {
            source: format!("{}, condition Stalled", helm_release.as_object()),
            says: format!("{}: {} (counted since the last reset)", stalled.reason, stalled.message),
        });
    }
    if let Some(above) = world.kustomization_of(helm_release)
        && let Some(trouble) = above.trouble()
    {
        evidence.push(Evidence {
            source: above.as_object().to_string(),
            says: format!("what is in Git may not have reached the HelmRelease: {trouble}"),
        });
    }
    evidence
}

fn gaps(helm_release: &HelmRelease) -> Vec<Gap> {
    let is_uninstalled = helm_release
        .condition("Remediated")
        .is_some_and(|remediated| remediated.is_true() && remediated.reason == "UninstallSucceeded");
    if !is_uninstalled {
        return Vec::new();
    }
    vec![Gap {
        missing: "the release's records".into(),
        why: "Flux uninstalled the failed release, its Secrets went with it; conditions and events remain"
            .into(),
        fill: Some(format!(
            "kubectl -n {} get events --field-selector involvedObject.name={}",
            super::super::quote::quote(&helm_release.metadata.namespace),
            super::super::quote::quote(&helm_release.metadata.name),
        )),
    }]
}
