//! Server-side apply refused: another manager holds a field. API server `managedfields`, Helm 4 `pkg/kube`.

use crate::failure::rule::{Rule, ssa_path, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong("Apply failed with", "Apply failed with [0-9]+ conflicts?"),
    strong(
        "onflict",
        concat!(
            r#"conflicts? with "(?:[^"\\]|\\.)*"(?: with subresource "[^"]*")?(?: using [^ :]+)?(?: at [^ ]+)?: ?(?:- )?"#,
            ssa_path!()
        ),
    ),
    weak(
        "applying object ",
        "conflict occurred while applying object [^ ]+ (?:[^ ]{1,200} ){0,8}?conflicts? with \"",
    )
    .likely(),
    weak("applying object ", "conflict occurred while applying object ").possible(),
];
