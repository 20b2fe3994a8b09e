//! Asks a question: opens the source, collects the evidence, keeps what is known when interrupted.

use std::cell::RefCell;

use anyhow::bail;

use super::args::Globals;
use super::exit::Exit;
use super::{open, progress};
use crate::evidence::{Case, Collection, Evidence, Options, Question, Target};
use crate::source::live;

/// What `read` makes of each case of a question, and whether the user cut it short.
pub async fn ask<T>(
    globals: &Globals,
    question: &Question,
    read: impl Fn(Case) -> T,
) -> anyhow::Result<(Evidence<T>, Option<Exit>)> {
    let source = open::source(globals).await?;
    let collection = Collection { question, options: options(globals), now: open::now(globals), read };
    let sink = RefCell::new(Evidence::new(collection.now));
    let progress = progress::Progress::new(globals);
    let interrupted = tokio::select! {
        () = collection.collect(source.as_ref(), &sink) => None,
        () = progress.show(&sink) => None,
        () = live::interrupt() => Some(Exit::Interrupted),
    };
    if globals.verbose > 0 {
        let log = source.access_log();
        log.iter().for_each(|step| super::print::remark(&crate::report::clean_text(&step.to_string())));
    }
    let mut evidence = sink.into_inner();
    let hubs = source.clusters().len();
    if let Some(miss) = evidence.silent.first().filter(|_| evidence.silent.len() == hubs) {
        bail!(miss.clone());
    }
    if interrupted.is_some() {
        collection.interrupt(&mut evidence);
    }
    Ok((evidence, interrupted))
}

/// How the flags say that a run reads.
pub fn options(globals: &Globals) -> Options {
    Options {
        parallel: globals.connection.parallel.into(),
        per_cluster: globals.connection.cluster_timeout,
        limit: globals.max_payload,
        is_now_given: globals.now.is_some(),
    }
}

/// The question that targets and global flags ask.
pub fn question(globals: &Globals, targets: &[Target]) -> Question {
    let connection = &globals.connection;
    Question {
        targets: targets.to_vec(),
        namespace: connection.namespace.clone().filter(|_| !connection.all_namespaces),
        cluster: globals.cluster_name.clone(),
        ..Question::default()
    }
}

/// The names of the kind asked for, where one of the targets means nothing that exists.
pub fn unknown_target<T>(question: &Question, evidence: &Evidence<T>) -> Option<String> {
    let namespace = question.namespace.as_deref();
    let (_, missing) = question.targets.iter().enumerate().find(|(at, _)| !evidence.has_met(*at))?;
    let mut existing: Vec<String> = evidence
        .owners
        .iter()
        .filter(|owner| owner.kind.to_lowercase() == missing.kind)
        .map(|owner| format!("{}/{}", owner.namespace, owner.name))
        .collect();
    existing.dedup();
    let place = namespace.map(|namespace| format!(" in namespace {namespace}")).unwrap_or_default();
    let there_are = match existing.as_slice() {
        [] if missing.kind == "release" => "no Secret and no ConfigMap in what could be read holds it; a release that \
             Helm keeps in SQL (HELM_DRIVER=sql) is outside the cluster and cannot be read: `helm history` with the same \
             HELM_DRIVER tells of it"
            .to_owned(),
        [] => format!("there is no {} in what could be read", missing.kind),
        some => format!("there are: {}", some.join(", ")),
    };
    Some(format!("no {} named {}{place}; {there_are}", missing.kind, missing.name))
}
