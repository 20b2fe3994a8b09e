//! A stored revision of a release, as if it were applied again: the failed one, most often.

use anyhow::bail;

use super::{Args, Foretold};
use crate::cli::args::Globals;
use crate::cli::ask::{ask, question};
use crate::diagnosis::method;
use crate::evidence::{Case, Living, Question, Target};
use crate::fields::{Applied, as_helm_applies};
use crate::helm::manifest::Document;
use crate::helm::{History, Manifest, Release};

/// What applying a revision again would do, and which revision that is.
pub(super) async fn foretold(
    release: &Target,
    args: &Args,
    globals: &Globals,
) -> anyhow::Result<(String, Vec<Foretold>)> {
    let asked = Question {
        compare_live: true,
        whole_history: true,
        include_healthy: true,
        ..question(globals, std::slice::from_ref(release))
    };
    let (mut evidence, _) = ask(globals, &asked, |case| case).await?;
    let mut cases: Vec<Case> = evidence.take_answers().filter(|case| case.history.is_some()).collect();
    // A release that its deployer tells of is listed once; without one, by plain Helm.
    cases.dedup_by(|a, b| a.cluster == b.cluster && a.delivery.release == b.delivery.release);
    let [case] = cases.as_slice() else {
        let places: Vec<&str> = cases.iter().filter_map(|case| case.cluster.as_deref()).collect();
        match places.as_slice() {
            [] => bail!(
                "no stored revision of release {} was found; -n or --cluster-name may lead to it",
                release.name
            ),
            many => bail!(
                "release {} is on {} clusters ({}); choose one with --cluster-name",
                release.name,
                many.len(),
                many.join(", ")
            ),
        }
    };
    let Some(history) = &case.history else { bail!("release {} has no stored revision", release.name) };
    let revision = revision(history, args)?;
    let place = case.cluster.as_deref().map(|cluster| format!(" on {cluster}")).unwrap_or_default();
    let subject = format!(
        "Revision {} ({}) of {}/{}{place}, if it were applied now",
        revision.version, revision.info.status, revision.namespace, revision.name
    );
    Ok((subject, of_revision(case, history, revision, args)))
}

/// The revision that was asked for, or the newest.
fn revision<'a>(history: &'a History, args: &Args) -> anyhow::Result<&'a Release> {
    let stored = || {
        let numbers: Vec<String> = history.revisions().iter().map(|it| it.number().to_string()).collect();
        numbers.join(", ")
    };
    let revision = match args.revision {
        Some(number) => history.revision(number),
        None => history.newest(),
    };
    let Some(revision) = revision else {
        bail!("revision {} is not stored; there are {}", args.revision.unwrap_or_default(), stored());
    };
    match (revision.release(), revision.damage()) {
        (Some(release), _) => Ok(release),
        (None, Some(damage)) => {
            bail!("revision {} cannot be read: {damage}; {}", revision.number(), damage.advice())
        }
        (None, None) => bail!("revision {} has no payload here; stored are {}", revision.number(), stored()),
    }
}

fn of_revision(case: &Case, history: &History, revision: &Release, args: &Args) -> Vec<Foretold> {
    let manager = args.manager.as_deref().unwrap_or(case.delivery.manager);
    let method = args.method.unwrap_or_else(|| method(case, revision.apply_method.as_deref()));
    let before = history.deployed().and_then(|it| it.release()).map(Manifest::of);
    let scalers: Vec<_> = case.scalers.iter().collect();
    let manifest = Manifest::of(revision);
    let documents = manifest.documents().iter().filter(|document| !document.is_hook);
    let foretell = |document: &Document<'_>| {
        let mut object = document.object.clone();
        let mut living = case.living.find(&object);
        if living.is_none() && object.namespace.is_empty() {
            object.namespace.clone_from(&revision.namespace);
            living = case.living.find(&object);
        }
        let is_namespaced = living.is_none_or(|it| !it.object.namespace.is_empty());
        let applied = |value| as_helm_applies(&value, &revision.name, &revision.namespace, is_namespaced);
        let desired = applied(document.value().ok()?);
        let previous = before.as_ref().and_then(|manifest| manifest.find(&object)).map(applied);
        let applied = Applied {
            desired: &desired,
            live: living.and_then(Living::live),
            previous: previous.as_ref(),
            manager,
            method,
            schema: None,
        };
        Some(Foretold::of(object, &applied, &scalers))
    };
    documents.filter_map(foretell).collect()
}
