//! A hook ran and failed, and nothing in its text has a better name. Helm `pkg/action/hooks.go`.

use crate::failure::rule::{Rule, lead, strong};

pub(super) const RULES: &[Rule] = &[
    strong("ob ", r"\b[Jj]ob(?: (?P<hook.name>[a-z0-9][a-z0-9.-]*))? failed: (?P<reason>[A-Za-z]+)"),
    strong("specified backoff limit", "Job has reached the specified backoff limit"),
    strong("was active longer than", "Job was active longer than specified deadline").likely(),
    lead(" hooks failed", "(?P<hook.phase>(?:pre|post)-(?:install|upgrade|rollback|delete)) hooks failed"),
    lead("failed p", "failed (?P<hook.phase>(?:pre|post)-(?:install|upgrade|rollback|delete)): "),
    lead("arning: Hook ", "[Ww]arning: Hook (?P<hook.phase>[a-z-]+) (?P<hook.path>[^ ]+) failed: "),
];
