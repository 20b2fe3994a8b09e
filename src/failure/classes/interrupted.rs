//! Somebody or something ended the run.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("context canceled", "context cancell?ed"),
    strong("Operation terminated", "Operation terminated"),
    strong("signal: ", "signal: (?:killed|terminated|interrupt)"),
];
