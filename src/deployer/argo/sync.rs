//! Which commit is wanted, which one is worked on, which one runs.

use super::application::Application;

/// One commit, or one per source.
pub type Revisions<'a> = Vec<&'a str>;

fn either<'a>(one: &'a str, many: &'a [String]) -> Revisions<'a> {
    if many.is_empty() {
        Some(one).filter(|one| !one.is_empty()).into_iter().collect()
    } else {
        many.iter().map(String::as_str).collect()
    }
}

/// The newest commit that Argo CD saw; a branch's name where it could not resolve or render it.
pub fn wanted(application: &Application) -> Revisions<'_> {
    either(&application.status.sync.revision, &application.status.sync.revisions)
}

/// The commit of the present or last operation. With `retry.refresh` a retry takes a newer commit, and
/// only the result says so.
pub fn worked_on(application: &Application) -> Revisions<'_> {
    let Some(state) = &application.status.operation_state else { return Vec::new() };
    let result = either(&state.sync_result.revision, &state.sync_result.revisions);
    if result.is_empty() {
        either(&state.operation.sync.revision, &state.operation.sync.revisions)
    } else {
        result
    }
}

/// The last commit that was synced with success; the cluster may hold parts of a later one.
pub fn landed(application: &Application) -> Revisions<'_> {
    application.status.history.last().map(|last| either(&last.revision, &last.revisions)).unwrap_or_default()
}

/// `commit 3e876b9`, `chart podinfo 6.15.0`.
pub fn wanted_in_words(application: &Application) -> Option<String> {
    let revisions = wanted(application);
    if revisions.is_empty() {
        return None;
    }
    let spec = &application.spec;
    let sources = if spec.sources.is_empty() { std::slice::from_ref(&spec.source) } else { &spec.sources };
    let words: Vec<String> = revisions
        .iter()
        .enumerate()
        .map(|(index, revision)| match sources.get(index) {
            Some(source) if !source.chart.is_empty() => format!("chart {} {revision}", source.chart),
            _ if is_commit(revision) => format!("commit {}", revision.get(..7).unwrap_or(revision)),
            _ => format!("revision {revision}"),
        })
        .collect();
    Some(words.join(", "))
}

/// Whether it is a commit and no branch, tag or version.
pub fn is_commit(revision: &str) -> bool {
    revision.len() >= 40 && revision.chars().all(|c| c.is_ascii_hexdigit())
}
