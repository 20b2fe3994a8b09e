//! One text or one revision to its failure.

use super::entities::Entities;
use super::model::{Class, Failure};
use super::reading::{Reading, UNKNOWN};
use crate::report::Confidence;

/// Descriptions and messages of something that went well, or that goes on. A text that begins so tells no
/// failure. Helm `pkg/action`, Flux and Argo CD conditions, the k3s job's termination messages.
const NO_FAILURE: [&str; 24] = [
    "Upgrade complete",
    "Install complete",
    "Rollback to ",
    "Uninstallation complete",
    "superseded by new release",
    "Rollback was a success",
    "Dry run complete",
    "Manifest rendered",
    "Helm upgrade succeeded",
    "Helm install succeeded",
    "Helm rollback to ",
    "Helm test succeeded",
    "Helm uninstall succeeded",
    "Running 'upgrade' action",
    "Running 'install' action",
    "Running 'rollback' action",
    "Running 'uninstall' action",
    "Running 'test' action",
    "successfully synced",
    "Upgrading helm chart",
    "Installing helm chart",
    "Uninstalling failed helm chart",
    "Applying HelmChart",
    "Applied revision",
];

/// Classes that stand for "begun and not ended" by Helm's status alone.
const PENDING: [&str; 4] = ["pending-install", "pending-upgrade", "pending-rollback", "uninstalling"];

/// The failure that one text (a revision's description, a condition's message) tells, or `None` where it
/// tells of none: empty, `Upgrade complete`, `Rollback to 3`, `successfully synced (all tasks run)`.
///
/// A text that no rule fits is class `unknown`, confidence `Possible`, and holds what could be peeled.
pub fn classify(text: &str) -> Option<Failure> {
    classify_counting(text).0
}

/// Also tells how many bytes were looked at, all passes together.
pub(super) fn classify_counting(text: &str) -> (Option<Failure>, usize) {
    let said = text.trim();
    if said.is_empty() || tells_none(said) {
        return (None, said.len());
    }
    let reading = Reading::of(text);
    let failure = reading.failure();
    let mut work = reading.work;
    // A terminal that wraps in the middle of a word: lines of one width, joined again.
    if let Some(unwrapped) = unwrapped(text) {
        let again = Reading::of(&unwrapped);
        work += again.work;
        let whole = again.failure();
        if whole.class != UNKNOWN && (failure.class == UNKNOWN || again.matches() > reading.matches()) {
            return (Some(whole), work);
        }
    }
    (Some(failure), work)
}

/// The failure of a stored revision: by its text, whatever the status says, else by the status.
///
/// `Rollback to 3` tells nothing on a deployed revision and `pending` under `pending-rollback`. A text of the
/// user's own (`--description`) is a failure only where the status says so.
pub fn classify_revision(status: &str, description: &str) -> Option<Failure> {
    let told = classify(description);
    if let Some(failure) = told.filter(|failure| failure.class != UNKNOWN || status == "failed") {
        return Some(failure);
    }
    if PENDING.contains(&status) {
        return Some(pending(status, description));
    }
    // `failed` without a cause in the text: somebody wrote the description over, or it is empty.
    (status == "failed").then(|| Failure::unknown(crate::redact::text(description).into_owned()))
}

/// The failure of a revision whose record does not decode: Helm skips it silently and every upgrade fails
/// with `release: already exists` (failure-guide 2). `status` is the label's.
pub fn classify_damage(status: &str) -> Option<Failure> {
    let mut entities = Entities::default();
    entities.put("reason", "the record does not decode");
    entities.put("status", status);
    Some(Failure {
        class: Class("storage"),
        confidence: Confidence::Certain,
        entities: entities.0,
        ..Failure::unknown(String::new())
    })
}

fn pending(status: &str, description: &str) -> Failure {
    let mut entities = Entities::default();
    if PENDING.contains(&status) {
        entities.put("operation", status);
    }
    Failure {
        class: Class("pending"),
        confidence: Confidence::Certain,
        entities: entities.0,
        ..Failure::unknown(crate::redact::text(description).into_owned())
    }
}

fn tells_none(said: &str) -> bool {
    let first = said.lines().next().unwrap_or(said);
    said.len() < 400
        && !said.contains("rror:")
        && !said.contains("ailed:")
        && NO_FAILURE.iter().any(|lead| first.starts_with(lead))
}

/// The lines joined without anything between, where all but the last have the same width.
fn unwrapped(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let (last, full) = lines.split_last()?;
    let width = full.first()?.chars().count();
    let same =
        width >= 40 && full.iter().all(|line| line.chars().count() == width) && last.chars().count() <= width;
    same.then(|| lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_well_is_no_failure() {
        for text in [
            "",
            " \n",
            "Upgrade complete",
            "Install complete",
            "Rollback to 5",
            "Uninstallation complete",
            "successfully synced (all tasks run)",
            "Uninstalling failed helm chart\nInstalling helm chart\n",
        ] {
            assert_eq!(classify(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_revision_is_told_by_its_text_first() {
        let class =
            |status: &str, description: &str| classify_revision(status, description).map(|f| f.class.0);
        assert_eq!(class("superseded", "Upgrade \"a\" failed: context canceled"), Some("interrupted"));
        assert_eq!(class("deployed", "my own words"), None);
        assert_eq!(class("deployed", "Rollback to 3"), None);
        assert_eq!(class("pending-rollback", "Rollback to 3"), Some("pending"));
        assert_eq!(class("pending-upgrade", "Preparing upgrade"), Some("pending"));
        assert_eq!(class("pending-install", ""), Some("pending"));
        assert_eq!(class("failed", "my own words"), Some("unknown"));
        assert_eq!(class("failed", ""), Some("unknown"));
    }

    #[test]
    fn lines_of_one_width_are_joined() {
        let text = "Upgrade \"shop\" failed: server-side apply failed for object shop/web apps/v1, Kind=Deployment: \
                    Deployment.apps \"web\" is invalid: spec.selector: Invalid value: {\"matchLabels\":{}}: field is immutable";
        for width in 40..text.len() {
            let chars: Vec<char> = text.chars().collect();
            let wrapped: Vec<String> = chars.chunks(width).map(|line| line.iter().collect()).collect();
            let failure = classify(&wrapped.join("\n")).expect("a failure");
            assert_eq!(failure.class.0, "immutable.field", "{width}");
        }
    }

    /// Doubling the input at most doubles what is looked at, whatever it is made of.
    #[test]
    fn work_is_linear() {
        let pieces = [
            "Upgrade \"a\" failed: cannot patch \"b\" with kind Deployment: Deployment.apps \"b\" is invalid: spec.x: Invalid value: {\"a\": ",
            "conflicts with \"m\" using v1:\n- .data.a\n",
            "{\"a\":\"",
            "\\\"",
            " && ",
            "admission webhook \"w\" denied the request: ",
            "Invalid value: ",
        ];
        for piece in pieces {
            let once = piece.repeat(2000 / piece.len() + 1);
            let (_, small) = classify_counting(&format!("x failed: {once}"));
            let (_, large) = classify_counting(&format!("x failed: {once}{once}"));
            assert!(large <= 2 * small + 4096, "{piece:?}: {small} then {large}");
        }
    }
}
