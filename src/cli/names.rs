//! Names for completion: the types that `why` takes, and what exists of a type.

use std::ffi::OsStr;
use std::sync::mpsc;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches};
use clap_complete::CompletionCandidate;
use serde::Deserialize;

use super::args::Cli;
use super::open;
use crate::source::{Query, Resource, resources};

/// Somebody waits with a finger on the key.
const PATIENCE: Duration = Duration::from_millis(300);

/// Types that can be asked for, and where their names are listed.
static TYPES: [(&str, Resource, &str); 7] = [
    ("gitrepo", resources::GIT_REPOS, "Fleet: a Git repository"),
    ("helmop", resources::HELM_OPS, "Fleet: a chart without Git"),
    ("bundle", resources::BUNDLES, "Fleet: a part of a GitRepo"),
    ("cluster", resources::FLEET_CLUSTERS, "Fleet: everything on one cluster"),
    ("helmrelease", resources::HELM_RELEASES, "Flux"),
    ("application", resources::APPLICATIONS, "Argo CD"),
    ("helmchart", resources::K3S_HELM_CHARTS, "k3s and RKE2"),
];

/// Candidates for `TYPE/NAME`. Silent about everything that goes wrong.
pub fn targets(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let Some((kind, _)) = typed.split_once('/') else { return types(&typed) };
    let Some((kind, resource, _)) = TYPES.iter().find(|(name, _, _)| *name == kind) else {
        return Vec::new();
    };
    let resource = resource.clone();
    let (send, receive) = mpsc::channel();
    // An exec plugin of a kubeconfig blocks; the thread ends with the program.
    std::thread::spawn(move || send.send(names(resource)));
    let mut names = receive.recv_timeout(PATIENCE).ok().flatten().unwrap_or_default();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| format!("{kind}/{name}"))
        .filter(|candidate| candidate.starts_with(&*typed))
        .map(CompletionCandidate::new)
        .collect()
}

fn types(typed: &str) -> Vec<CompletionCandidate> {
    TYPES
        .iter()
        .map(|(name, _, help)| (*name, *help))
        .chain([("release", "Helm: release/NAMESPACE/NAME")])
        .filter(|(name, _)| name.starts_with(typed))
        .map(|(name, help)| CompletionCandidate::new(format!("{name}/")).help(Some(help.into())))
        .collect()
}

#[derive(Deserialize)]
struct Named {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
}

/// The names of `resource` on the clusters that the words typed so far mean.
fn names(resource: Resource) -> Option<Vec<String>> {
    let words: Vec<_> = std::env::args_os().filter(|word| word != "--").collect();
    let matches = Cli::command().ignore_errors(true).try_get_matches_from(words).ok()?;
    let globals = Cli::from_arg_matches(&matches).ok()?.globals;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async {
        let source = open::source(&globals).await.ok()?;
        let mut query = Query::all(resource).metadata_only();
        if let Some(namespace) = globals.connection.namespace.as_deref() {
            query = query.within(namespace);
        }
        let mut names = Vec::new();
        for cluster in source.clusters() {
            let objects = cluster.list(&query).await.unwrap_or_default();
            names.extend(
                objects.iter().filter_map(|object| object.parse::<Named>().ok()).map(|it| it.metadata.name),
            );
        }
        Some(names)
    })
}
