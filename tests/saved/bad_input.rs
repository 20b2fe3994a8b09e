//! Files that are not what they should be. The rest is used, and each is said once.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use helm_forensics::source::saved::{FromSpec, Limits, Saved};
use helm_forensics::source::{Source as _, resources};

use crate::dump::{Dump, cluster, paths, pod, troubles};

#[test]
fn each_is_said_and_the_rest_is_used() {
    let yaml = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n";
    let half_list = format!(
        r#"{{"kind":"List","apiVersion":"v1","items":[{},{},{{"ki"#,
        pod("shop", "b"),
        pod("shop", "c")
    );
    let half_yaml = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: b\n    namespace: shop\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    na";
    let cases: &[(&str, &[u8], &[&str], &str)] = &[
        ("f.json", b"", &[], "f.json: has 0 bytes"),
        (
            "f.json",
            half_list.as_bytes(),
            &["shop/b", "shop/c"],
            "the rest of f.json: it ends before its end; 2 whole objects before the cut are used",
        ),
        (
            "f.yaml",
            half_yaml.as_bytes(),
            &["shop/b"],
            "the rest of f.yaml: it ends before its end; 1 whole objects before the cut are used",
        ),
        ("f.json", b"{\"apiVersion\": yes}", &[], "part of f.json: line 1 does not parse: expected value"),
        ("f.yaml", b"\x7fELF\0\0\x01", &[], "f.yaml: neither JSON nor YAML, whatever its name says"),
        ("core", b"\x7fELF\0\0\x01", &[], ""),
        ("kubelet.log", b"I1201 00:00:00 apiVersion: v1 {", &[], ""),
        ("audit.log", b"{\"level\":\"info\"}\n{\"level\":\"info\"}\n", &[], ""),
        ("values.yaml", b"replicas: 2\n", &[], ""),
        (
            "f.txt",
            b"NAMESPACE   NAME   READY\nshop        web    1/1\n",
            &[],
            "the objects in f.txt: a table as kubectl prints it for people holds neither fields nor owners",
        ),
        (
            "f.json",
            br#"{"kind":"Status","apiVersion":"v1","message":"secrets is forbidden"}"#,
            &[],
            "the objects in f.json: the API server answered with an error: secrets is forbidden",
        ),
        (
            "f.json",
            b"Error from server (Forbidden): secrets is forbidden\n",
            &[],
            "the objects in f.json: the API server answered with an error: Error from server (Forbidden): secrets is forbidden",
        ),
        (
            "f.json",
            &[pod("shop", "b").as_bytes(), b"\n{\"note\":\"\xff\"}"].concat(),
            &["shop/b"],
            "some characters in f.json: they are not UTF-8; each is read as U+FFFD",
        ),
    ];
    for (name, content, more, want) in cases {
        let saved = Dump::new().file("a.json", pod("shop", "a")).file(name, content).open_as("x");
        let all: Vec<&str> = ["shop/a"].iter().chain(*more).copied().collect();
        assert_eq!(paths(&cluster(&saved, "x"), resources::PODS), all, "{want}");
        let want: &[&str] = if want.is_empty() { &[] } else { &[want] };
        assert_eq!(troubles(&saved), want);
    }
    let tabs = format!("{yaml}---\n{}", yaml.replace("  name", "\tname"));
    let saved = Dump::new().file("f.yaml", tabs).open_as("x");
    assert_eq!(paths(&cluster(&saved, "x"), resources::PODS), ["shop/web"]);
    assert_eq!(troubles(&saved), ["part of f.yaml: line 10 is indented with a tab, which YAML forbids"]);
}

#[test]
fn tables_name_the_command_that_would_help() {
    let table = "NAMESPACE   NAME   READY\nshop        web    1/1\n";
    let saved = Dump::new().file("a.json", pod("n", "a")).file("deployments.yaml", table).open_as("x");
    let fill: Vec<String> = saved.troubles().into_iter().filter_map(|gap| gap.fill).collect();
    assert_eq!(fill, ["kubectl get deployments.apps -A -o json --show-managed-fields > FILE"]);
}

#[test]
fn links_and_forbidden_files_are_said() {
    let dump = Dump::new().file("a.json", pod("shop", "a")).file("locked.json", pod("shop", "b"));
    symlink("/etc", dump.path("etc")).unwrap();
    symlink(".", dump.path("loop")).unwrap();
    std::fs::set_permissions(dump.path("locked.json"), std::fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = std::fs::File::open(dump.path("locked.json")).is_ok();
    let troubles = troubles(&dump.open_as("x"));
    assert!(troubles.contains(&"etc, loop: links are not followed".to_owned()), "{troubles:?}");
    // Nothing is forbidden to root.
    let locked = troubles.contains(&"locked.json: cannot be read: permission denied".to_owned());
    assert_eq!(locked, !is_root, "{troubles:?}");
}

#[test]
fn nothing_at_all_is_an_error_that_says_what_to_do() {
    let open = |path: &std::path::Path| {
        Saved::open(&[FromSpec::path(path)], Limits::default()).err().expect("nothing is there").to_string()
    };
    let empty = Dump::new();
    assert_eq!(open(&empty.path("none")), format!("{} does not exist", empty.path("none").display()));
    let text = open(empty.root());
    assert!(text.starts_with("no Kubernetes object in ") && text.contains("kubectl get"), "{text}");
    let tables = Dump::new().file("pods.txt", "NAME   READY\nweb    1/1\n");
    let text = open(&tables.path("pods.txt"));
    assert!(text.contains("kubectl get pods -A -o json --show-managed-fields"), "{text}");
}

#[test]
fn very_many_small_files() {
    let mut dump = Dump::new();
    for n in 0..2_000 {
        dump = dump.file(&format!("{}/{n}.json", n % 50), pod("shop", &format!("p{n}")));
    }
    assert_eq!(paths(&cluster(&dump.open_as("x"), "x"), resources::PODS).len(), 2_000);
}

/// What a must-gather of a large cluster looks like; the release that is stuck lies among them.
#[test]
fn a_hundred_thousand_small_files_hide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for part in 0..100 {
        let part_folder = folder.path().join(format!("filler/{part}"));
        std::fs::create_dir_all(&part_folder).unwrap();
        for number in 0..1000 {
            let object = format!(
                r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p{number}","namespace":"n{part}"}}}}"#
            );
            std::fs::write(part_folder.join(format!("{number}.json")), object).unwrap();
        }
    }
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(["why", "-o", "json", "--from", "fixtures/fleet-scale-conflict", "--from"])
        .arg(format!("filler={}", folder.path().display()))
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["findings"][0]["class"], "ssa.conflict", "{report:#}");
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
}
