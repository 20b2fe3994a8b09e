//! Reasons that stand in an Application's objects and in no text that could be classified alone.

use jiff::{SignedDuration, Timestamp};

use super::application::{Application, OperationState};
use super::collect::World;
use super::drift::Seen;
use super::{project, statement, sync, way_out};
use crate::deployer::{Sign, read};
use crate::report::{Confidence, Evidence, Gap, WayOut};

/// Argo CD compares every 120 s plus jitter; 281 s were seen with a living controller.
const SILENCE: SignedDuration = SignedDuration::from_mins(15);

/// A refresh that was asked for is done within this time, if the controller is not very busy.
const REFRESH: SignedDuration = SignedDuration::from_secs(30);

/// A deletion that takes longer needs explaining: objects with finalizers or grace periods of their own.
const DELETION: SignedDuration = SignedDuration::from_mins(1);

/// Every sign of an Application, the strongest first.
pub fn signs(application: &Application, world: &World, seen: Seen, now: Timestamp) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::new();
    signs.extend(deleting(application, now));
    signs.extend(running(application));
    signs.extend(failed_hook(application));
    signs.extend(shared(application, world, &seen));
    if signs.is_empty() {
        signs.extend(out_of_sync(application, world, &seen, now));
    }
    signs.extend(seen.rollouts.into_iter().map(read::rollout_sign));
    signs.extend(silent(application, now));
    signs
}

fn seen_in(application: &Application, field: &str, says: impl Into<String>) -> Evidence {
    Evidence { source: format!("{}, {field}", application.as_object()), says: says.into() }
}

/// Its deletion was asked for and a finalizer holds it: what it deployed is being deleted, or nobody does it.
fn deleting(application: &Application, now: Timestamp) -> Option<Sign> {
    let since = application.metadata.deletion_timestamp?;
    (now.duration_since(since) > DELETION).then(|| {
        Sign::new(
            "pending",
            Confidence::Likely,
            format!(
                "being deleted since {since}: Argo CD has not deleted everything that it deployed, or its \
                 controller does not run; taking the finalizer off by hand leaves the objects behind"
            ),
            vec![seen_in(
                application,
                "metadata.deletionTimestamp",
                format!("{since}, held by {}", application.metadata.finalizers.join(", ")),
            )],
        )
    })
}

/// An operation that has not ended.
fn running(application: &Application) -> Vec<Sign> {
    if application.phase() != "Running" {
        return Vec::new();
    }
    let Some(state) = &application.status.operation_state else { return Vec::new() };
    let told = seen_in(application, "status.operationState.message", &state.message);
    let mut signs = Vec::new();
    signs.extend(queued(application, state, &told));
    if state.message.contains("blocked by sync window") {
        signs.push(Sign {
            ways_out: way_out::window(application),
            ..Sign::new(
                "sync.window",
                Confidence::Certain,
                "the sync waits for a sync window to let it through; it runs by itself afterwards".into(),
                vec![told],
            )
        });
    } else if statement::is_retried(&state.message) {
        signs.push(Sign {
            ways_out: way_out::terminate(application),
            ..Sign::new(
                "sync.retrying",
                Confidence::Certain,
                format!(
                    "still being tried: {} of {} retries spent",
                    state.retry_count, state.operation.retry.limit
                ),
                vec![told],
            )
        });
    } else {
        let since = state.started_at.map_or(String::new(), |since| format!(" since {since}"));
        signs.push(Sign {
            ways_out: way_out::terminate(application),
            ..Sign::new(
                "sync.running",
                Confidence::Certain,
                format!("the sync has not ended{since}: {}", state.message),
                vec![told],
            )
        });
    }
    signs
}

/// A newer commit, perhaps the repair, waits behind this operation. With `retry.refresh` it is taken by
/// the next retry.
fn queued(application: &Application, state: &OperationState, told: &Evidence) -> Option<Sign> {
    let wanted = sync::wanted(application);
    let worked_on = sync::worked_on(application);
    let is_newer = !wanted.is_empty()
        && !worked_on.is_empty()
        && wanted != worked_on
        && wanted.iter().all(|revision| sync::is_commit(revision));
    let is_picked_up = state.operation.retry.refresh && statement::is_retried(&state.message);
    if !is_newer || is_picked_up {
        return None;
    }
    Some(Sign {
        outranks_texts: true,
        ways_out: way_out::terminate(application),
        ..Sign::new(
            "sync.queued",
            Confidence::Certain,
            format!(
                "{} waits behind the operation on {}, which has not ended",
                short(&wanted),
                short(&worked_on)
            ),
            vec![
                seen_in(application, "status.sync.revision", wanted.join(", ")),
                seen_in(application, "status.operationState.operation.sync.revision", worked_on.join(", ")),
                told.clone(),
            ],
        )
    })
}

fn short(revisions: &[&str]) -> String {
    let cut: Vec<&str> = revisions.iter().map(|revision| revision.get(..7).unwrap_or(revision)).collect();
    format!("commit {}", cut.join(", "))
}

/// A hook that failed reads `status: Synced`; only `hookPhase` tells.
fn failed_hook(application: &Application) -> Option<Sign> {
    let state = application.status.operation_state.as_ref()?;
    let hook = state
        .sync_result
        .resources
        .iter()
        .find(|result| !result.hook_type.is_empty() && result.is_failed())?;
    let object = hook.as_object();
    let namespace = crate::deployer::quote::quote(&object.namespace);
    let name = crate::deployer::quote::quote(&object.name);
    Some(Sign {
        gaps: vec![Gap {
            missing: format!("the log of {object}"),
            why: "Argo CD keeps no logs, and a retry deletes the failed Job (BeforeHookCreation)".into(),
            fill: Some(format!(
                "kubectl -n {namespace} logs {}/{name} --all-containers; kubectl -n {namespace} get events \
                 --field-selector involvedObject.name={name}",
                object.kind.to_lowercase()
            )),
        }],
        ..Sign::new(
            "hook.failed",
            Confidence::Certain,
            format!("{} hook {object} failed: {}", hook.hook_type, hook.message),
            vec![seen_in(
                application,
                &format!("status.operationState.syncResult, {object}"),
                format!("hookPhase {}: {}", hook.hook_phase, hook.message),
            )],
        )
    })
}

/// Two Applications, or a Helm release and an Application, on the same objects.
fn shared(application: &Application, world: &World, seen: &Seen) -> Option<Sign> {
    let mut evidence: Vec<Evidence> = application
        .conditions("SharedResourceWarning")
        .map(|condition| seen_in(application, "condition SharedResourceWarning", &condition.message))
        .collect();
    // Only the Application that does not hold the tracking-id is warned; the other one reads healthy.
    evidence.extend(world.warnings_about(application));
    evidence.extend(seen.claimed.iter().map(|(object, release)| Evidence {
        source: format!("{object}, annotations"),
        says: format!(
            "argocd.argoproj.io/tracking-id of {} beside meta.helm.sh/release-name of {release}",
            application.metadata.name
        ),
    }));
    let first = evidence.first()?;
    let summary = match seen.claimed.first() {
        Some((object, release)) => {
            format!("{object} is claimed by this Application and by the Helm release {release}")
        }
        None => first.says.clone(),
    };
    Some(Sign {
        ways_out: vec![WayOut {
            title: "take the object out of one of the two: one tool per object".into(),
            risk: crate::report::Risk::Safe,
            who: "owner of the chart".into(),
            commands: vec![way_out::get(application)],
            then: "until then each overwrites the other: Argo CD forces, Helm is refused with a conflict or forces"
                .into(),
        }],
        ..Sign::new("ownership.shared", Confidence::Certain, summary, evidence)
    })
}

/// Git and cluster differ, no operation runs and none failed.
fn out_of_sync(application: &Application, world: &World, seen: &Seen, now: Timestamp) -> Vec<Sign> {
    let is_settled = ["Succeeded", ""].contains(&application.phase());
    if application.sync() != "OutOfSync" || !is_settled {
        return Vec::new();
    }
    let out: Vec<_> = application
        .status
        .resources
        .iter()
        .filter(|resource| resource.status == "OutOfSync" && !resource.hook)
        .collect();
    if !out.is_empty() && out.iter().all(|resource| resource.requires_pruning) {
        let objects: Vec<_> = out.iter().map(|resource| resource.as_object()).collect();
        return vec![Sign {
            ways_out: way_out::prune(application, &objects),
            ..Sign::new(
                "sync.prune",
                Confidence::Certain,
                format!("only a deletion is missing, and pruning is off: {}", listed(&objects)),
                objects
                    .iter()
                    .map(|object| {
                        seen_in(application, &format!("status.resources, {object}"), "requiresPruning")
                    })
                    .collect(),
            )
        }];
    }
    let landed = sync::landed(application);
    if landed.is_empty() || sync::wanted(application) != landed {
        return vec![not_started(application, world, now)];
    }
    vec![drifted(application, seen)]
}

fn listed(objects: &[crate::object::ObjectRef]) -> String {
    objects.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Another commit is wanted than the one that was synced last, and nothing has begun.
fn not_started(application: &Application, world: &World, now: Timestamp) -> Sign {
    let policy = &application.spec.sync_policy;
    let commits = vec![
        seen_in(application, "status.sync.revision", sync::wanted(application).join(", ")),
        seen_in(application, "status.history[-1].revision", sync::landed(application).join(", ")),
    ];
    if !policy.is_automated() {
        let how = if policy.automated.is_some() { "automated sync is disabled" } else { "no automated sync" };
        return Sign {
            ways_out: way_out::sync(application, "sync it by hand"),
            ..Sign::new(
                "sync.manual",
                Confidence::Certain,
                format!("{how}: somebody has to start this sync"),
                [vec![seen_in(application, "spec.syncPolicy.automated", how)], commits].concat(),
            )
        };
    }
    let project = world.project_of(application);
    if let Some(why) = project.and_then(|project| project::forbidden(project, application, now)) {
        let source = format!(
            "AppProject {}/{}, spec.syncWindows",
            application.metadata.namespace, application.spec.project
        );
        return Sign {
            ways_out: way_out::window(application),
            ..Sign::new(
                "sync.window",
                Confidence::Certain,
                format!("no sync may start now: {why}"),
                [vec![Evidence { source, says: why }], commits].concat(),
            )
        };
    }
    let mut sign = Sign::new(
        "sync.running",
        Confidence::Possible,
        "an automated sync of this commit is due and has not begun".into(),
        commits,
    );
    if project.is_none() {
        sign.gaps.push(Gap {
            missing: format!("AppProject {}", application.spec.project),
            why: "it is not in what could be read; a sync window of it may forbid the sync".into(),
            fill: Some(way_out::list_windows(application)),
        });
    }
    sign
}

/// The commit that is wanted was synced with success, and cluster and Git differ all the same.
fn drifted(application: &Application, seen: &Seen) -> Sign {
    let heals = application
        .status
        .operation_state
        .as_ref()
        .map_or(0, |state| state.operation.sync.auto_heal_attempts_count);
    let names: Vec<_> = application
        .status
        .resources
        .iter()
        .filter(|resource| resource.status == "OutOfSync" && !resource.hook)
        .map(|resource| resource.as_object())
        .collect();
    let mut evidence: Vec<Evidence> = names
        .iter()
        .map(|object| seen_in(application, &format!("status.resources, {object}"), "OutOfSync"))
        .collect();
    let writers: Vec<String> = seen
        .drifted
        .iter()
        .flat_map(|(object, writers)| writers.iter().map(move |writer| (object, writer)))
        .map(|(object, writer)| {
            let subresource = if writer.subresource.is_empty() { "" } else { " of the subresource " };
            let says =
                format!("{} ({}{subresource}{})", writer.manager, writer.operation, writer.subresource);
            evidence.push(Evidence {
                source: format!("{object}, managedFields"),
                says: format!("written by {says} after the last sync"),
            });
            writer.manager.clone()
        })
        .collect();
    let is_read = !seen.drifted.is_empty();
    if writers.is_empty() && (is_read || heals > 1) {
        return Sign {
            ways_out: way_out::diff(application),
            ..Sign::new(
                "drift.endless",
                if is_read { Confidence::Certain } else { Confidence::Likely },
                format!(
                    "{} never comes in sync: the sync of this commit succeeded, nobody wrote since, and it \
                     still differs (healed {heals} times): Git asks for something that the API server does \
                     not store",
                    listed(&names)
                ),
                evidence,
            )
        };
    }
    let by = if writers.is_empty() { String::new() } else { format!(", written by {}", writers.join(", ")) };
    Sign {
        ways_out: [
            way_out::diff(application),
            way_out::sync(application, "give the object Git's values back"),
        ]
        .concat(),
        ..Sign::new(
            "drift",
            if is_read { Confidence::Certain } else { Confidence::Likely },
            format!("{} differs from Git{by}", listed(&names)),
            evidence,
        )
    }
}

/// A controller that is gone leaves Synced, Healthy, Succeeded behind.
fn silent(application: &Application, now: Timestamp) -> Option<Sign> {
    let reconciled = application.status.reconciled_at;
    let asked = application.metadata.annotations.contains_key("argocd.argoproj.io/refresh");
    let age = reconciled.or(application.metadata.creation_timestamp).map(|then| now.duration_since(then));
    let is_old = age.is_some_and(|age| age > SILENCE);
    if !asked && !is_old && reconciled.is_some() {
        return None;
    }
    let mut evidence = vec![seen_in(
        application,
        "status.reconciledAt",
        reconciled.map_or("never".to_owned(), |reconciled| reconciled.to_string()),
    )];
    if asked {
        evidence.push(seen_in(
            application,
            "annotation argocd.argoproj.io/refresh",
            "a refresh was asked for and has not been done",
        ));
    }
    let is_sure = is_old || age.is_some_and(|age| age > REFRESH);
    Some(Sign {
        ways_out: way_out::look_at_controller(application),
        ..Sign::new(
            "deployer.down",
            if is_sure { Confidence::Likely } else { Confidence::Possible },
            "the application controller does not answer; sync and health are as old as its last look".into(),
            evidence,
        )
    })
}
