//! Applied, and the rollout passed its own deadline. Deployment controller.

use crate::failure::rule::{Rule, weak};

pub(super) const RULES: &[Rule] = &[
    weak("ProgressDeadlineExceeded", "ProgressDeadlineExceeded"),
    weak("timed out progressing", r#"ReplicaSet "[^"]+" has timed out progressing"#),
];
