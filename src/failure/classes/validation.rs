//! The API server refuses the object: a field is missing, of the wrong type or out of bounds.

use crate::failure::rule::{Rule, field_path, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong(
        "ValidationError(",
        concat!(r"ValidationError\((?P<kind>[A-Z][A-Za-z0-9]*)(?:\.(?P<field>", field_path!(), r"))?\)"),
    ),
    strong(
        "unknown object type",
        concat!(
            r#"unknown object type "nil" in (?P<kind>[A-Z][A-Za-z0-9]*)\.(?P<field>"#,
            field_path!(),
            ")"
        ),
    ),
    strong("error validating", "error validating (?:data|\"[^\"]*\"): "),
    strong("strict decoding error", "strict decoding error: "),
    strong(" is invalid: ", r#"(?:[A-Z][A-Za-z0-9.-]* )?"[^"]*" is invalid: "#),
    strong("doesn't match $setElementOrder", r"doesn't match \$setElementOrder list"),
    strong("cannot be handled as a", "cannot be handled as a [A-Z]"),
    strong("cannot unmarshal", "json: cannot unmarshal [a-z]+ into Go "),
    strong(
        "nvalid value: ",
        "[a-z][A-Za-z0-9.\\[\\]]*: (?:Invalid value|Unsupported value|Duplicate value): ",
    )
    .likely(),
    strong("Required value", "[a-z][A-Za-z0-9.\\[\\]]*: Required value").likely(),
    strong("quantities must match", "quantities must match the regular expression").likely(),
    strong("unable to decode", "unable to decode \"[^\"]*\": ").likely(),
    weak("Bad", "(?:BadRequest\\)|the server rejected our request)").possible(),
];
