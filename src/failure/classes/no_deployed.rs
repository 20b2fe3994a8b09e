//! No revision is deployed that an upgrade could begin from. Helm `pkg/storage`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] =
    &[strong("has no deployed releases", r#"(?:"(?P<release>[^"]+)" )?has no deployed releases"#)];
