//! One line that a person can act on.

use crate::deployer::fleet;
use crate::evidence::Case;
use crate::failure::Failure;
use crate::report::{Conflict, Gap};

use super::command::kubectl;

/// The line of a failure, by what it names.
pub fn of(failure: &Failure, conflicts: &[Conflict]) -> String {
    match conflicts {
        [] => first_line(failure),
        [one] => format!("{} holds {} of {}", one.manager, one.path, one.object),
        [first, ..] => {
            let mut managers: Vec<&str> = conflicts.iter().map(|it| it.manager.as_str()).collect();
            managers.sort_unstable();
            managers.dedup();
            let verb = if managers.len() == 1 { "holds" } else { "hold" };
            format!(
                "{} {verb} {} fields, the first is {} of {}",
                managers.join(", "),
                conflicts.len(),
                first.path,
                first.object
            )
        }
    }
}

fn first_line(failure: &Failure) -> String {
    failure.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(failure.class.0).to_owned()
}

/// What a case without a reason still tells.
pub fn unexplained(case: &Case) -> String {
    let newest = case.history.as_ref().and_then(|it| it.newest());
    match newest {
        _ if !case.is_reached && case.cluster.is_some() => {
            "the reason is on the downstream cluster, which could not be read".into()
        }
        Some(newest) if *newest.status() == crate::helm::Status::Deployed => format!(
            "no failed revision: the newest, {}, is deployed; whatever holds it is not Helm: look at the agent",
            newest.number()
        ),
        Some(newest) => format!("revision {} is {} and tells no reason", newest.number(), newest.status()),
        None => {
            "there is no release record at all: nothing was tried there, or the records are elsewhere".into()
        }
    }
}

/// Where a reason may still stand.
pub fn places_left(case: &Case) -> Vec<Gap> {
    if case.delivery.deployer != fleet::NAME || case.cluster.is_none() {
        return Vec::new();
    }
    let name = case.delivery.chain.last().map(|it| it.name.as_str()).unwrap_or_default();
    let log = kubectl(case, "cattle-fleet-system", &["logs", "deployment/fleet-agent", "--since=1h"]);
    vec![Gap {
        missing: format!("what the Fleet agent logged about {name}"),
        why: "errors of the options secret, of copied resources and every dropped conflict are only there"
            .into(),
        fill: log,
    }]
}
