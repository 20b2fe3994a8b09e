//! What was rendered, or the deployer's own file, is no YAML. Helm `pkg/releaseutil`, Fleet `fleet.yaml`.

use crate::failure::rule::{Rule, opaque, strong};

pub(super) const RULES: &[Rule] = &[
    opaque(
        "YAML parse error on",
        "YAML parse error on (?P<file>[^ :]+):(?: error converting YAML to JSON: yaml: line (?P<line>[0-9]+))?",
    ),
    opaque("MalformedYAMLError", "MalformedYAMLError"),
    opaque(
        "converting YAML to JSON",
        "(?:(?P<file>[^ :]+): )?(?:cannot unmarshal yaml document: )?error converting YAML to JSON: yaml: line (?P<line>[0-9]+)",
    ),
    opaque("converting YAML to JSON", "error converting YAML to JSON: "),
    strong(
        "yaml: ",
        "yaml: (?:line [0-9]+|unmarshal errors|invalid map key|control characters are not allowed|did not find)",
    ),
    strong("error parsing", "error parsing (?P<file>[^ :]+): (?:error|yaml|json)").likely(),
];
