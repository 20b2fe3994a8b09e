//! What makes Flux go on: `flux` (2.x) commands, and the same with kubectl alone.

use super::helm_release::HelmRelease;
use super::state::State;
use crate::deployer::quote::quote;
use crate::object::ObjectRef;
use crate::report::{Risk, WayOut};

/// `flux reconcile source KIND`.
const SOURCE_COMMANDS: [(&str, &str, &str); 5] = [
    ("HelmChart", "chart", "helmcharts.source.toolkit.fluxcd.io"),
    ("HelmRepository", "helm", "helmrepositories.source.toolkit.fluxcd.io"),
    ("OCIRepository", "oci", "ocirepositories.source.toolkit.fluxcd.io"),
    ("GitRepository", "git", "gitrepositories.source.toolkit.fluxcd.io"),
    ("Bucket", "bucket", "buckets.source.toolkit.fluxcd.io"),
];

/// What has to be done after the cause is gone, whatever it was. Stalled means that nothing is tried any
/// more; else the controller comes back by itself.
pub fn try_again(helm_release: &HelmRelease, state: State) -> Vec<WayOut> {
    let (namespace, name) = names(helm_release);
    match state {
        State::Stalled => vec![WayOut {
            title: "after the cause is gone, make Flux try once more (its retries are spent: a fix alone \
                    does not land)"
                .into(),
            risk: Risk::Safe,
            who: "on call".into(),
            commands: vec![
                format!("flux reconcile helmrelease {name} --namespace {namespace} --force"),
                annotate(
                    &helm_release.as_object(),
                    "helmreleases.helm.toolkit.fluxcd.io",
                    "reconcile.fluxcd.io/forceAt",
                ),
            ],
            then:
                "one more install or upgrade; a new chart version does the same, changed values alone or a \
                   plain reconcile do not. --reset in place of --force clears the failure counters as well"
                    .into(),
        }],
        State::Retrying | State::NotReady => vec![WayOut {
            title: "after the cause is gone, wait for Flux's next try or ask for it".into(),
            risk: Risk::Safe,
            who: "on call".into(),
            commands: vec![
                format!("flux reconcile helmrelease {name} --namespace {namespace} --with-source"),
                annotate(&helm_release.as_object(), "helmreleases.helm.toolkit.fluxcd.io", ""),
            ],
            then: "the controller comes back by itself with a growing back-off".into(),
        }],
        State::Suspended => resume(helm_release),
        State::Ready => Vec::new(),
    }
}

/// Resume, after a look at what that undoes.
pub fn resume(helm_release: &HelmRelease) -> Vec<WayOut> {
    let (namespace, name) = names(helm_release);
    vec![WayOut {
        title: "resume it, after a look at what that will undo".into(),
        risk: Risk::Restarts,
        who: "whoever suspended it".into(),
        commands: vec![
            format!("flux resume helmrelease {name} --namespace {namespace}"),
            format!(
                "kubectl -n {namespace} patch helmreleases.helm.toolkit.fluxcd.io {name} --type=merge -p \
                 '{{\"spec\":{{\"suspend\":false}}}}'"
            ),
        ],
        then: "Flux tries what is wanted now, at once and by force: hand-made changes to the release's \
               fields are overwritten"
            .into(),
    }]
}

/// Let Flux write its values again.
pub fn undo_drift(helm_release: &HelmRelease) -> Vec<WayOut> {
    let (namespace, name) = names(helm_release);
    vec![WayOut {
        title: "put the change into Git, or let Flux undo it".into(),
        risk: Risk::Restarts,
        who: "owner of the chart".into(),
        commands: vec![
            format!("flux reconcile helmrelease {name} --namespace {namespace} --force"),
            format!(
                "kubectl -n {namespace} patch helmreleases.helm.toolkit.fluxcd.io {name} --type=merge -p \
                 '{{\"spec\":{{\"driftDetection\":{{\"mode\":\"enabled\"}}}}}}'"
            ),
        ],
        then: "an upgrade applies by force and sets the fields back; with mode enabled Flux corrects by \
               itself from then on, and a source of truth in Git must carry the mode too"
            .into(),
    }]
}

/// Ask the source to be read again.
pub fn fetch_again(source: &ObjectRef) -> Vec<WayOut> {
    let Some((_, word, resource)) = SOURCE_COMMANDS.iter().find(|(kind, _, _)| *kind == source.kind) else {
        return Vec::new();
    };
    let (namespace, name) = (quote(&source.namespace), quote(&source.name));
    vec![WayOut {
        title: format!("set {source} right (Git, registry or credentials: nothing is wrong on the cluster)"),
        risk: Risk::Safe,
        who: "owner of the chart".into(),
        commands: vec![
            format!("flux reconcile source {word} {name} --namespace {namespace}"),
            annotate(source, resource, ""),
        ],
        then: "the HelmRelease follows by itself once its source is ready".into(),
    }]
}

/// kubectl's name for Kustomizations of Flux: kustomize itself has a kind of that name.
const KUSTOMIZATIONS: &str = "kustomizations.kustomize.toolkit.fluxcd.io";

/// Ask for a Kustomization's next try.
pub fn reconcile_kustomization(object: &ObjectRef) -> Vec<WayOut> {
    let (namespace, name) = (quote(&object.namespace), quote(&object.name));
    vec![WayOut {
        title: "after the cause is gone, wait for kustomize-controller's next try or ask for it".into(),
        risk: Risk::Safe,
        who: "on call".into(),
        commands: vec![
            format!("flux reconcile kustomization {name} --namespace {namespace} --with-source"),
            annotate(object, KUSTOMIZATIONS, ""),
        ],
        then: "it comes back by itself every spec.retryInterval (spec.interval where there is none), and at once \
               with a new commit"
            .into(),
    }]
}

/// Resume a Kustomization.
pub fn resume_kustomization(object: &ObjectRef) -> Vec<WayOut> {
    let (namespace, name) = (quote(&object.namespace), quote(&object.name));
    vec![WayOut {
        title: "resume it, after a look at what that will undo".into(),
        risk: Risk::Restarts,
        who: "whoever suspended it".into(),
        commands: vec![
            format!("flux resume kustomization {name} --namespace {namespace}"),
            format!(
                "kubectl -n {namespace} patch {KUSTOMIZATIONS} {name} --type=merge -p '{{\"spec\":{{\"suspend\":false}}}}'"
            ),
        ],
        then: "Git is applied at once by server-side apply with force: hand-made changes to its fields are \
               overwritten"
            .into(),
    }]
}

/// Look at a controller of Flux.
pub fn look_at_controller(controller: &str) -> Vec<WayOut> {
    vec![WayOut {
        title: format!("look at {controller}; leave the release alone"),
        risk: Risk::Safe,
        who: "cluster admin".into(),
        commands: vec![
            "flux check".into(),
            format!("kubectl -n flux-system get deployment {controller}"),
            format!("kubectl -n flux-system logs deployment/{controller} --tail=200"),
        ],
        then: "once it runs it takes up what is wanted by itself".into(),
    }]
}

fn names(helm_release: &HelmRelease) -> (String, String) {
    let metadata = &helm_release.metadata;
    (quote(&metadata.namespace).into_owned(), quote(&metadata.name).into_owned())
}

/// A reconcile request by annotation; a second key must carry the same value to count.
fn annotate(object: &ObjectRef, resource: &str, second: &str) -> String {
    let (namespace, name) = (quote(&object.namespace), quote(&object.name));
    let second = if second.is_empty() { String::new() } else { format!(" {second}=\"$T\"") };
    format!(
        "T=$(date -u +%FT%TZ); kubectl -n {namespace} annotate {resource} {name} --overwrite \
         reconcile.fluxcd.io/requestedAt=\"$T\"{second}"
    )
}
