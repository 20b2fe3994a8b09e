//! Helm finds no such release. Helm `pkg/storage/driver` `ErrReleaseNotFound`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("release: not found", "(?:Release not loaded: (?P<release>[^ :]+): )?release: not found"),
    strong("Release not loaded", "Release not loaded: (?P<release>[^ :]+)"),
];
