//! The cluster, the Bundle or the GitRepo is paused: the agent returns at once and clears drift.

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::object::ObjectRef;
use crate::report::{Confidence, Evidence, Risk, WayOut};
use crate::shell;

/// Kind, resource, namespace and name of something that pauses.
type Pauser = (&'static str, &'static str, String, String);

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    if !seen.deployment.spec.paused {
        return None;
    }
    let by = paused_by(seen);
    let who = by
        .first()
        .map_or("somebody".to_owned(), |(kind, _, namespace, name)| format!("{kind} {namespace}/{name}"));
    let is_ready = State::of(seen.deployment) == State::Ready;
    let summary = if is_ready {
        format!("paused by {who}: it reads Ready, but drift is not looked at and no commit will land")
    } else {
        format!("paused by {who}: nothing is tried until it is resumed")
    };
    Some(Sign {
        class: Class("suspended"),
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary,
        evidence: says(seen, &by),
        ways_out: by.iter().filter_map(resume).collect(),
        gaps: Vec::new(),
    })
}

/// Whoever says `paused: true`, nearest to the user first.
fn paused_by(seen: Seen<'_>) -> Vec<Pauser> {
    let labels = &seen.deployment.metadata;
    let workspace = labels.label("fleet.cattle.io/bundle-namespace").to_owned();
    let key = |label: &str| (workspace.clone(), labels.label(label).to_owned());
    let mut by = Vec::new();
    if let Some(cluster) = seen.workspace.cluster_of(seen.deployment).filter(|it| it.spec.paused) {
        let ObjectRef { namespace, name, .. } =
            ObjectRef::new("", "", &cluster.metadata.namespace, &cluster.metadata.name);
        by.push(("Cluster", "clusters.fleet.cattle.io", namespace, name));
    }
    let (namespace, name) = key("fleet.cattle.io/repo-name");
    if seen.workspace.git_repos.get(&(namespace.clone(), name.clone())).is_some_and(|it| it.spec.paused) {
        by.push(("GitRepo", "gitrepos.fleet.cattle.io", namespace, name));
    }
    let (namespace, name) = key("fleet.cattle.io/fleet-helm-name");
    if seen.workspace.helm_ops.get(&(namespace.clone(), name.clone())).is_some_and(|it| it.spec.paused) {
        by.push(("HelmOp", "helmops.fleet.cattle.io", namespace, name));
    }
    if let Some(bundle) = seen.workspace.bundle_of(seen.deployment).filter(|it| it.spec.paused) {
        by.push((
            "Bundle",
            "bundles.fleet.cattle.io",
            bundle.metadata.namespace.clone(),
            bundle.metadata.name.clone(),
        ));
    }
    by
}

fn says(seen: Seen<'_>, by: &[Pauser]) -> Vec<Evidence> {
    let metadata = &seen.deployment.metadata;
    let own = evidence(
        format!("BundleDeployment {}/{}", metadata.namespace, metadata.name),
        "spec.paused is true; a paused bundle's drift detection is cleared".to_owned(),
    );
    let origins = by.iter().map(|(kind, _, namespace, name)| {
        evidence(format!("{kind} {namespace}/{name}"), "spec.paused is true".to_owned())
    });
    std::iter::once(own).chain(origins).collect()
}

fn resume((kind, resource, namespace, name): &Pauser) -> Option<WayOut> {
    let patch = r#"{"spec":{"paused":false}}"#;
    Some(WayOut {
        title: format!("resume {kind} {namespace}/{name}, after `audit` has shown what that will undo"),
        risk: Risk::Destructive,
        who: "who paused it".into(),
        commands: vec![shell::command([
            "kubectl", "-n", namespace, "patch", resource, name, "--type=merge", "-p", patch,
        ])?],
        then: "under self-healing hand-made changes are undone within seconds; without it they stay and the next \
               commit that touches those fields conflicts"
            .into(),
    })
}
