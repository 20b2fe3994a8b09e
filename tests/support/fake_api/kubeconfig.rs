//! Kubeconfigs that lead to fake servers.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A kubeconfig in the making; JSON is YAML.
pub struct Kubeconfig {
    root: Value,
}

impl Default for Kubeconfig {
    fn default() -> Self {
        Self {
            root: json!({"apiVersion": "v1", "kind": "Config", "contexts": [], "clusters": [], "users": []}),
        }
    }
}

impl Kubeconfig {
    /// Adds a context with a cluster and a user of the same name; the first one is current.
    pub fn context(mut self, name: &str, cluster: Value, user: Value) -> Self {
        let entries = [
            ("contexts", json!({"name": name, "context": {"cluster": name, "user": name}})),
            ("clusters", json!({"name": name, "cluster": cluster})),
            ("users", json!({"name": name, "user": user})),
        ];
        for (list, entry) in entries {
            self.root[list].as_array_mut().expect("a list").push(entry);
        }
        if self.root["current-context"].is_null() {
            self.root["current-context"] = name.into();
        }
        self
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.root.to_string()
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("kubeconfig");
        std::fs::write(&path, self.text()).expect("a kubeconfig");
        path
    }
}
