//! Ways out of a case, least destructive first: those of the field, then the deployer's.
//!
//! What was measured on Helm 4.3.1, Fleet 0.16.1 and Kubernetes 1.37.2 decides what may be advised
//! (design.md, field-guide 5).

mod adopt;
mod drop_entry;
mod give_back;
mod leave_out;

use crate::evidence::Case;
use crate::failure::{self, Failure, WayContext};
use crate::fields::Manager;
use crate::helm::Revision;
use crate::report::{Conflict, Risk, WayOut};

/// Every way out of a failure.
pub fn ways_out(
    case: &Case,
    failure: &Failure,
    revision: Option<&Revision>,
    conflicts: &[Conflict],
) -> Vec<WayOut> {
    let mut ways = of_conflicts(case, conflicts);
    let is_answered = !ways.is_empty();
    let kinds: Vec<&str> = conflicts.iter().map(|it| manager(case, it).kind.word()).collect();
    let general =
        failure::ways_out(failure, &WayContext { manager_kinds: &kinds, ..context(case, revision) });
    // With the living object at hand, the catalogue's own "give it back" only repeats the exact one.
    ways.extend(general.into_iter().filter(|way| !is_answered || way.risk != Risk::Safe));
    ways.extend(case.delivery.ways_out.clone());
    // Least destructive first; the sort is stable, so within a risk the order above stays.
    ways.sort_by_key(|way| way.risk);
    ways.splice(0..0, case.delivery.first_aid.clone());
    ways.dedup();
    ways
}

/// Ways out for fields that somebody else holds.
pub fn of_conflicts(case: &Case, conflicts: &[Conflict]) -> Vec<WayOut> {
    let (robots, others): (Vec<&Conflict>, Vec<&Conflict>) =
        conflicts.iter().partition(|it| writes_again(it));
    let mut ways = Vec::new();
    ways.extend(leave_out::ways(&robots));
    ways.extend(give_back::ways(case, &others));
    ways.extend(drop_entry::ways(case, &others));
    ways.extend(adopt::ways(&others));
    ways
}

/// A manager that is alive writes the field again: neither giving back nor dropping its entry lasts.
fn writes_again(conflict: &Conflict) -> bool {
    Manager::of(&conflict.manager, &conflict.subresource).writes_again
}

fn manager(case: &Case, conflict: &Conflict) -> Manager {
    Manager::seen_by(case.delivery.manager, &conflict.manager, &conflict.subresource)
}

/// What is left to do where nothing tells the reason.
pub fn for_unknown(case: &Case) -> Vec<WayOut> {
    case.delivery.ways_out.clone()
}

fn context<'a>(case: &'a Case, revision: Option<&Revision>) -> WayContext<'a> {
    let target = case.delivery.release.as_ref();
    WayContext {
        deployer: case.delivery.deployer,
        owner: case.delivery.owner.as_ref(),
        context: case.context.as_deref(),
        release_namespace: target.map(|it| it.namespace.as_str()),
        release_name: target.map(|it| it.name.as_str()),
        revision: revision.map(Revision::number),
        last_good: case.history.as_ref().and_then(|it| it.last_good()).map(Revision::number),
        ..WayContext::default()
    }
}

/// `Deployment shop/web .spec.replicas`, several joined.
fn fields_of(conflicts: &[&Conflict]) -> String {
    let fields: Vec<String> = conflicts.iter().map(|it| format!("{} {}", it.object, it.path)).collect();
    fields.join(", ")
}
