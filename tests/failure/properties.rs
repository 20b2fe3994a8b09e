//! What holds for every text.

use std::fmt::Write;

use helm_forensics::failure::{Conflict, Operation, classify, find};
use helm_forensics::redact;
use proptest::prelude::*;

/// Go's `%q` for what it does not print as it is.
fn go_quoted(name: &str) -> String {
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => _ = write!(out, "\\x{:02x}", c as u32 & 0xff),
            c => out.push(c),
        }
    }
    out + "\""
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 ._:/@\"\\\\\n\t\u{e9}\u{4e2d}\u{1f600}\\[\\]{},;'&-]{1,24}"
}

/// `.spec.ports[port=80,protocol="TCP"].name`, `.data.a.b/c`, `.metadata.finalizers[="x"]`.
fn field() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        "[a-zA-Z][a-zA-Z0-9_-]{0,8}".prop_map(|name| format!(".{name}")),
        "[a-z0-9./_-]{1,16}".prop_map(|name| format!(".{name}x")),
        "[a-z]{1,4}\\[[a-z0-9]{0,4}\\][a-z]{0,3}".prop_map(|name| format!(".{name}")),
        ("[a-z]{1,6}", name()).prop_map(|(key, value)| format!("[{key}={}]", go_quoted(&value))),
        ("[a-z]{1,6}", 0_u32..70_000, name())
            .prop_map(|(key, number, value)| format!("[{key}={number},protocol={}]", go_quoted(&value))),
        name().prop_map(|value| format!("[={}]", go_quoted(&value))),
        (0_u32..100).prop_map(|index| format!("[{index}]")),
    ];
    (proptest::collection::vec(key, 1..5)).prop_map(|parts| format!(".f{}", parts.concat()))
}

#[derive(Clone, Debug)]
struct Holder {
    manager: String,
    subresource: String,
    api_version: String,
    fields: Vec<String>,
}

fn holder() -> impl Strategy<Value = Holder> {
    (
        name(),
        prop_oneof![Just(String::new()), "[a-z]{1,8}"],
        prop_oneof![Just(String::new()), Just("v1".to_owned()), "[a-z.]{1,12}/v[0-9](beta[0-9])?"],
        proptest::collection::vec(field(), 1..4),
    )
        .prop_map(|(manager, subresource, api_version, fields)| Holder {
            manager,
            subresource,
            api_version,
            fields,
        })
}

/// As the API server prints it (failure-guide 4).
fn printed(holders: &[Holder]) -> String {
    let fields: usize = holders.iter().map(|holder| holder.fields.len()).sum();
    let who = |holder: &Holder| {
        let mut who = go_quoted(&holder.manager);
        if !holder.subresource.is_empty() {
            _ = write!(who, " with subresource {}", go_quoted(&holder.subresource));
        }
        if !holder.api_version.is_empty() {
            _ = write!(who, " using {}", holder.api_version);
        }
        who
    };
    match holders {
        [one] if fields == 1 => {
            format!("Apply failed with 1 conflict: conflict with {}: {}", who(one), one.fields.concat())
        }
        _ => {
            let blocks: Vec<String> = holders
                .iter()
                .map(|holder| format!("conflicts with {}:\n- {}", who(holder), holder.fields.join("\n- ")))
                .collect();
            format!("Apply failed with {fields} conflicts: {}", blocks.join("\n"))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_conflict_reads_back(holders in proptest::collection::vec(holder(), 1..4)) {
        let text = format!(
            "Upgrade \"a\" failed: conflict occurred while applying object ns/n apps/v1, Kind=Deployment: {}",
            printed(&holders),
        );
        let failure = classify(&text).expect("a failure");
        let mut want: Vec<Conflict> = Vec::new();
        for holder in &holders {
            for field in &holder.fields {
                let conflict = Conflict {
                    object_index: Some(0),
                    manager: holder.manager.clone(),
                    operation: if holder.api_version.is_empty() { Operation::Apply } else { Operation::Update },
                    subresource: holder.subresource.clone(),
                    api_version: holder.api_version.clone(),
                    time: None,
                    field: field.clone(),
                };
                if !want.contains(&conflict) {
                    want.push(conflict);
                }
            }
        }
        prop_assert_eq!(failure.class.0, "ssa.conflict");
        prop_assert_eq!(failure.conflicts, want, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = classify(&text);
        let _ = find(&text);
        let _ = redact::text(&text);
        let _ = redact::harmless(&text, false);
    }

    /// Pieces of real formats in any order: borders of spans and of characters.
    #[test]
    fn any_pieces_are_read(pieces in proptest::collection::vec(prop_oneof![
        Just("Invalid value: ".to_owned()), Just("{\"a\":\"".to_owned()), Just("}".to_owned()), Just("\\\"".to_owned()),
        Just(" modified {".to_owned()), Just("conflict with \"".to_owned()), Just("...|".to_owned()),
        Just("Apply failed with 2 conflicts: conflicts with \"m\" using v1:\n- .a[".to_owned()),
        Just("\u{2502}\n\u{2502}".to_owned()), Just("password=".to_owned()), Just(" && ".to_owned()), "\\PC{0,6}",
        Just("original upgrade error: ".to_owned()), Just("error occurred:\n\t* ".to_owned()),
    ], 0..24)) {
        let text = pieces.concat();
        let _ = classify(&text);
        let once = redact::text(&text).into_owned();
        let _ = redact::text(&once);
    }

    /// A value never survives in the formats that quote one.
    #[test]
    fn no_value_survives(value in "[a-zA-Z0-9 ,:=!#$%&*+/<>?@^_`~-]{8,40}", nested in any::<bool>()) {
        let value = format!("Zq{value}qZ");
        let json = format!(r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"env":[{{"name":"A","value":"{value}"}}],"name":"c"}}]}}}}}}}}"#);
        let escaped = serde_json::to_string(&json).expect("a JSON string");
        let texts = [
            format!("deployment.apps a/b modified {json}; service.v1 a/c missing"),
            format!("Modified(1) [Cluster f/c]; deployment.apps a/b modified {json}"),
            format!("Job.batch \"j\" is invalid: spec.template: Invalid value: {json}: field is immutable"),
            format!("cannot patch \"x\" with kind Deployment:  \"\" is invalid: patch: Invalid value: {escaped}: json: x"),
            format!("spec.template: Invalid value: core.P{{Env:[]core.EnvVar{{core.EnvVar{{Name:\"A\", Value:\"{value}\"}}}}}}: field is immutable"),
            format!("The order in patch list:\n[map[name:A value:{value}]]\n doesn't match $setElementOrder list:\n[map[name:A]]"),
        ];
        for text in texts {
            let text = if nested { serde_json::json!({ "error": text }).to_string() } else { text };
            let shown = redact::text(&text).into_owned();
            prop_assert!(!shown.contains(&value), "{}", shown);
            let failure = serde_json::to_string(&classify(&text)).expect("JSON");
            prop_assert!(!failure.contains(&value), "{}", failure);
        }
    }
}
