//! The recorded incident, with edits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A copy of `fixtures/fleet-scale-conflict` that can be edited.
pub struct Incident {
    folder: TempDir,
}

impl Incident {
    /// As recorded: `shop` is stuck on c-prod by a field conflict.
    pub fn recorded() -> Self {
        let folder = TempDir::new().unwrap();
        copy(Path::new("fixtures/fleet-scale-conflict/clusters"), &folder.path().join("clusters"));
        Self { folder }
    }

    /// The same without the failed revision: nothing downstream tells a reason.
    pub fn without_the_failed_revision() -> Self {
        Self::recorded().edit("c-prod/secrets.json", |items| {
            items.retain(|it| it["metadata"]["labels"]["status"] != "failed");
        })
    }

    /// Edits the items of one file.
    pub fn edit(self, file: &str, change: impl FnOnce(&mut Vec<Value>)) -> Self {
        let path = self.folder.path().join("clusters").join(file);
        let mut list: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(list["items"].as_array_mut().unwrap());
        fs::write(&path, serde_json::to_vec(&list).unwrap()).unwrap();
        self
    }

    /// Edits the BundleDeployment of `shop` on one cluster.
    pub fn deployment(self, cluster: &str, change: impl FnOnce(&mut Value)) -> Self {
        self.edit("upstream/bundledeployments.fleet.cattle.io.json", |items| {
            let is_it = |it: &&mut Value| {
                it["metadata"]["name"] == "shop-shop"
                    && it["metadata"]["labels"]["fleet.cattle.io/cluster"] == cluster
            };
            change(items.iter_mut().find(is_it).unwrap());
        })
    }

    /// Edits one object by name.
    pub fn object(self, file: &str, name: &str, change: impl FnOnce(&mut Value)) -> Self {
        self.edit(file, |items| change(items.iter_mut().find(|it| it["metadata"]["name"] == name).unwrap()))
    }

    /// Adds an object.
    pub fn add(self, file: &str, object: Value) -> Self {
        self.edit(file, |items| items.push(object))
    }

    /// Takes a file away.
    pub fn without(self, file: &str) -> Self {
        fs::remove_file(self.folder.path().join("clusters").join(file)).unwrap();
        self
    }

    /// Takes a cluster's folder away.
    pub fn without_cluster(self, name: &str) -> Self {
        fs::remove_dir_all(self.folder.path().join("clusters").join(name)).unwrap();
        self
    }

    /// What `why` finds.
    pub fn why(&self) -> Vec<Value> {
        let output = self.run(&["why", "-o", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["findings"].as_array().unwrap().clone()
    }

    /// The finding about `shop` on one cluster.
    pub fn finding(&self, cluster: &str) -> Value {
        let findings = self.why();
        findings
            .iter()
            .find(|it| it["cluster"] == cluster)
            .unwrap_or_else(|| panic!("nothing is found on {cluster}: {findings:#?}"))
            .clone()
    }

    /// Runs the binary on this incident.
    pub fn run(&self, arguments: &[&str]) -> std::process::Output {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
            .args(arguments)
            .arg("--from")
            .arg(self.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target: PathBuf = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
