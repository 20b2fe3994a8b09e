//! Fleet's upstream side without Fleet: its kinds under CRDs of our own making, and recorded objects served
//! by them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::api::{HARNESS, Verb};
use super::control_plane::ControlPlane;
use super::kubeconfig::{Access, kubeconfig};

const CRDS: &str = include_str!("../crds.yaml");
/// The manager that the recorded objects name most.
const FLEET: &str = "fleetcontroller/v0.16.1";

/// Set by the server, or true only in the cluster that the record came from. An owner reference to an object
/// that has another uid here would make the garbage collector delete the object.
const OF_THE_OLD_CLUSTER: [&str; 7] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "ownerReferences",
    "selfLink",
];

#[track_caller]
pub fn install_kinds(plane: &ControlPlane) {
    let file = plane.scratch("crds").join("crds.yaml");
    fs::write(&file, CRDS).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tools = plane.tools();
    tools.kubectl(&["apply".as_ref(), "--filename".as_ref(), file.as_os_str()]).succeeded();
    tools
        .kubectl(&[
            "wait",
            "--for=condition=Established",
            "--timeout=30s",
            "customresourcedefinitions",
            "--all",
        ])
        .succeeded();
}

/// Every List in a folder of one recorded cluster, status included. Gives the number of objects created.
#[track_caller]
pub fn load(plane: &ControlPlane, cluster: &Path) -> usize {
    let mut files: Vec<_> = fs::read_dir(cluster)
        .unwrap_or_else(|error| panic!("{}: {error}", cluster.display()))
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    // Nothing can be created in a namespace that is not there.
    files.sort_by_key(|path| (!path.ends_with("namespaces.json"), path.clone()));
    let mut created = 0;
    for file in files {
        let text = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let list: Value =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.file_name().expect("a file's name").to_string_lossy();
        let plural = name.split('.').next().expect("a resource's name");
        for item in list["items"].as_array().into_iter().flatten() {
            created += usize::from(create(plane, plural, item));
        }
    }
    created
}

/// False for a namespace that every cluster has already.
#[track_caller]
fn create(plane: &ControlPlane, plural: &str, recorded: &Value) -> bool {
    let mut object = recorded.clone();
    let metadata = object["metadata"].as_object_mut().expect("an object's metadata");
    for field in OF_THE_OLD_CLUSTER {
        metadata.remove(field);
    }
    let collection = collection(plural, recorded);
    let answer = plane.api().send(FLEET, Verb::Create, &collection, &object);
    if answer.status == 409 && plural == "namespaces" {
        return false;
    }
    let mut created = answer.ok();
    // A create drops the status of kinds that have it as a subresource. The server keeps a namespace's by
    // itself.
    if let Some(status) = recorded.get("status").filter(|_| plural != "namespaces") {
        created["status"] = status.clone();
        let path = format!("{collection}/{}/status", recorded["metadata"]["name"].as_str().expect("a name"));
        plane.api().send(FLEET, Verb::Replace, &path, &created).ok();
    }
    true
}

fn collection(plural: &str, object: &Value) -> String {
    let version = object["apiVersion"].as_str().expect("an apiVersion");
    let root = if version.contains('/') { "apis" } else { "api" };
    match object["metadata"]["namespace"].as_str() {
        Some(namespace) => format!("/{root}/{version}/namespaces/{namespace}/{plural}"),
        None => format!("/{root}/{version}/{plural}"),
    }
}

/// Puts a live downstream cluster behind a recorded Fleet `Cluster`: its kubeconfig into the Secret that the
/// Cluster names.
#[track_caller]
pub fn connect(upstream: &ControlPlane, cluster: &str, downstream: &Access) {
    let path = format!("/apis/fleet.cattle.io/v1alpha1/namespaces/fleet-default/clusters/{cluster}");
    let object = upstream.api().get(&path).ok();
    let secret = object["spec"]["kubeConfigSecret"].as_str().expect("the Secret's name");
    let value = kubeconfig(&[("default", downstream)]).to_string();
    let body = json!({"stringData": {"value": value}});
    let path = format!("/api/v1/namespaces/fleet-default/secrets/{secret}");
    upstream.api().send(HARNESS, Verb::Merge, &path, &body).ok();
}
