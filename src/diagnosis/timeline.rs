//! What happened when, each with its source.

use jiff::Timestamp;

use crate::evidence::Case;
use crate::report::{Conflict, Instant, Moment};

/// The moments of a case, oldest first; what has no time stands between the times that bound it.
pub fn timeline(case: &Case, conflicts: &[Conflict]) -> Vec<Moment> {
    let mut moments: Vec<(Option<Timestamp>, Moment)> = Vec::new();
    let mut push = |at: Option<Timestamp>, what: String, source: String| {
        if let Some(at) = at {
            moments.push((Some(at), Moment { at: Instant::Exact(at), what, source }));
        }
    };
    if let Some(since) = case.delivery.wanted_since {
        push(Some(since), case.delivery.wanted.clone().unwrap_or_default(), "the owner's status".into());
    }
    if let Some(history) = &case.history {
        for revision in history.revisions() {
            let words = revision.description().map(|it| format!(": {}", first_line(it))).unwrap_or_default();
            push(
                revision.started(),
                format!("revision {} {}{words}", revision.number(), revision.status()),
                revision.meta.source(),
            );
        }
    }
    for conflict in conflicts {
        push(
            conflict.since,
            format!("{} took {} of {}", conflict.manager, conflict.path, conflict.object),
            conflict.since_from.clone().unwrap_or_default(),
        );
    }
    moments.sort_by_key(|(at, _)| *at);
    moments.into_iter().map(|(_, moment)| moment).collect()
}

/// Enough of a text to recognise it; the whole stands in the finding.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
