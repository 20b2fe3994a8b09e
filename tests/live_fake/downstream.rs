//! How downstream clusters are reached, and that only those in question are.

use helm_forensics::source::live::{Connection, Limits, Live};
use helm_forensics::source::{ClusterWanted, Miss, Query, Source as _, resources};
use serde_json::json;

use crate::fake_api::{FakeApi, Fault, Kubeconfig, Store};
use crate::rig::{Home, config_maps, hub, run};

/// A cluster's record as Fleet keeps it.
fn wanted(id: &str) -> ClusterWanted {
    ClusterWanted {
        id: id.into(),
        display_name: Some("prod-eu".into()),
        kubeconfig_secret: Some(("fleet-default".into(), "kc-prod".into())),
        ..ClusterWanted::default()
    }
}

/// How many ConfigMaps the cluster holds, where it was reached from, and the steps that led there.
fn reach(connection: &Connection, wanted: &ClusterWanted) -> (Result<(usize, String), String>, Vec<String>) {
    run(async {
        let (live, hub) = hub(connection, Limits::default());
        let found = match live.downstream(&hub, wanted).await {
            Err(miss) => Err(miss.to_string()),
            Ok(cluster) => {
                assert_eq!(cluster.name(), if wanted.is_hub { "hub" } else { &wanted.id });
                let objects = cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap();
                Ok((objects.len(), objects[0].origin.to_string()))
            }
        };
        (found, live.access_log().iter().map(ToString::to_string).collect())
    })
}

fn kubeconfig_of(api: &FakeApi) -> String {
    Kubeconfig::default().context("own", api.cluster_entry(""), json!({"token": "down"})).text()
}

/// A hub with the Secret that leads to `downstream`, and a home with a context for it.
fn hub_knowing(secret: &str) -> FakeApi {
    let mut store = Store::default();
    store.add_secret("fleet-default", "kc-prod", "value", secret);
    FakeApi::of(store)
}

fn home_of(hub: &FakeApi, others: &[(&str, &FakeApi)]) -> Home {
    let user = json!({"token": "t"});
    let start = Kubeconfig::default().context("hub", hub.cluster_entry(""), user.clone());
    let all =
        others.iter().fold(start, |all, (name, api)| all.context(name, api.cluster_entry(""), user.clone()));
    Home::with(&all)
}

#[test]
fn the_flag_comes_first_by_id_or_display_name() {
    let (flagged, named) = (FakeApi::of(config_maps(1)), FakeApi::of(config_maps(2)));
    let hub = hub_knowing("s3cr3t-planted");
    let home = home_of(&hub, &[("mine", &flagged), ("prod-eu", &named)]);
    for name in ["c-prod", "prod-eu"] {
        let mut connection = home.connection();
        connection.downstream = vec![(name.into(), "mine".into())];
        let (found, steps) = reach(&connection, &wanted("c-prod"));
        assert_eq!(found, Ok((2, "context mine".into())));
        assert_eq!(steps, ["c-prod: --downstream: taken, context mine"]);
    }
    assert_eq!((named.paths().len(), hub.paths().len()), (0, 0), "only clusters in question are asked");
}

#[test]
fn a_context_named_as_the_cluster_comes_next() {
    let named = FakeApi::of(config_maps(2));
    let hub = hub_knowing("s3cr3t-planted");
    for name in ["c-prod", "prod-eu"] {
        let home = home_of(&hub, &[(name, &named)]);
        let (found, steps) = reach(&home.connection(), &wanted("c-prod"));
        assert_eq!(found, Ok((3, format!("context {name}"))));
        assert_eq!(
            steps,
            [
                "c-prod: --downstream: not given for it".to_owned(),
                format!("c-prod: kubeconfig context: taken, context {name}")
            ]
        );
    }
}

#[test]
fn a_context_may_also_lead_to_the_server_that_an_application_names() {
    let down = FakeApi::of(config_maps(2));
    let home = home_of(&FakeApi::of(Store::default()), &[("edge", &down)]);
    let destination = ClusterWanted { id: down.url(), ..ClusterWanted::default() };
    assert_eq!(reach(&home.connection(), &destination).0, Ok((3, "context edge".into())));
}

#[test]
fn then_the_secret_that_the_record_names() {
    let down = FakeApi::builder().cluster("", config_maps(3)).token("down").start();
    let hub = hub_knowing(&kubeconfig_of(&down));
    let home = home_of(&hub, &[]);
    let (found, steps) = reach(&home.connection(), &wanted("c-prod"));
    assert_eq!(found, Ok((4, "cluster c-prod (Secret fleet-default/kc-prod)".into())));
    assert_eq!(
        steps,
        [
            "c-prod: --downstream: not given for it",
            "c-prod: kubeconfig context: none is named c-prod or prod-eu",
            "c-prod: kubeconfig Secret: taken, Secret fleet-default/kc-prod",
        ]
    );
    assert_eq!(hub.paths(), ["/api/v1/namespaces/fleet-default/secrets/kc-prod"]);
}

#[test]
fn then_ranchers_proxy_on_the_same_pool() {
    let hub = FakeApi::builder()
        .cluster("/k8s/clusters/local", Store::default())
        .cluster("/k8s/clusters/c-prod", config_maps(4))
        .start();
    let user = json!({"token": "t"});
    let home =
        Home::with(&Kubeconfig::default().context("hub", hub.cluster_entry("/k8s/clusters/local"), user));
    let (found, steps) = reach(&home.connection(), &wanted("c-prod"));
    assert_eq!(found, Ok((5, "cluster c-prod (Rancher)".into())));
    assert_eq!(
        steps[2],
        "c-prod: kubeconfig Secret: failed, Secret fleet-default/kc-prod: it does not exist"
    );
    assert_eq!(steps[3], "c-prod: Rancher's proxy: taken, /k8s/clusters/c-prod");
    assert_eq!(hub.connections(), 1, "one pool for all clusters behind one server");
}

#[test]
fn a_hub_that_is_itself_a_rancher_server_is_found_out() {
    let hub =
        FakeApi::builder().cluster("", Store::default()).cluster("/k8s/clusters/c-1", config_maps(1)).start();
    let home = home_of(&hub, &[]);
    let no_secret = |id: &str| ClusterWanted { kubeconfig_secret: None, ..wanted(id) };
    assert_eq!(reach(&home.connection(), &no_secret("c-1")).0, Ok((2, "cluster c-1 (Rancher)".into())));
    let plain = FakeApi::of(Store::default());
    let home = home_of(&plain, &[]);
    run(async {
        let (live, hub) = hub_of(&home.connection());
        for n in 0..6 {
            let miss = live.downstream(&hub, &no_secret(&format!("c-{n}"))).await.err().unwrap();
            assert!(matches!(miss, Miss::Unreachable { .. }));
        }
        let last = live.access_log().last().unwrap().to_string();
        assert_eq!(last, "c-5: Rancher's proxy: the server of hub is no Rancher");
    });
    assert_eq!(plain.paths().len(), 3, "a server that is no Rancher is not asked for each cluster");
}

#[test]
fn rancher_knows_a_provisioned_cluster_by_its_own_id() {
    let hub = FakeApi::builder()
        .cluster("/k8s/clusters/local", Store::default())
        .cluster("/k8s/clusters/c-m-1", config_maps(1))
        .start();
    let user = json!({"token": "t"});
    let home =
        Home::with(&Kubeconfig::default().context("hub", hub.cluster_entry("/k8s/clusters/local"), user));
    let provisioned =
        ClusterWanted { id: "edge".into(), rancher_id: Some("c-m-1".into()), ..ClusterWanted::default() };
    assert_eq!(reach(&home.connection(), &provisioned).0, Ok((2, "cluster edge (Rancher)".into())));
}

fn hub_of(connection: &Connection) -> (Live, std::rc::Rc<dyn helm_forensics::source::Cluster>) {
    hub(connection, Limits::default())
}

#[test]
fn the_hub_is_its_own_downstream() {
    let hub = FakeApi::of(config_maps(5));
    let home = home_of(&hub, &[]);
    let local = ClusterWanted { is_hub: true, ..wanted("local") };
    let (found, steps) = reach(&home.connection(), &local);
    assert_eq!(found, Ok((6, "context hub".into())));
    assert_eq!(steps, ["local: the hub itself: taken, hub"]);
}

#[test]
fn a_way_that_fails_gives_way_to_the_next() {
    let (broken, down) =
        (FakeApi::builder().fault("/", Fault::Html(200)).start(), FakeApi::of(config_maps(3)));
    let hub = hub_knowing(&kubeconfig_of(&down));
    let home = home_of(&hub, &[("prod-eu", &broken)]);
    let (found, steps) = reach(&home.connection(), &wanted("c-prod"));
    assert_eq!(found, Ok((4, "cluster c-prod (Secret fleet-default/kc-prod)".into())));
    assert!(
        steps[1].starts_with("c-prod: kubeconfig context: failed, context prod-eu: it answers 200"),
        "{steps:?}"
    );

    let mut connection = home.connection();
    connection.downstream = vec![("c-prod".into(), "prod-eu".into())];
    let (found, _) = reach(&connection, &wanted("c-prod"));
    let text = found.unwrap_err();
    assert!(
        text.starts_with("cluster c-prod cannot be reached: --downstream (context prod-eu): "),
        "what the user said is not worked around: {text}"
    );
}

#[test]
fn without_a_way_each_failure_is_named_and_no_secret_is_told() {
    let cases = [
        ("s3cr3t-planted", "its value is not a kubeconfig"),
        (
            r#"{"contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],
                "clusters":[{"name":"a","cluster":{"server":"https://k"}}],
                "users":[{"name":"a","user":{"exec":{"command":"sh","args":["-c","s3cr3t-planted"]}}}]}"#,
            "its kubeconfig wants to use a credential plugin of this machine, which is refused",
        ),
        (
            r#"{"contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],
                "clusters":[{"name":"a","cluster":{"server":"s3cr3t-planted://"}}]}"#,
            "its kubeconfig is incomplete",
        ),
    ];
    for (secret, why) in cases {
        let hub = hub_knowing(secret);
        let home = home_of(&hub, &[]);
        let (found, steps) = reach(&home.connection(), &wanted("c-prod"));
        assert_eq!(
            found.unwrap_err(),
            format!(
                "cluster c-prod cannot be reached: --downstream: not given for it; \
                 kubeconfig context: none is named c-prod or prod-eu; \
                 kubeconfig Secret: Secret fleet-default/kc-prod: {why}; \
                 Rancher's proxy: /k8s/clusters/c-prod is not known there"
            )
        );
        assert!(!steps.join("\n").contains("s3cr3t"), "{steps:?}");
    }
}

#[test]
fn a_cluster_is_searched_for_once_and_let_go_when_nobody_reads_it() {
    let down = FakeApi::of(config_maps(1));
    let hub = hub_knowing(&kubeconfig_of(&down));
    let home = home_of(&hub, &[]);
    run(async {
        let (live, hub) = hub_of(&home.connection());
        let wanted = wanted("c-prod");
        let (one, two) = tokio::join!(live.downstream(&hub, &wanted), live.downstream(&hub, &wanted));
        let (one, two) = (one.ok().unwrap(), two.ok().unwrap());
        assert!(std::rc::Rc::ptr_eq(&one, &two));
        let weak = std::rc::Rc::downgrade(&one);
        drop((one, two));
        assert!(weak.upgrade().is_none(), "connections of 1,000 clusters are not kept");
    });
    assert_eq!(hub.paths().len(), 1);
}

/// A hub with the cluster Secret that Argo CD keeps for `down`, and an Application that goes there.
fn argocd_hub(down: &FakeApi) -> FakeApi {
    let encoded = |text: &str| base64_simd::STANDARD.encode_to_string(text);
    let ca = down.cluster_entry("")["certificate-authority-data"].clone();
    let config = json!({"bearerToken": "down", "tlsClientConfig": {"caData": ca}}).to_string();
    let mut store = Store::default();
    store.add(
        "",
        "secrets",
        json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
            "metadata": {"namespace": "argocd", "name": "cluster-edge",
                "labels": {"argocd.argoproj.io/secret-type": "cluster"}},
            "data": {"name": encoded("edge"), "server": encoded(&down.url()), "config": encoded(&config)}}),
    );
    FakeApi::of(store)
}

#[test]
fn argocds_credentials_are_used_only_with_the_flag() {
    let down = FakeApi::builder().cluster("", config_maps(3)).token("down").start();
    let hub = argocd_hub(&down);
    let home = home_of(&hub, &[]);
    let destination = ClusterWanted {
        id: "edge".into(),
        argocd_secret: Some(("argocd".into(), "cluster-edge".into())),
        ..ClusterWanted::default()
    };
    let (found, steps) = reach(&home.connection(), &destination);
    let refused = found.unwrap_err();
    assert!(refused.contains("not used without --use-argocd-credentials"), "{refused}");
    assert!(
        steps.contains(&"edge: Argo CD's credentials: not used without --use-argocd-credentials".to_owned())
    );
    assert!(!hub.paths().iter().any(|path| path.contains("cluster-edge")), "its Secret is not even read");
    assert_eq!(down.paths().len(), 0);

    let mut connection = home.connection();
    connection.use_argocd_credentials = true;
    let (found, steps) = reach(&connection, &destination);
    assert_eq!(found, Ok((4, "cluster edge (Secret argocd/cluster-edge)".into())));
    let told = steps.join("\n");
    assert!(told.contains("edge: Argo CD's credentials: taken, Secret argocd/cluster-edge"), "{told}");
    assert!(!told.contains("bearerToken") && !told.contains("down,"), "{told}");
}
