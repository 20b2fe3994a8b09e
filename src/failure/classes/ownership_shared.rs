//! Two deployers claim one object.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[strong(
    "is part of applications",
    "(?P<kind>[A-Z][A-Za-z0-9]*)/(?P<name>[^ ]+) is part of applications (?P<applications>.{1,300})",
)];
