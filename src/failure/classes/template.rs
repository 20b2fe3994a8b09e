//! The chart does not render. Go `text/template`, Helm `pkg/engine`.

use regex::Captures;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque(
        "execution error at (",
        r"execution error at \((?P<file>[^ :)]+)(?::(?P<line>[0-9]+))?(?::(?P<column>[0-9]+))?\)",
    )
    .with_message(),
    opaque(
        "parse error at (",
        r"parse error at \((?P<file>[^ :)]+)(?::(?P<line>[0-9]+))?(?::(?P<column>[0-9]+))?\)",
    )
    .with_message(),
    opaque("parse error in", r#"parse error in "(?P<file>[^"]+)""#),
    opaque("render error in", r#"render error in "(?P<file>[^"]+)": "#).reading(place),
    opaque(
        "executing \"",
        r#"(?:(?P<file>[^ :]+):(?P<line>[0-9]+)(?::(?P<column>[0-9]+))?:? )?executing "[^"]*" at <(?P<expression>[^>]{1,200})>"#,
    ),
    opaque("executing \"", "executing \"[^\"]*\" at <"),
    opaque("error calling include", "error calling include: "),
    opaque("not defined", r#"function "(?P<function>[^"]+)" not defined"#),
    opaque("nil pointer evaluating", "nil pointer evaluating "),
    opaque("can't evaluate field", "can't evaluate field (?P<field>[^ ]+) in type"),
    opaque("template: ", "template: (?P<file>[^ :]+):(?P<line>[0-9]+)(?::(?P<column>[0-9]+))?: "),
    opaque("no template ", r#"no template "[^"]+" associated with template"#),
];

/// Line and column stand behind the file's name a second time.
fn place(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    let Some(after) = error.split("template: ").nth(1) else { return };
    let mut parts = after.split(':').skip(1);
    for key in ["line", "column"] {
        if let Some(number) = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
            entities.put(key, number);
        }
    }
}
