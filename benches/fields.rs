//! Owners and prediction over many objects: 5,000 with 20 managers each.
//!
//!     cargo bench --bench fields

use divan::Bencher;
use helm_forensics::fields::{Applied, Live, Method, Path, predict};
use serde_json::{Value, json};

const OBJECTS: usize = 5000;
const MANAGERS: usize = 20;

fn main() {
    divan::main();
}

/// A Deployment of usual size, whose managers own thirty fields each.
fn object(number: usize) -> String {
    let entries: Vec<Value> = (0..MANAGERS)
        .map(|manager| {
            let env: serde_json::Map<String, Value> = (0..8)
                .map(|name| (format!("k:{{\"name\":\"E{manager}_{name}\"}}"), json!({".": {}, "f:name": {}, "f:value": {}})))
                .collect();
            json!({"manager": format!("manager-{manager}"), "operation": if manager % 2 == 0 { "Apply" } else { "Update" },
                "apiVersion": "apps/v1", "time": "2026-12-01T00:00:00Z", "fieldsType": "FieldsV1",
                "fieldsV1": {"f:metadata": {"f:annotations": {format!("f:example.com/{manager}"): {}}},
                    "f:spec": {"f:replicas": {}, "f:template": {"f:spec": {"f:containers": {"k:{\"name\":\"web\"}": {"f:env": env, "f:image": {}}}}}}}})
        })
        .collect();
    let env: Vec<Value> = (0..MANAGERS * 8)
        .map(|n| json!({"name": format!("E{}_{}", n / 8, n % 8), "value": n.to_string()}))
        .collect();
    json!({"apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": format!("web-{number}"), "namespace": "shop", "managedFields": entries},
        "spec": {"replicas": 4, "template": {"spec": {"containers": [{"name": "web", "image": "w:1", "env": env}]}}}})
    .to_string()
}

fn objects() -> Vec<String> {
    (0..OBJECTS).map(object).collect()
}

/// The floor: the same objects as JSON values.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn parse(bencher: Bencher) {
    let texts = objects();
    bencher.bench(|| texts.iter().filter(|text| serde_json::from_str::<Value>(text).is_ok()).count());
}

/// Parsed, every set read, one field's owners asked for.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn owners(bencher: Bencher) {
    let texts = objects();
    let replicas = Path::fields(["spec", "replicas"]);
    bencher.bench(|| {
        texts
            .iter()
            .filter_map(|text| Live::parse(text).ok())
            .map(|live| live.managed().map_or(0, |managed| managed.owners_of(&replicas).len()))
            .sum::<usize>()
    });
}

/// Parsed and predicted.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn prediction(bencher: Bencher) {
    let texts = objects();
    let desired = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "w:2"}]}}}});
    bencher.bench(|| {
        texts
            .iter()
            .filter_map(|text| Live::parse(text).ok())
            .map(|live| {
                let live = Some(&live);
                let method = Method::ServerSide;
                let applied = Applied {
                    desired: &desired,
                    live,
                    previous: None,
                    manager: "helm",
                    method,
                    schema: None,
                };
                predict(&applied).conflicts.len()
            })
            .sum::<usize>()
    });
}
