//! Evidence that is gone: what destroyed it, and how to keep it next time.

use crate::evidence::Case;
use crate::helm::Status;
use crate::report::Gap;

/// Gaps left by history limits, by atomic upgrades and by drift correction.
pub fn gaps(case: &Case) -> Vec<Gap> {
    let mut gaps = Vec::new();
    gaps.extend(overwritten_tries(case));
    gaps.extend(rolled_back(case));
    gaps.extend(payload_missing(case));
    gaps.extend(managed_fields_hidden(case));
    gaps.extend(unreadable(case));
    gaps
}

/// Tries whose records the history limit has taken.
fn overwritten_tries(case: &Case) -> Option<Gap> {
    let lost = Some(case.history.as_ref()?.tries_lost()).filter(|lost| *lost > 0)?;
    let (limit, keep) = match case.delivery.deployer {
        "fleet" => ("Fleet keeps 2 revisions", "helm.maxHistory: 10 in fleet.yaml"),
        "flux" => ("Flux keeps 5 revisions", "spec.maxHistory in the HelmRelease"),
        _ => ("Helm keeps the last 10 revisions by default", "--history-max"),
    };
    Some(Gap {
        missing: format!(
            "{lost} earlier {} no longer stored",
            if lost == 1 { "try is" } else { "tries are" }
        ),
        why: format!("{limit}; to keep more next time: {keep}"),
        fill: None,
    })
}

/// Atomic: the failed revision was followed by a rollback, and the next try pushed it out.
fn rolled_back(case: &Case) -> Option<Gap> {
    let lost = case.history.as_ref()?.causes().lost?;
    Some(Gap {
        missing: format!("revision {lost}, which failed"),
        why: "every failed upgrade is rolled back (atomic / rollback-on-failure), and the history limit keeps only the \
              rollback and the running try; helm.maxHistory: 10 in fleet.yaml (--history-max) keeps the failed one too"
            .into(),
        fill: None,
    })
}

fn payload_missing(case: &Case) -> Option<Gap> {
    let history = case.history.as_ref()?;
    let newest = history.newest()?;
    let looks_failed = *newest.status() == Status::Failed;
    (looks_failed && newest.payload.is_none()).then(|| Gap {
        missing: format!("the payload of revision {} of release {}", newest.number(), newest.meta.release),
        why: "the record is there without its data, so its description cannot be read".into(),
        fill: super::command::kubectl(
            case,
            &newest.meta.namespace,
            &["get", "secret", &newest.meta.object_name, "-o", "yaml"],
        ),
    })
}

fn managed_fields_hidden(case: &Case) -> Option<Gap> {
    let hidden = case.living.iter().find(|it| it.live().is_some_and(|live| live.managed().is_none()))?;
    Some(Gap {
        missing: format!("managedFields of {}", hidden.object),
        why: "without them nobody can tell who holds which field; kubectl hides them unless asked".into(),
        fill: super::command::kubectl(
            case,
            &hidden.object.namespace,
            &["get", &super::command::target(&hidden.object), "-o", "yaml", "--show-managed-fields"],
        ),
    })
}

/// Objects that were found and cannot be read.
pub fn unreadable(case: &Case) -> impl Iterator<Item = Gap> {
    case.living.iter().filter_map(|it| {
        Some(Gap {
            missing: format!("{} ({})", it.object, it.origin),
            why: format!("it cannot be read: {}; the rest was used", it.damage()?),
            fill: None,
        })
    })
}
