//! Living clusters give the same report as the saved ones that they serve.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::fake_api::{FakeApi, Kubeconfig, Store};
use crate::rig::Home;

/// Each Fleet incident as upstream and downstreams, the latter behind the Secrets that their records name.
#[test]
fn the_report_is_the_offline_report_but_for_the_sources() {
    for case in [
        "fleet-drift-before-commit",
        "fleet-many",
        "fleet-paused-drift",
        "fleet-residual-coowner",
        "fleet-scale-conflict",
    ] {
        let mut clusters = Store::recorded(case);
        let mut hub = clusters.remove("upstream").expect("upstream");
        let mut servers = Vec::new();
        for (id, store) in clusters {
            let api = FakeApi::of(store);
            let kubeconfig =
                Kubeconfig::default().context("own", api.cluster_entry(""), json!({"token": "t"}));
            let name = id.replace("c-", "kc-");
            hub.add_secret("fleet-default", &name, "value", &kubeconfig.text());
            servers.push(api);
        }
        let hub = FakeApi::of(hub);
        let home = Home::with(&Kubeconfig::default().context("upstream", hub.cluster_entry(""), json!({})));
        let saved = home.path().join("saved");
        crate::fake_api::Store::unpack(case, &saved);
        let offline = without_sources(report(&home, &["--from", saved.to_str().expect("UTF-8")]));
        let live = without_sources(report(&home, &[]));
        let difference = similar::TextDiff::from_lines(&offline, &live);
        assert!(offline == live, "{case}:\n{}", difference.unified_diff().header("offline", "live"));
    }
}

fn report(home: &Home, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .env_clear()
        .env("KUBECONFIG", home.path().join("kubeconfig"))
        .stdin(Stdio::null())
        .args(["why", "-o", "json", "--now", "2026-12-01T02:30:00Z"])
        .args(more)
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The report with every `source` taken out.
fn without_sources(mut report: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("source");
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    serde_json::to_string_pretty(&report).expect("JSON")
}
