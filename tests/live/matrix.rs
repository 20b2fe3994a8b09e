//! Every class that a stored Helm revision can hold, made by real Helm 4 and, where it applies, Helm 3. A row
//! says what is done and which revisions then hold what; the recorded `helm-*` cases tell how each was first
//! made.
//!
//! Not here, because no revision ever holds them (failure-guide 2): template, yaml, values.schema,
//! chart.kubeversion, postrender, api.missing, ownership, crd, no_deployed, too.large. `api.unreachable`
//! needs a server that dies at the right moment, `exists` a Helm older than both, `webhook.denied` a webhook
//! that answers over TLS, and `conflict.modified` a race.

mod cases;
mod recording;
mod scene;

use std::env;
use std::path::Path;

use cases::CASES;
use scene::{Helm, Scene};

use crate::harness::planes;
use crate::harness::release::Revision;
use crate::program::why_release;

/// Names a folder; every row is then saved there in the layout of the recorded incidents (see
/// tests/rig/record).
const RECORD: &str = "HELM_FORENSICS_RECORD";

/// One row: what `make` does to a release called `shop`.
struct Case {
    name: &'static str,
    helms: &'static [Helm],
    make: fn(&Scene),
    leaves: &'static [Left],
}

/// A revision, and the texts that its description holds.
struct Left {
    class: &'static str,
    revision: u64,
    status: &'static str,
    says: &'static [&'static str],
}

impl Left {
    fn is(&self, revision: &Revision) -> bool {
        revision.number == self.revision
            && revision.status == self.status
            && self.says.iter().all(|says| revision.description.contains(says))
    }
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
        let scene = Scene::new(plane, helm, case.name);
        (case.make)(&scene);
        let history = scene.history();
        for left in case.leaves {
            if !history.iter().any(|revision| left.is(revision)) {
                let stored: Vec<_> = history
                    .iter()
                    .map(|revision| (revision.number, &revision.status, &revision.description))
                    .collect();
                wrong.push(format!(
                    "{} ({helm:?}), {}: want revision {} {} with {:?}, stored is {stored:#?}",
                    case.name, left.class, left.revision, left.status, left.says
                ));
            }
        }
        wrong.extend(misnamed(&scene, case));
        if let Some(folder) = env::var_os(RECORD) {
            recording::save(Path::new(&folder), &scene, case, &history);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What `why` says of the row's release, where it is not what the row says.
fn misnamed(scene: &Scene, case: &Case) -> Option<String> {
    let findings = why_release(scene.plane, &scene.namespace);
    let told: Vec<_> = findings
        .current()
        .into_iter()
        .map(|finding| (finding["class"].as_str(), finding["release"]["revision"].as_u64()))
        .collect();
    // One finding per release: of a failure whose rollback failed too it names the original (revision 2),
    // and the rollback's revision stands beside it as overtaken.
    let newest = case.leaves.last()?;
    let is_left = |told: &(Option<&str>, Option<u64>)| {
        told.0 == Some(newest.class) && case.leaves.iter().any(|left| Some(left.revision) == told.1)
    };
    let wanted = (newest.class, newest.revision);
    let is_right = told.len() == 1 && told.iter().all(is_left);
    let problem = format!("{} ({:?}): why says {told:?} instead of {wanted:?}", case.name, scene.helm);
    (!is_right).then_some(problem)
}
