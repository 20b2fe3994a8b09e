//! Every form that objects are saved in.

use std::io::Cursor;

use helm_forensics::source::resources;
use helm_forensics::source::saved::{FromSpec, Limits, PathOrStdin, Saved};

use crate::dump::{Dump, cluster, names, paths, pod, troubles};

const YAML_POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: shop\n";

const YAML_LIST: &str = "apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
    namespace: shop
    annotations:
      note: |
        - not an item
        kind: nothing

        # not a comment
  spec: {}
- apiVersion: v1
  kind: Pod
  metadata:
    name: b
    namespace: shop
kind: List
metadata:
  resourceVersion: \"\"
";

#[test]
fn forms() {
    let json_list =
        format!(r#"{{"apiVersion":"v1","kind":"List","items":[{},{}]}}"#, pod("shop", "a"), pod("shop", "b"));
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(pod("shop", "a").encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let both: &[&str] = &["shop/a", "shop/b"];
    let one: &[&str] = &["shop/a"];
    let cases: &[(&str, Vec<u8>, &[&str])] = &[
        ("JSON", pod("shop", "a").into(), one),
        ("JSON list", json_list.clone().into(), both),
        (
            "JSON with a byte order mark and CRLF",
            format!("\u{feff}\r\n{}\r\n", json_list.replace(',', ",\r\n")).into(),
            both,
        ),
        ("JSON documents in a row", format!("{}\n{}", pod("shop", "a"), pod("shop", "b")).into(), both),
        (
            "JSON documents between markers",
            format!("# saved\n---\n{}\n---\n{}", pod("shop", "a"), pod("shop", "b")).into(),
            both,
        ),
        ("UTF-16 of PowerShell", utf16, one),
        ("YAML", YAML_POD.into(), one),
        ("YAML with comments and a marker", format!("# note\n---\n# more\n{YAML_POD}").into(), one),
        ("YAML with CRLF", YAML_POD.replace('\n', "\r\n").into(), one),
        ("YAML with a byte order mark", format!("\u{feff}{YAML_POD}").into(), one),
        ("YAML stream", format!("{YAML_POD}---\n{}", YAML_POD.replace("name: a", "name: b")).into(), both),
        ("YAML list", YAML_LIST.into(), both),
        ("YAML list, indented", YAML_LIST.replace("\n  ", "\n    ").replace("\n- ", "\n  - ").into(), both),
        (
            "YAML in flow style",
            format!("--- {}", pod("shop", "a").replace('"', "")).replace(':', ": ").into(),
            one,
        ),
        ("a repeated key", pod("shop", "a").replace(r#""kind""#, r#""kind":"Node","kind""#).into(), one),
    ];
    for (form, content, want) in cases {
        for name in ["objects", "objects.json", "objects.yaml"] {
            let saved = Dump::new().file(name, content).open_as("x");
            assert_eq!(paths(&cluster(&saved, "x"), resources::PODS), *want, "{form} in {name}");
            assert_eq!(troubles(&saved), [""; 0], "{form} in {name}");
        }
    }
}

#[test]
fn items_of_a_typed_list_get_the_kind_of_the_list() {
    let list = r#"{"kind":"SecretList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"s","namespace":"shop"},"data":null}]}"#;
    let saved = Dump::new().file("raw.json", list).open_as("x");
    assert_eq!(paths(&cluster(&saved, "x"), resources::SECRETS), ["shop/s"]);
}

#[test]
fn standard_input_is_a_file_like_others() {
    for (spec, want) in [("-", "stdin"), ("c-prod=-", "c-prod")] {
        let spec: FromSpec = spec.parse().unwrap();
        assert_eq!(spec.path, PathOrStdin::Stdin);
        let saved = Saved::open_with(&[spec], Limits::default(), &mut Cursor::new(YAML_LIST)).unwrap();
        assert_eq!(names(&saved), [want]);
        assert_eq!(paths(&cluster(&saved, want), resources::PODS), ["shop/a", "shop/b"]);
    }
}
