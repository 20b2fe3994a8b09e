//! It waits for another release, whose failure is the cause.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque(
        "dependency '",
        "dependency '(?P<dependency>[^']+)' (?:is not ready|revision is not up to date|not found)",
    ),
    opaque("' dependency: ", "unable to get '(?P<dependency>[^']+)' dependency: "),
    opaque("dependent bundle", r"dependent bundle\(s\) are not ready(?:: \[(?P<dependency>[^\]]+)\])?"),
    opaque(
        "no bundles matching labels",
        "no bundles matching labels (?:fleet\\.cattle\\.io/bundle-name=(?P<dependency>[^, ]+))?",
    ),
    opaque("WaitingForDependency", "WaitingForDependency\\("),
    opaque("do not meet ready condition", "dependencies do not meet ready condition"),
];
