//! Who we are to the server: tokens, certificates, plugins, impersonation, one pool.

use helm_forensics::source::live::{Connection, Limits};
use helm_forensics::source::{Miss, Query, resources};
use serde_json::{Value, json};

use crate::fake_api::{FakeApi, Kubeconfig};
use crate::rig::{Home, config_maps, hub, run};

fn list(connection: &Connection) -> Result<usize, Miss> {
    run(async {
        let (_live, cluster) = hub(connection, Limits::default());
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
    })
}

fn home_of(api: &FakeApi, user: Value) -> Home {
    Home::with(&Kubeconfig::default().context("prod", api.cluster_entry(""), user))
}

fn guarded() -> FakeApi {
    FakeApi::builder().cluster("", config_maps(120)).token("right").start()
}

#[test]
fn a_plugin_is_run_once_whatever_is_asked() {
    let api = guarded();
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let script = format!(
        r#"echo "$KUBERNETES_EXEC_INFO" >>'{}'; echo '{{"status":{{"token":"right"}}}}'"#,
        runs.display()
    );
    let user = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "sh",
        "args": ["-c", script], "interactiveMode": "IfAvailable", "provideClusterInfo": true}});
    assert_eq!(list(&home_of(&api, user).connection()), Ok(121));
    assert_eq!(api.paths().len(), 3);
    let runs = std::fs::read_to_string(runs).unwrap();
    assert_eq!(runs.lines().count(), 1);
    let info: Value = serde_json::from_str(&runs).unwrap();
    assert_eq!(info["spec"]["cluster"]["server"], api.url().as_str());
    assert_eq!(info["apiVersion"], "client.authentication.k8s.io/v1");
}

#[test]
fn a_plugin_that_fails_is_the_clusters_trouble() {
    let api = guarded();
    let user = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "false"}});
    assert_eq!(
        list(&home_of(&api, user).connection()).unwrap_err().to_string(),
        "cluster prod cannot be reached: its credential plugin false failed with exit status: 1"
    );
    assert_eq!(api.paths().len(), 0);
}

#[test]
fn the_token_flag_wins_over_the_kubeconfig() {
    let api = guarded();
    let home = home_of(&api, json!({"token": "wrong"}));
    let mut connection = home.connection();
    assert_eq!(list(&connection), Err(Miss::Unauthorized { cluster: "prod".into() }));
    connection.token = Some("right".into());
    assert_eq!(list(&connection), Ok(121));
}

#[test]
fn a_client_certificate_is_shown() {
    let api = FakeApi::builder().cluster("", config_maps(1)).wants_clients().start();
    let (certificate, key) = api.authority().client("jane");
    let encode = |pem: &str| base64_simd::STANDARD.encode_to_string(pem);
    let user = json!({"client-certificate-data": encode(&certificate), "client-key-data": encode(&key)});
    assert_eq!(list(&home_of(&api, user).connection()), Ok(2));
    let plugin = json!({"status": {"clientCertificateData": certificate, "clientKeyData": key}}).to_string();
    let user = json!({"exec": {"command": "echo", "args": [plugin]}});
    assert_eq!(list(&home_of(&api, user).connection()), Ok(2));
    let text = list(&home_of(&api, json!({"token": "t"})).connection()).unwrap_err().to_string();
    assert!(text.starts_with("cluster prod cannot be reached: "), "{text}");
}

#[test]
fn a_damaged_client_certificate_is_named_and_not_quoted() {
    let api = guarded();
    let bad = base64_simd::STANDARD.encode_to_string("s3cr3t-planted");
    let user = json!({"client-certificate-data": bad, "client-key-data": bad});
    let text = list(&home_of(&api, user).connection()).unwrap_err().to_string();
    assert!(text.contains("the client certificate of the kubeconfig has no usable key"), "{text}");
    assert!(!text.contains("s3cr3t"));
}

#[test]
fn impersonation_is_sent() {
    let api = guarded();
    let home = home_of(&api, json!({"token": "right"}));
    let connection = Connection {
        impersonate: Some("jane".into()),
        impersonate_groups: vec!["dev".into(), "ops".into()],
        impersonate_uid: Some("7".into()),
        ..home.connection()
    };
    assert!(list(&connection).is_ok());
    for seen in api.seen() {
        assert_eq!(
            (
                seen.header("impersonate-user"),
                seen.header("impersonate-group"),
                seen.header("impersonate-uid")
            ),
            ("jane", "dev,ops", "7")
        );
    }
}

#[test]
fn a_path_in_the_servers_url_is_kept() {
    let api = FakeApi::builder().cluster("/gate", config_maps(1)).start();
    let home =
        Home::with(&Kubeconfig::default().context("prod", api.cluster_entry("/gate"), json!({"token": "t"})));
    assert_eq!(list(&home.connection()), Ok(2));
    assert_eq!(api.paths(), ["/gate/api/v1/configmaps?limit=50"]);
}

#[test]
fn no_more_than_eight_requests_are_on_the_way() {
    let api =
        FakeApi::builder().cluster("", config_maps(1)).latency(std::time::Duration::from_millis(20)).start();
    let home = home_of(&api, json!({"token": "t"}));
    run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        let queries = vec![Query::all(resources::CONFIG_MAPS); 40];
        let answers = futures::future::join_all(queries.iter().map(|query| cluster.list(query))).await;
        assert!(answers.iter().all(Result::is_ok));
    });
    assert_eq!(api.paths().len(), 40);
    assert!(api.most_at_once() <= 8, "{} at once", api.most_at_once());
}
