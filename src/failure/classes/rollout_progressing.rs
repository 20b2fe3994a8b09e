//! Applied, new pods are not ready yet. Fleet NotReady items, wrangler summary.

use crate::failure::rule::{Rule, weak};

pub(super) const RULES: &[Rule] = &[
    weak(
        "]",
        r"[a-z0-9]+\.[a-z0-9.-]+ (?:[a-z0-9.-]+/)?[a-z0-9][^ /{\[]* \[?(?:progressing|in-progress|error|inactive|[a-z]+ing)\]",
    ),
    weak("\"nonReady\":[", r#""nonReady":\[\{"#),
    weak("does not have minimum availability", "Deployment does not have minimum availability"),
];
