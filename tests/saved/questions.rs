//! What can be asked of a saved cluster.

use helm_forensics::source::{Miss, Query, resources};

use crate::dump::{Dump, block_on, cluster, list, path_of, paths, troubles};

const SECRETS: &str = r#"{"kind":"List","apiVersion":"v1","items":[
  {"apiVersion":"v1","kind":"Secret","type":"helm.sh/release.v1","data":{"release":"eA=="},
   "metadata":{"name":"sh.helm.release.v1.shop.v1","namespace":"shop","labels":{"owner":"helm","status":"superseded"}}},
  {"apiVersion":"v1","kind":"Secret","type":"helm.sh/release.v1","data":{"release":"eA=="},
   "metadata":{"name":"sh.helm.release.v1.shop.v2","namespace":"shop","labels":{"owner":"helm","status":"failed"}}},
  {"apiVersion":"v1","kind":"Secret","type":"Opaque","metadata":{"name":"other","namespace":"web"}}]}"#;

#[test]
fn selectors_namespaces_and_detail() {
    let saved = Dump::new().file("secrets.json", SECRETS).open_as("x");
    let x = cluster(&saved, "x");
    let all = Query::all(resources::SECRETS);
    let paths_of = |query: Query| list(&x, &query).iter().map(path_of).collect::<Vec<_>>();
    let (v1, v2) = ("shop/sh.helm.release.v1.shop.v1", "shop/sh.helm.release.v1.shop.v2");
    assert_eq!(paths_of(all.clone()), [v1, v2, "web/other"]);
    assert_eq!(paths_of(all.clone().within("web")), ["web/other"]);
    assert_eq!(paths_of(all.clone().labelled("owner=helm")), [v1, v2]);
    assert_eq!(paths_of(all.clone().labelled("owner=helm,status!=superseded")), [v2]);
    assert_eq!(paths_of(all.clone().selected("type=helm.sh/release.v1")), [v1, v2]);
    assert_eq!(paths_of(all.clone().selected("metadata.name=other")), ["web/other"]);

    let metadata = list(&x, &all.metadata_only().within("shop"));
    for object in &metadata {
        let value: serde_json::Value = object.parse().unwrap();
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["apiVersion", "kind", "metadata"]);
    }
    assert_eq!(metadata.len(), 2);
}

#[test]
fn a_kind_that_was_not_saved_is_not_the_same_as_an_empty_list() {
    let saved = Dump::new()
        .file("secrets.json", SECRETS)
        .file("events.json", r#"{"kind":"List","apiVersion":"v1","items":[]}"#)
        .open_as("x");
    let x = cluster(&saved, "x");
    assert_eq!(paths(&x, resources::EVENTS), [""; 0]);
    let miss = block_on(x.list(&Query::all(resources::PODS))).unwrap_err();
    assert_eq!(miss, Miss::NotServed { resource: "pods".into() });
}

#[test]
fn resources_of_kinds() {
    let saved = Dump::new()
        .file("a.yaml", "apiVersion: ssa.example.com/v1\nkind: Policy\nmetadata:\n  name: p\n")
        .open_as("x");
    let x = cluster(&saved, "x");
    for (api_version, kind, want, namespaced) in [
        ("ssa.example.com/v1", "Policy", "policies.ssa.example.com", false),
        ("apps/v1", "Deployment", "deployments.apps", true),
        ("example.com/v1", "Widget", "widgets.example.com", true),
    ] {
        let resource = block_on(x.resource_of(api_version, kind)).unwrap();
        assert_eq!((resource.to_string().as_str(), resource.namespaced), (want, namespaced));
    }
}

#[test]
fn of_two_states_the_newer_is_used_and_said() {
    let pod = |version: &str, phase: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a","namespace":"n","resourceVersion":"{version}"}},"status":{{"phase":"{phase}"}}}}"#
        )
    };
    let saved = Dump::new()
        .file("1.json", pod("1000", "Running"))
        .file("2.json", pod("999", "Pending"))
        .file("3.json", pod("1000", "Running"))
        .open_as("x");
    let pods = list(&cluster(&saved, "x"), &Query::all(resources::PODS));
    assert_eq!(pods.len(), 1);
    assert!(pods[0].json.contains("Running"));
    assert_eq!(
        troubles(&saved),
        [
            "an older state of 2.json: Pod n/a is there twice; the state with the newer resourceVersion, in 1.json, is used"
        ]
    );
}

#[test]
fn of_two_equal_states_the_one_with_owners_is_used() {
    let pod = |extra: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a","namespace":"n","resourceVersion":"7"{extra}}},"status":{{"longer":"because of this"}}}}"#
        )
    };
    for (first, second) in [("", r#","managedFields":[]"#), (r#","managedFields":[]"#, "")] {
        let saved = Dump::new().file("1.json", pod(first)).file("2.json", pod(second)).open_as("x");
        let pods = list(&cluster(&saved, "x"), &Query::all(resources::PODS));
        assert!(pods[0].json.contains("managedFields"));
        assert_eq!(troubles(&saved), [""; 0]);
    }
}
