//! A window of the Argo CD project, or a schedule of Fleet, forbids it now.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[strong("locked by sync window", "blocked by sync window")];
