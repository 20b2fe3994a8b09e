//! A generated conflict, printed as the API server prints it, reads back: 10,000 cases.

use std::fmt::Write;

use proptest::prelude::*;

use super::model::{Conflict, Operation};
use super::{conflicts, transport};

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
        let found = conflicts::read(&transport::undo(&text));
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
        prop_assert!(!found.cut, "{}", text);
        prop_assert_eq!(found.conflicts, want, "{}", text);
    }
}
