//! Listing: pages, selectors, metadata, what is not there.

use helm_forensics::source::live::Limits;
use helm_forensics::source::{Miss, Query, resources};
use serde_json::Value;

use crate::fake_api::{FakeApi, Fault, Store};
use crate::rig::{Home, config_maps, hub, names, run};

#[test]
fn every_page_is_read() {
    let api = FakeApi::of(config_maps(120));
    let home = Home::of(&api);
    let found = run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap()
    });
    assert_eq!(found.len(), 121);
    assert_eq!(&*found[0].origin, "context prod");
    let json: Value = serde_json::from_str(&found[120].json).unwrap();
    assert_eq!((&json["kind"], &json["data"]["a"]), (&"ConfigMap".into(), &"b".into()));
    assert_eq!(
        api.paths(),
        [
            "/api/v1/configmaps?limit=50",
            "/api/v1/configmaps?limit=50&continue=from-50",
            "/api/v1/configmaps?limit=50&continue=from-100"
        ]
    );
}

#[test]
fn selectors_and_metadata_reach_the_server() {
    let mut store = config_maps(2);
    store.add_secret("shop", "opaque", "password", "s3cr3t-planted");
    let api = FakeApi::of(store);
    let home = Home::of(&api);
    run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        let labelled = Query::all(resources::CONFIG_MAPS).labelled("app=other").metadata_only();
        let found = cluster.list(&labelled).await.unwrap();
        assert_eq!(names(&found), ["apart"]);
        assert!(!found[0].json.contains("\"data\""), "{}", found[0].json);
        let releases = Query::all(resources::SECRETS).selected("type=helm.sh/release.v1");
        assert_eq!(names(&cluster.list(&releases).await.unwrap()), Vec::<String>::new());
        let within = Query::all(resources::CONFIG_MAPS).within("shop").selected("metadata.name=m-0001");
        assert_eq!(names(&cluster.list(&within).await.unwrap()), ["m-0001"]);
        let one = cluster.get(&resources::CONFIG_MAPS, "shop", "m-0000").await.unwrap();
        assert_eq!(names(&one.into_iter().collect::<Vec<_>>()), ["m-0000"]);
        assert!(cluster.get(&resources::CONFIG_MAPS, "shop", "gone").await.unwrap().is_none());
    });
    let seen = api.seen();
    assert!(seen.iter().all(|seen| seen.header("user-agent").starts_with("kubectl-helm_forensics/")));
    assert!(seen[0].header("accept").starts_with("application/json;as=PartialObjectMetadataList;"));
}

#[test]
fn a_list_that_grew_too_old_is_started_over_once() {
    let cases = [(1, Ok(121)), (2, Err("the list changed faster than its pages could be read (410, twice)"))];
    for (times, wanted) in cases {
        let api = FakeApi::builder()
            .cluster("", config_maps(120))
            .fault_times("continue=from-100", Fault::Status(410), times)
            .start();
        let home = Home::of(&api);
        let found = run(async {
            let (_live, cluster) = hub(&home.connection(), Limits::default());
            cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
        });
        match (found, wanted) {
            (Ok(count), Ok(wanted)) => assert_eq!(count, wanted),
            (Err(Miss::Unreadable { why, .. }), Err(wanted)) => assert_eq!(why, wanted),
            (found, _) => panic!("{times}: {found:?}"),
        }
    }
}

#[test]
fn a_kind_that_is_not_served_is_no_trouble() {
    let api = FakeApi::of(Store::default());
    let home = Home::of(&api);
    run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        for resource in [resources::GIT_REPOS, resources::HELM_RELEASES] {
            let miss = cluster.list(&Query::all(resource.clone())).await.unwrap_err();
            assert_eq!(miss, Miss::NotServed { resource: resource.to_string() });
        }
        let miss = cluster.get(&resources::GIT_REPOS, "a", "b").await.unwrap_err();
        assert_eq!(miss, Miss::NotServed { resource: "gitrepos.fleet.cattle.io".into() });
    });
    let versions = api.paths().iter().filter(|path| *path == "/version").count();
    assert_eq!(versions, 1, "whether this is Kubernetes is asked once");
}

#[test]
fn kinds_are_discovered_once_per_group() {
    let api = FakeApi::of(Store::default());
    let home = Home::of(&api);
    run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        let policy = cluster.resource_of("networking.k8s.io/v1", "NetworkPolicy").await.unwrap();
        assert_eq!(
            (policy.to_string().as_str(), policy.namespaced),
            ("networkpolicies.networking.k8s.io", true)
        );
        assert!(cluster.resource_of("networking.k8s.io/v1", "Ingress").await.is_ok());
        assert_eq!(cluster.resource_of("apps/v1", "Deployment").await, Ok(resources::DEPLOYMENTS));
        for (api_version, kind) in [("networking.k8s.io/v1", "Moon"), ("moon.test/v1", "Moon")] {
            let miss = cluster.resource_of(api_version, kind).await.unwrap_err();
            assert!(matches!(miss, Miss::NotServed { .. }), "{miss:?}");
        }
    });
    assert_eq!(
        api.paths(),
        ["/apis/networking.k8s.io/v1", "/apis/moon.test/v1", "/version"],
        "known kinds need no question"
    );
}

#[test]
fn a_forbidden_list_falls_back_to_the_namespace_given_and_says_so() {
    use helm_forensics::source::Source as _;
    let api = FakeApi::builder()
        .cluster("", config_maps(3))
        .fault("/api/v1/configmaps", Fault::Status(403))
        .fault("/namespaces/other/configmaps", Fault::Status(403))
        .start();
    let home = Home::of(&api);
    let forbidden = |namespace: &str| Miss::Forbidden {
        verb: "list".into(),
        resource: "configmaps".into(),
        namespace: namespace.into(),
    };
    run(async {
        let query = Query::all(resources::CONFIG_MAPS);
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        assert_eq!(cluster.list(&query).await.unwrap_err(), forbidden(""));
        let mut connection = home.connection();
        connection.namespace = Some("shop".into());
        let (live, cluster) = hub(&connection, Limits::default());
        assert_eq!(cluster.list(&query).await.unwrap().len(), 3);
        let gaps = live.troubles();
        assert_eq!(gaps.len(), 1);
        assert_eq!(gaps[0].missing, "configmaps of cluster prod outside of namespace shop");
        assert_eq!(gaps[0].why, "not allowed to list configmaps in all namespaces");
        connection.namespace = Some("other".into());
        let (_live, cluster) = hub(&connection, Limits::default());
        assert_eq!(cluster.list(&query).await.unwrap_err(), forbidden("other"));
        connection.all_namespaces = true;
        let (_live, cluster) = hub(&connection, Limits::default());
        assert_eq!(cluster.list(&query).await.unwrap_err(), forbidden(""));
    });
}
