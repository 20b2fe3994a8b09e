//! Every class that a stored Helm revision can hold, made by real Helm 4 and, where it applies, Helm 3. A row says what is
//! done and which revision then holds what; the recorded `helm-*` cases tell how each was first made.
//!
//! Not here, because no revision ever holds them (failure-guide 2): template, yaml, values.schema, chart.kubeversion,
//! postrender, api.missing, ownership, crd, no_deployed, too.large. `api.unreachable` needs a server that dies at the
//! right moment, and `exists` a Helm older than both; `conflict.modified` a race.

mod cases;
mod scene;

use scene::{Helm, Scene};

use crate::harness::planes;
use cases::CASES;

/// One row: `make` leaves the release `shop` with a revision of that number and status whose description holds the texts.
struct Case {
    class: &'static str,
    helms: &'static [Helm],
    make: fn(&Scene),
    revision: u64,
    status: &'static str,
    says: &'static [&'static str],
}

#[test]
fn helm_4_stores_every_class() {
    stores_every_class(Helm::Four);
}

#[test]
fn helm_3_stores_every_class() {
    stores_every_class(Helm::Three);
}

fn stores_every_class(helm: Helm) {
    let Some(plane) = planes::shared() else { return };
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.helms.contains(&helm)) {
        let scene = Scene::new(plane, helm, case.class);
        (case.make)(&scene);
        let history = scene.history();
        let stored = history.iter().find(|revision| revision.number == case.revision);
        let holds = stored.is_some_and(|revision| {
            revision.status == case.status && case.says.iter().all(|says| revision.description.contains(says))
        });
        if !holds {
            let stored: Vec<_> = history
                .iter()
                .map(|revision| (revision.number, &revision.status, &revision.description))
                .collect();
            wrong.push(format!(
                "{} ({helm:?}): want revision {} {} with {:?}, stored is {stored:#?}",
                case.class, case.revision, case.status, case.says
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
