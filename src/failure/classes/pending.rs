//! An operation has begun and no end of it is recorded. Helm `pkg/release` status.

use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong("another operation (", r"another operation \(install/upgrade/rollback\) is in progress"),
    strong("a name that is still in use", "cannot re-?use a name that is still in use"),
    strong("release name check failed", "release name check failed"),
    strong("failed to delete release", "failed to delete release: (?P<release>[^ ]+)"),
    strong("Release unlocked from stale", "Release unlocked from stale '(?P<operation>[a-z-]+)' state"),
    strong("status forced by", "status forced by (?P<by>[^ ]+)"),
    strong("Preparing upgrade", "^Preparing upgrade$"),
    strong("Initial install underway", "^Initial install underway$"),
    strong("Deletion in progress", r"Deletion in progress \(or silently failed\)"),
    strong("in pending-", "in (?P<operation>pending-(?:install|upgrade|rollback)) state"),
    weak("pending-", r"(?:^| )(?P<operation>pending-(?:install|upgrade|rollback))(?: |$)"),
    weak("uninstalling", r"(?:^| )(?P<operation>uninstalling)(?: |$)").likely(),
];
