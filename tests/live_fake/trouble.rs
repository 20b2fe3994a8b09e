//! What goes wrong on the way, and the one clear line that each becomes.

use std::time::Duration;

use helm_forensics::source::live::{Connection, Limits, Live};
use helm_forensics::source::{Miss, Query, Source as _, resources};
use serde_json::json;

use crate::fake_api::{FakeApi, FakeApiBuilder, Fault, Kubeconfig, Leaf};
use crate::rig::{Home, config_maps, hub, run};

fn builder() -> FakeApiBuilder {
    FakeApi::builder().cluster("", config_maps(3))
}

/// Limits that no test waits long for.
fn impatient() -> Limits {
    Limits { request: Some(Duration::from_millis(600)), ..Limits::default() }
}

fn list(home: &Home) -> Result<usize, Miss> {
    run(async {
        let (_live, cluster) = hub(&home.connection(), impatient());
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
    })
}

#[test]
fn every_fault_is_one_clear_line() {
    let ends = "is the token expired, or the URL wrong?";
    let page = "(<!DOCTYPE html> <html><head><title>Sign in</title></head></html>)";
    let cases = [
        (Fault::Status(401), "cluster prod does not accept the credentials (expired?)".to_owned()),
        (Fault::Status(403), "not allowed to list configmaps in all namespaces".into()),
        (
            Fault::Status(500),
            "/api/v1/configmaps?limit=50 of cluster prod cannot be read: \
             the API server answers 500 Internal Server Error: told to fail"
                .into(),
        ),
        (
            Fault::Html(200),
            format!("cluster prod cannot be reached: it answers 200 with a web page {page}: {ends}"),
        ),
        (
            Fault::Html(404),
            format!("cluster prod cannot be reached: it answers 404 with a web page {page}: {ends}"),
        ),
        (
            Fault::Redirect,
            format!(
                "cluster prod cannot be reached: it answers 302 and sends us elsewhere (/dashboard/auth/login): {ends}"
            ),
        ),
        (Fault::Hang, "cluster prod did not answer within 1 s".into()),
        (Fault::Drip, "cluster prod did not answer within 1 s".into()),
    ];
    for (fault, says) in cases {
        let api = builder().fault("/api/v1/configmaps", fault.clone()).start();
        assert_eq!(list(&Home::of(&api)).unwrap_err().to_string(), says, "{fault:?}");
    }
}

#[test]
fn what_passes_is_asked_for_again_but_not_often() {
    for fault in [Fault::RetryAfter(429, 1), Fault::Status(503), Fault::Cut] {
        let api = builder().fault_times("/api/v1/configmaps", fault.clone(), 1).start();
        let home = Home::of(&api);
        let limits = Limits::default();
        let found = run(async {
            let (_live, cluster) = hub(&home.connection(), limits);
            cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
        });
        assert_eq!((found, api.paths().len()), (Ok(4), 2), "{fault:?}");
    }
    // Retry-After is a day; we wait no longer than our own bound, and try three times in all.
    let api = builder().fault("/api/v1/configmaps", Fault::RetryAfter(503, 0)).start();
    assert_eq!(
        list(&Home::of(&api)).unwrap_err().to_string(),
        "cluster prod cannot be reached: it answers 503 Service Unavailable: too many requests"
    );
    assert_eq!(api.paths().len(), 3);
}

#[test]
fn a_connection_that_breaks_every_time_is_said_to_break() {
    let api = builder().fault("/api/v1/configmaps", Fault::Cut).start();
    let home = Home::of(&api);
    let miss = run(async {
        let (_live, cluster) = hub(&home.connection(), Limits::default());
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap_err()
    });
    assert!(miss.to_string().starts_with("cluster prod cannot be reached: the connection broke: "), "{miss}");
    assert_eq!(api.paths().len(), 3);
}

#[test]
fn bad_certificates_are_told_apart() {
    let cases = [
        (Leaf::Expired, "its server certificate has expired ("),
        (
            Leaf::OtherName,
            "its server certificate is for another name; --tls-server-name sets the one to expect (",
        ),
        (
            Leaf::OtherAuthority,
            "its server certificate is not signed by the certificate-authority of the kubeconfig; that has to be \
             the CA's certificate, not the server's own (",
        ),
    ];
    for (leaf, says) in cases {
        let api = builder().certificate(leaf).start();
        let text = list(&Home::of(&api)).unwrap_err().to_string();
        assert!(text.starts_with(&format!("cluster prod cannot be reached: {says}")), "{text}");
        let home = Home::of(&api);
        let mut connection = home.connection();
        connection.insecure_skip_tls_verify = true;
        let found = run(async {
            let (_live, cluster) = hub(&connection, impatient());
            cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
        });
        assert_eq!(found, Ok(4), "--insecure-skip-tls-verify takes {leaf:?}");
    }
}

#[test]
fn a_server_certificate_for_another_name_is_taken_under_that_name() {
    let api = builder().certificate(Leaf::OtherName).start();
    let mut connection = Home::of(&api).connection();
    let home = Home::of(&api);
    connection.kubeconfig = home.connection().kubeconfig;
    connection.tls_server_name = Some("elsewhere.test".into());
    let found = run(async {
        let (_live, cluster) = hub(&connection, impatient());
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.map(|objects| objects.len())
    });
    assert_eq!(found, Ok(4));
}

#[test]
fn wrong_addresses_are_told_apart() {
    let cases = [
        ("https://no-such-host.invalid:6443", "its host name does not resolve ("),
        ("https://127.0.0.1:1", "nothing listens at its address ("),
    ];
    for (server, says) in cases {
        let home = Home::with(&Kubeconfig::default().context("prod", json!({"server": server}), json!({})));
        let text = list(&home).unwrap_err().to_string();
        assert!(text.starts_with(&format!("cluster prod cannot be reached: {says}")), "{text}");
    }
}

#[test]
fn a_server_that_is_not_kubernetes_is_named() {
    let api = builder().fault("/", Fault::NotServed).start();
    assert_eq!(
        list(&Home::of(&api)).unwrap_err().to_string(),
        "cluster prod cannot be reached: no Kubernetes API server answers there (no /version): is the URL wrong?"
    );
}

#[test]
fn a_cluster_without_an_answer_is_not_asked_again() {
    let api = builder().fault("/", Fault::Hang).start();
    let home = Home::of(&api);
    run(async {
        let (_live, cluster) = hub(&home.connection(), impatient());
        for _ in 0..5 {
            let miss = cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap_err();
            assert_eq!(miss, Miss::TimedOut { cluster: "prod".into(), seconds: 1 });
        }
    });
    assert_eq!(api.paths().len(), 2);
    let api = builder().fault("/", Fault::Status(401)).start();
    let home = Home::of(&api);
    run(async {
        let (_live, cluster) = hub(&home.connection(), impatient());
        for _ in 0..3 {
            let miss = cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap_err();
            assert_eq!(miss, Miss::Unauthorized { cluster: "prod".into() });
        }
    });
    assert_eq!(api.paths().len(), 1);
}

#[test]
fn the_whole_run_ends_in_time() {
    let api = builder().fault("/api/v1/configmaps", Fault::Hang).start();
    let home = Home::of(&api);
    let limits = Limits { run: Some(Duration::from_millis(300)), ..Limits::default() };
    let miss = run(async {
        let (_live, cluster) = hub(&home.connection(), limits);
        cluster.list(&Query::all(resources::CONFIG_MAPS)).await.unwrap_err()
    });
    assert_eq!(miss, Miss::TimedOut { cluster: "prod".into(), seconds: 1 });
}

#[test]
fn contexts_that_do_not_exist_are_refused_before_anything_is_asked() {
    let api = FakeApi::of(config_maps(0));
    let home = Home::of(&api);
    let mut connection = home.connection();
    connection.downstream = vec![("c-1".into(), "nowhere".into())];
    let refusal = |connection: &Connection| {
        Live::connect(connection, impatient()).err().expect("a refusal").to_string()
    };
    assert_eq!(refusal(&connection), "no context named nowhere in the kubeconfig; there are: prod");
    connection.downstream = vec![("c-1".into(), "prod".into()), ("c-1".into(), "other".into())];
    assert_eq!(refusal(&connection), "--downstream names c-1 twice (prod, other); which one is it?");
    connection.downstream.clear();
    connection.context = Some("stage".into());
    assert_eq!(refusal(&connection), "no context named stage in the kubeconfig; there are: prod");
    assert_eq!(api.paths().len(), 0);
    assert!(
        run(async { Live::connect(&home.connection(), impatient()).map(|live| live.clusters().len()) })
            .is_ok()
    );
}
