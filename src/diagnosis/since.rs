//! When a manager took a field, from the best evidence there is.
//!
//! managedFields carries no time for subresource `scale` (44 of 44 recorded entries) and none for an
//! applier that only joined, so for the commonest conflict the hour stands elsewhere: the event of the
//! Deployment controller, or the bracket between two revisions.

use jiff::Timestamp;

use crate::evidence::Case;
use crate::failure;
use crate::fields::Owner;
use crate::object::ObjectRef;
use crate::rollout::Event;

/// A time and where it stands, or why there is none.
pub struct Taken {
    /// The best known time.
    pub at: Option<Timestamp>,
    /// For a person.
    pub from: String,
}

/// When the manager that a conflict names took the field.
pub fn of(case: &Case, object: &ObjectRef, told: &failure::Conflict, owners: &[Owner]) -> Taken {
    let own = owners.iter().find(|owner| {
        owner.manager == told.manager
            && owner.operation == told.operation
            && owner.subresource == told.subresource
    });
    taken(case, object, own.and_then(|owner| owner.since), &told.subresource)
}

/// When this owner took the field.
pub fn of_owner(case: &Case, object: &ObjectRef, owner: Option<&Owner>) -> Taken {
    taken(case, object, owner.and_then(|it| it.since), owner.map_or("", |it| it.subresource.as_str()))
}

fn taken(case: &Case, object: &ObjectRef, recorded: Option<Timestamp>, subresource: &str) -> Taken {
    if let Some(time) = recorded {
        return Taken { at: Some(time), from: "managedFields".into() };
    }
    if subresource == "scale"
        && let Some(event) = scaling(case, object)
    {
        return Taken {
            at: event.time(),
            from: format!(
                "event ScalingReplicaSet: {}; managedFields keeps no time for subresource scale",
                event.message
            ),
        };
    }
    Taken {
        at: None,
        from: format!("managedFields keeps no time for it, and no event is left{}", bracket(case)),
    }
}

/// The last event that scaled this Deployment in one go, not as part of a rollout: a rollout changes two
/// ReplicaSets in turn, somebody's hand only one.
fn scaling<'a>(case: &'a Case, object: &ObjectRef) -> Option<&'a Event> {
    let events: Vec<&Event> = case
        .events
        .iter()
        .filter(|event| is_about(event, object) && event.reason == "ScalingReplicaSet")
        .collect();
    events.iter().rev().find(|event| is_by_hand(event, &events)).copied()
}

fn is_about(event: &Event, object: &ObjectRef) -> bool {
    let about = &event.involved_object;
    about.kind == object.kind && about.namespace == object.namespace && about.name == object.name
}

/// `Scaled up replica set web-1 from 2 to 4`: a change of the size of a set that existed, with no other
/// set changing within the same minute.
fn is_by_hand(event: &Event, all: &[&Event]) -> bool {
    let Some(set) = replica_set(&event.message) else { return false };
    let from_zero = event.message.contains(" from 0 to ");
    let is_near = |other: &Event| match (other.time(), event.time()) {
        (Some(a), Some(b)) => a.duration_since(b).abs().as_secs() < 60,
        _ => false,
    };
    let others =
        all.iter().any(|other| is_near(other) && replica_set(&other.message).is_some_and(|it| it != set));
    !from_zero && event.message.contains(" from ") && !others
}

fn replica_set(message: &str) -> Option<&str> {
    message.split_once("replica set ")?.1.split_whitespace().next()
}

/// Not before the last good revision, not after the first failed one that is stored.
fn bracket(case: &Case) -> String {
    let Some(history) = &case.history else { return String::new() };
    let good = history.deployed().and_then(|it| it.started());
    let bad = super::cause::revision_of(history).and_then(|it| it.started());
    match (good, bad) {
        (Some(good), Some(bad)) if good < bad => format!("; after {good} (last good revision), before {bad}"),
        (_, Some(bad)) => format!("; before {bad} (the failed revision)"),
        _ => String::new(),
    }
}
