//! An admission webhook said no. Kubernetes `admission/plugin/webhook`.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque(
        "admission webhook",
        r#"admission webhook "(?P<webhook>[^"]*)" denied the request(?: without explanation)?"#,
    )
    .with_message(),
    opaque("admission webhook", r#"admission webhook (?P<webhook>[^ "]+) denied the request"#).with_message(),
];
