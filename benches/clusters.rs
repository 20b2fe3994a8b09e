//! Many clusters behind one Rancher, each with the same stuck release, 20 ms away.
//!
//! Runs the real program (`cargo bench --bench clusters`) against 100 and 1,000 of them and prints wall time,
//! requests and peak memory. Asks for: wall <= 2 x (requests x 20 ms / clusters at a time), and no more than
//! 1.5 x the memory of 100 clusters.

use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use fake_api::{FakeApi, Kubeconfig, Store};

#[path = "../tests/support/fake_api/mod.rs"]
mod fake_api;

const LATENCY: Duration = Duration::from_millis(20);
const PARALLEL: u32 = 16;

struct Run {
    wall: Duration,
    bound: Duration,
    memory: u64,
}

fn main() -> ExitCode {
    // `cargo test` starts benches too; only `cargo bench` is asked for figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: this is measured by `cargo bench --bench clusters`");
        return ExitCode::SUCCESS;
    }
    let few = measure(100);
    let many = measure(1_000);
    let is_quick = many.wall <= many.bound * 2;
    let is_flat = many.memory * 2 <= few.memory * 3;
    println!("wall at most twice the bound: {is_quick}; memory at most 1.5 x that of 100: {is_flat}");
    if is_quick && is_flat { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(count: usize) -> Run {
    let api = rancher(count);
    let folder = tempfile::tempdir().expect("a folder");
    let hub = api.cluster_entry("/k8s/clusters/local");
    let kubeconfig = Kubeconfig::default().context("hub", hub, json!({"token": "t"})).write(folder.path());
    let start = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(["why", "-A", "-o", "json", "--parallel", &PARALLEL.to_string(), "--kubeconfig"])
        .arg(kubeconfig)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let id = program.id();
    let output = program.stdout.take().expect("its output");
    let reader = std::thread::spawn(move || serde_json::from_reader::<_, Value>(output));
    let mut memory = 0;
    while program.try_wait().expect("the program").is_none() {
        memory = peak_memory(id).unwrap_or(memory);
        std::thread::sleep(Duration::from_millis(5));
    }
    let wall = start.elapsed();
    let report = reader.join().expect("a reader").expect("a report");
    let findings = report["findings"].as_array().map_or(0, Vec::len);
    let requests = api.paths().len();
    let bound = LATENCY * u32::try_from(requests).expect("a count") / PARALLEL;
    println!(
        "{count} clusters: {findings} findings, {requests} requests, {} KB read, wall {wall:.2?} \
         (bound {bound:.2?}), memory {memory} KB",
        api.bytes() / 1024
    );
    assert_eq!(findings, count, "every cluster has one stuck release");
    Run { wall, bound, memory }
}

/// The most memory that the process has held, in KB (Linux).
fn peak_memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok())
}

/// The recorded incident's stuck cluster, many times over.
fn rancher(count: usize) -> FakeApi {
    let mut recorded = Store::recorded("fleet-scale-conflict");
    let downstream = Arc::new(recorded.remove("c-prod").expect("c-prod"));
    let mut hub = recorded.remove("upstream").expect("upstream");
    let group = "fleet.cattle.io";
    let clusters = hub.take(group, "clusters");
    let deployments = hub.take(group, "bundledeployments");
    let cluster = clusters.iter().find(|object| object["metadata"]["name"] == "c-prod").expect("c-prod");
    let deployment = deployments
        .iter()
        .find(|object| {
            let metadata = &object["metadata"];
            metadata["name"] == "shop-shop" && metadata["labels"]["fleet.cattle.io/cluster"] == "c-prod"
        })
        .expect("the stuck BundleDeployment");
    let mut api = FakeApi::builder().latency(LATENCY);
    for n in 0..count {
        let id = format!("c-{n:04}");
        let renamed = |object: &Value| -> Value {
            let text = object.to_string().replace("c-prod", &id).replace("prod-eu", &format!("prod-{n:04}"));
            serde_json::from_str(&text).expect("JSON")
        };
        let mut record = renamed(cluster);
        record["spec"]["kubeConfigSecret"] = "".into();
        hub.add(group, "clusters", record);
        hub.add(group, "bundledeployments", renamed(deployment));
        api = api.cluster(&format!("/k8s/clusters/{id}"), downstream.clone());
    }
    api.cluster("/k8s/clusters/local", hub).start()
}
