//! Where one error ends and the next begins: six joiners (failure-guide 4, 13), and the lead-ins that begin
//! a new object.

use super::rule::{Rule, strong};

/// Between the errors of two objects, whatever stands in front.
pub(super) const HARD: &[Rule] = &[
    strong(" && ", " && "),
    strong(" * ", r" \* "),
    strong("failed for object ", "server-side apply failed for object "),
    strong("applying object ", "conflict occurred while applying object "),
    strong("annot patch \"", "cannot patch \""),
    strong("failed to replace object", "failed to replace object"),
    strong("error when ", r#"error when [a-z ]+ ""#),
    strong("]; ", r"\]; "),
    strong(") [", r"(?:^|; )[A-Z][A-Za-z]+\([0-9]+\) \["),
];

/// Where the API server begins to speak about an object; inside a webhook's message it is no border.
pub(super) const SOFT: &[Rule] = &[
    strong(" is invalid: ", r#"(?:[A-Z][A-Za-z0-9.-]* )?"[^"]*" is invalid: "#),
    strong("\" is forbidden", r#"[a-z][a-z0-9./-]* "[^"]*" is forbidden"#),
];

/// Where the second of two nested errors begins (failure-guide 4, 12: no separator but a colon).
pub(super) const SECOND: &[Rule] = &[
    strong(": unable to cleanup", ": unable to cleanup resources: "),
    strong(": uninstallation completed", ": uninstallation completed with "),
    strong(": failed to", r": (?:query|get|list|update|create|delete): failed to "),
    strong(": release", r": release(?::| has no) "),
    strong(": no revision", ": no revision "),
    strong(": cannot patch", ": cannot patch \""),
    strong(": server-side apply", ": server-side apply failed for object "),
    strong(": conflict occurred", ": conflict occurred while applying object "),
    strong(": failed to replace", ": failed to replace object"),
    strong(" hooks failed: ", r": (?:pre|post)-(?:rollback|delete|upgrade|install) hooks failed: "),
    strong(": timed out", ": timed out waiting for the condition"),
    strong(": context ", r": context (?:deadline exceeded|canceled)"),
    strong(": resource ", r": resource [A-Za-z0-9]+/"),
    strong(": unable to build", ": unable to build kubernetes objects"),
    strong(": Kubernetes cluster", ": Kubernetes cluster unreachable"),
    strong(": kubernetes cluster", ": kubernetes cluster unreachable"),
];
