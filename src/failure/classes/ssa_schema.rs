//! Server-side apply refused: the object does not fit the schema. structured-merge-diff `typed`.

use crate::failure::rule::{Rule, ssa_path, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "typed patch object",
        concat!(
            r"failed to create typed patch object(?: \([^)]*\))?: (?:errors: )?(?P<field>",
            ssa_path!(),
            "): "
        ),
    ),
    strong("typed patch object", r"failed to create typed patch object(?: \([^)]*\))?: "),
    strong(
        "building typed value",
        concat!("error building typed value from (?:config|live) resource: (?P<field>", ssa_path!(), "): "),
    ),
    strong("building typed value", "error building typed value from (?:config|live) resource"),
    strong("not declared in schema", concat!("(?P<field>", ssa_path!(), "): field not declared in schema")),
    strong(
        "duplicate entries for key",
        concat!("(?P<field>", ssa_path!(), r"): duplicate entries for key \["),
    ),
    strong(
        "omits key field",
        concat!(
            "(?P<field>",
            ssa_path!(),
            "): element [0-9]+: associative list with keys has an element that omits key field"
        ),
    ),
    strong(
        "expected ",
        concat!(
            "(?P<field>",
            ssa_path!(),
            r"): expected (?:numeric \(int or float\)|map|list|string|boolean|scalar)[^:]{0,60}, got"
        ),
    ),
    strong("metadata.managedFields must be nil", "metadata.managedFields must be nil"),
    strong("typed live object", "failed to create typed live object"),
    strong("to smd typed", "failed to convert (?:new|old|live) object .{0,300}?to smd typed"),
    strong("pruning fields", "error pruning fields|failed to prune fields").likely(),
];
