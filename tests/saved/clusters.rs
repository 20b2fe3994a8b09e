//! Which cluster an object is of.

use helm_forensics::source::saved::FromSpec;
use helm_forensics::source::{ClusterWanted, Miss, Source, resources};

use crate::dump::{Dump, block_on, cluster, names, open, paths, pod};

const INCIDENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fleet-scale-conflict");

#[test]
fn the_recorded_incident_has_three_clusters() {
    let saved = open(&[FromSpec::path(INCIDENT)]);
    assert_eq!(names(&saved), ["c-prod", "c-stage", "upstream"]);
    assert_eq!(saved.troubles(), []);
    let prod = cluster(&saved, "c-prod");
    assert!(paths(&prod, resources::DEPLOYMENTS).contains(&"shop/shop-podinfo".to_owned()));
    let object = block_on(prod.get(&resources::DEPLOYMENTS, "shop", "shop-podinfo")).unwrap().unwrap();
    assert_eq!(&*object.origin, "clusters/c-prod/deployments.apps.json");
    assert!(object.json.contains(r#""replicas":4"#), "bodies come compact");
}

#[test]
fn clusters_are_named_by_layout_then_by_the_user_then_by_the_path() {
    let dump = Dump::new()
        .file("clusters/c-a/pods.json", pod("n", "a"))
        .file("deep/clusters/c-b/x/pods.json", pod("n", "b"))
        .file("rest.json", pod("n", "c"));
    let name = dump.root().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(names(&dump.open().unwrap()), ["c-a", "c-b", name.as_str()]);
    assert_eq!(names(&dump.open_as("hub")), ["c-a", "c-b", "hub"]);
}

#[test]
fn single_files_of_one_run_are_of_one_cluster() {
    let dump = Dump::new().file("a.json", pod("n", "a")).file("b.json", pod("n", "b"));
    let saved = open(&[FromSpec::path(dump.path("a.json")), FromSpec::path(dump.path("b.json"))]);
    assert_eq!(names(&saved), ["a"]);
    assert_eq!(paths(&cluster(&saved, "a"), resources::PODS), ["n/a", "n/b"]);
}

#[test]
fn folders_that_only_sound_like_a_list_of_clusters() {
    let dump = Dump::new()
        .file("namespaces/fleet-default/fleet.cattle.io/clusters/x/c.json", pod("n", "a"))
        .file("clusters/c-prod.json", pod("n", "b"));
    assert_eq!(names(&dump.open_as("hub")), ["hub"]);
}

#[test]
fn a_downstream_cluster_is_found_by_id_or_display_name_and_never_guessed() {
    let dump = Dump::new()
        .file("clusters/upstream/pods.json", pod("n", "a"))
        .file("clusters/c-prod/pods.json", pod("n", "a"))
        .file("clusters/Stage EU/pods.json", pod("n", "a"));
    let saved = dump.open_as("x");
    let hub = cluster(&saved, "upstream");
    let wanted = |id: &str, display_name: &str| ClusterWanted {
        id: id.into(),
        display_name: Some(display_name.into()),
        ..ClusterWanted::default()
    };
    let name = |wanted: &ClusterWanted| block_on(saved.downstream(&hub, wanted)).map(|c| c.name().to_owned());
    assert_eq!(name(&wanted("c-prod", "prod")), Ok("c-prod".into()));
    assert_eq!(name(&wanted("c-9", "Stage EU")), Ok("Stage EU".into()));
    assert_eq!(name(&ClusterWanted { is_hub: true, ..wanted("local", "local") }), Ok("upstream".into()));
    let why = "saved are Stage EU, c-prod; say which dump is its with --from c-9=PATH".to_owned();
    assert_eq!(name(&wanted("c-9", "stage eu")), Err(Miss::Unreachable { cluster: "c-9".into(), why }));
}
