//! Saves a row as an incident, in the layout of the recorded ones, so that a new Helm or Kubernetes gives new
//! fixtures.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Case;
use super::scene::Scene;
use crate::harness::chart::RELEASE;
use crate::harness::release::Revision;

/// What a diagnosis reads, by the name of its file.
const RESOURCES: [(&str, &str); 9] = [
    ("configmaps", "/api/v1"),
    ("events", "/api/v1"),
    ("pods", "/api/v1"),
    ("secrets", "/api/v1"),
    ("services", "/api/v1"),
    ("deployments.apps", "/apis/apps/v1"),
    ("replicasets.apps", "/apis/apps/v1"),
    ("horizontalpodautoscalers.autoscaling", "/apis/autoscaling/v2"),
    ("jobs.batch", "/apis/batch/v1"),
];

#[track_caller]
pub fn save(folder: &Path, scene: &Scene, case: &Case, history: &[Revision]) {
    let incident = folder.join(format!("helm-{}-{}", case.name, scene.helm.short()));
    let cluster = incident.join("clusters/prod");
    fs::create_dir_all(&cluster).unwrap_or_else(|error| panic!("{}: {error}", cluster.display()));
    for (resource, group) in RESOURCES {
        let plural = resource.split('.').next().expect("a plural");
        let list = scene.plane.api().get(&format!("{group}/namespaces/{}/{plural}", scene.namespace)).ok();
        write(&cluster.join(format!("{resource}.json")), &whole(list));
    }
    let namespace = scene.plane.api().get(&format!("/api/v1/namespaces/{}", scene.namespace)).ok();
    write(
        &cluster.join("namespaces.json"),
        &json!({"apiVersion": "v1", "kind": "List", "items": [namespace]}),
    );
    write(&incident.join("case.json"), &account(scene, case, history));
}

/// The API leaves out of a list's items what the list says once.
fn whole(mut list: Value) -> Value {
    let version = list["apiVersion"].take();
    let kind = list["kind"].as_str().and_then(|kind| kind.strip_suffix("List")).expect("a list").to_owned();
    let mut items = list["items"].take();
    for item in items.as_array_mut().into_iter().flatten() {
        item["apiVersion"] = version.clone();
        item["kind"] = kind.clone().into();
    }
    json!({"apiVersion": "v1", "kind": "List", "items": items})
}

fn account(scene: &Scene, case: &Case, history: &[Revision]) -> Value {
    let version = scene.plane.api().get("/version").ok();
    let helm = scene.plane.tools().run(scene.helm.program(), &["version", "--short"]).succeeded().stdout;
    let findings: Vec<_> = case
        .leaves
        .iter()
        .map(|left| {
            let stored = history.iter().find(|revision| revision.number == left.revision);
            json!({
                "cluster": "prod",
                "release": format!("{}/{RELEASE}", scene.namespace),
                "revision": left.revision,
                "status": left.status,
                "class": left.class,
                "description": stored.map(|revision| &revision.description),
            })
        })
        .collect();
    json!({
        "what_was_done": scene.told(),
        "software": {"kubernetes": version["gitVersion"], "helm": helm.trim()},
        "findings": findings,
    })
}

#[track_caller]
fn write(path: &Path, value: &Value) {
    let text = serde_json::to_string_pretty(value).expect("JSON");
    fs::write(path, text + "\n").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
