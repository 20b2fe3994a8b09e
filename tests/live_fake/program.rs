//! The program itself: its environment, its exit codes, what it prints when a cluster is in trouble.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::fake_api::{ConnectProxy, FakeApi, FakeApiBuilder, Fault, Kubeconfig, Store};
use crate::rig::Home;

/// The program with an environment of its own.
fn program(home: &Home) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"));
    command.env_clear().env("HOME", home.path()).env("KUBECONFIG", home.path().join("kubeconfig"));
    command.stdin(Stdio::null());
    command
}

/// Right after the incident was recorded: later, its agent would be silent for too long.
const NOW: &str = "--now=2026-12-01T00:47:30Z";

fn run(command: &mut Command) -> (i32, String, String) {
    said(&command.arg(NOW).output().expect("the program"))
}

fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

/// The recorded incident: the hub, and its two clusters behind one Rancher.
fn incident(faults: impl Fn(FakeApiBuilder) -> FakeApiBuilder) -> (FakeApi, Home) {
    let mut api = FakeApi::builder();
    for (name, store) in Store::recorded("fleet-scale-conflict") {
        let id = if name == "upstream" { "local" } else { &name };
        api = api.cluster(&format!("/k8s/clusters/{id}"), store);
    }
    let api = faults(api).start();
    let hub = api.cluster_entry("/k8s/clusters/local");
    let home = Home::with(&Kubeconfig::default().context("upstream", hub, json!({"token": "t"})));
    (api, home)
}

fn classes(report: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(report).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["class"].as_str().expect("a class").to_owned()).collect()
}

#[test]
fn the_incident_is_explained_through_ranchers_proxy() {
    let (api, home) = incident(|api| api);
    let (code, out, err) = run(program(&home).args(["why", "-o", "json", "-v"]));
    assert_eq!((code, classes(&out)), (0, vec!["ssa.conflict".to_owned()]), "{err}");
    assert!(err.contains("c-prod: Rancher's proxy: taken, /k8s/clusters/c-prod"), "{err}");
    assert!(!api.paths().iter().any(|path| path.contains("c-stage")), "c-stage is not in question");
    assert!(!format!("{out}{err}").contains("s3cr3t-planted"));
}

#[test]
fn a_cluster_out_of_reach_is_a_gap_of_the_report() {
    for (fault, says) in [
        (Fault::Status(401), "does not accept the credentials"),
        (Fault::Html(200), "is the token expired, or the URL wrong?"),
        (Fault::Status(503), "it answers 503"),
        (Fault::Hang, "did not answer within 1 s"),
    ] {
        let (_api, home) = incident(|api| api.fault("/k8s/clusters/c-prod/", fault.clone()));
        let arguments = ["why", "-o", "json", "--request-timeout", "1"];
        let (code, out, err) = run(program(&home).args(arguments));
        assert_eq!(code, 0, "{err}");
        let report: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(report["findings"].as_array().unwrap().len(), 1, "the hub's own word stays: {out}");
        assert!(out.contains(says), "{fault:?}: {out}");
        let clusters = report["clusters"].as_array().unwrap();
        let prod = clusters.iter().find(|cluster| cluster["name"] == "c-prod").unwrap();
        assert_eq!(prod["reached"], false);
        assert_eq!(run(program(&home).args(arguments).arg("--exit-code")).0, 2);
    }
}

#[test]
fn what_is_forbidden_is_named_with_verb_and_resource() {
    let (_api, home) =
        incident(|api| api.fault("/k8s/clusters/c-prod/api/v1/namespaces/shop/secrets", Fault::Status(403)));
    let (code, out, err) = run(program(&home).args(["why", "-o", "json"]));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("not allowed to list secrets in namespace shop"), "{out}");
}

#[test]
fn no_hub_is_one_line_and_no_answer() {
    let (api, home) = incident(|api| api.fault("/", Fault::Status(401)));
    let (code, out, err) = run(program(&home).args(["why"]));
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("cluster upstream does not accept the credentials (expired?)"), "{err}");
    drop(api);
    let (code, _, err) = run(program(&home).args(["why"]));
    assert_eq!((code, err.lines().count()), (1, 1), "{err}");
    assert!(err.contains("cluster upstream cannot be reached: nothing listens at its address"), "{err}");
}

#[test]
fn without_a_kubeconfig_one_line_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"));
    let (code, _, err) = run(command.env_clear().env("HOME", folder.path()).arg("why"));
    assert_eq!((code, err.lines().count()), (1, 1), "{err}");
    assert!(err.contains("no kubeconfig found: "), "{err}");
    assert!(
        err.contains("give one with --kubeconfig or KUBECONFIG, or read saved data with --from"),
        "{err}"
    );
}

/// A kubeconfig for a host that only a proxy finds.
fn behind_proxy(api: &FakeApi) -> Home {
    let mut entry = api.cluster_entry("/k8s/clusters/local");
    entry["server"] = "https://k.test:6443/k8s/clusters/local".into();
    Home::with(&Kubeconfig::default().context("upstream", entry, json!({"token": "t"})))
}

#[test]
fn the_proxy_of_the_environment_is_used_and_no_proxy_honoured() {
    let (api, direct) = incident(|api| api);
    let home = behind_proxy(&api);
    let proxy = ConnectProxy::to(api.address());
    let (code, out, err) = run(program(&home).env("HTTPS_PROXY", proxy.url()).args(["why", "-o", "json"]));
    assert_eq!((code, classes(&out)), (0, vec!["ssa.conflict".to_owned()]), "{err}");
    assert_eq!(proxy.asked()[0], "CONNECT k.test:6443 HTTP/1.1");

    let asked = proxy.asked().len();
    let mut command = program(&home);
    let (code, _, err) = run(command.env("HTTPS_PROXY", proxy.url()).env("NO_PROXY", "k.test").arg("why"));
    assert_eq!(code, 1);
    assert!(err.contains("its host name does not resolve"), "{err}");
    let (code, ..) = run(program(&direct).env("HTTPS_PROXY", proxy.url()).arg("why"));
    assert_eq!(code, 0, "loopback is never proxied");
    assert_eq!(proxy.asked().len(), asked);
}

#[test]
fn the_proxy_of_the_kubeconfig_comes_before_the_environments() {
    let (api, _) = incident(|api| api);
    let proxy = ConnectProxy::to(api.address());
    let mut entry = api.cluster_entry("/k8s/clusters/local");
    entry["server"] = "https://k.test:6443/k8s/clusters/local".into();
    entry["proxy-url"] = proxy.url().into();
    let home = Home::with(&Kubeconfig::default().context("upstream", entry, json!({"token": "t"})));
    let mut command = program(&home);
    let (code, _, err) = run(command.env("HTTPS_PROXY", "http://127.0.0.1:1").arg("why"));
    assert_eq!(code, 0, "{err}");
    assert!(!proxy.asked().is_empty());
}

#[test]
fn several_kubeconfigs_are_merged() {
    let (api, home) = incident(|api| api);
    let other =
        Home::with(&Kubeconfig::default().context("else", json!({"server": "https://x.invalid"}), json!({})));
    let files =
        [other.path().join("missing"), other.path().join("kubeconfig"), home.path().join("kubeconfig")];
    let list = std::env::join_paths(files).unwrap();
    let (code, out, err) =
        run(program(&home).env("KUBECONFIG", list).args(["why", "-o", "json", "--context", "upstream"]));
    assert_eq!((code, classes(&out)), (0, vec!["ssa.conflict".to_owned()]), "{err}");
    assert!(!api.paths().is_empty());
}

#[test]
fn an_interrupt_prints_what_is_known_and_exits_with_130() {
    let (api, home) = incident(|api| api.fault("/k8s/clusters/c-prod/", Fault::Hang));
    let mut command = program(&home);
    let child =
        command.args(["why", "-o", "json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    api.wait_for("/k8s/clusters/c-prod/");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let (code, out, err) = said(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{err}");
    assert_eq!(classes(&out).len(), 1, "the hub's own word: {out}");
}

/// A request that hangs would end by itself only after ten minutes.
#[test]
fn a_completion_does_not_wait_for_a_server_that_hangs() {
    let (api, home) = incident(|api| api.fault("/k8s/clusters/local/", Fault::Hang));
    let link = home.path().join("kubectl_complete-helm_forensics");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kubectl-helm_forensics"), &link).expect("a link");
    let output = Command::new(link)
        .env_clear()
        .env("HOME", home.path())
        .env("KUBECONFIG", home.path().join("kubeconfig"))
        .args(["why", "--request-timeout", "600", "gitrepo/"])
        .output()
        .expect("the program");
    assert_eq!(said(&output), (0, ":4\n".to_owned(), String::new()));
    assert!(api.connections() > 0, "it asked");
}
