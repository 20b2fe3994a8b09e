//! What every test here needs: a kubeconfig that leads to a fake server, and a runtime to ask in.

use std::path::Path;
use std::rc::Rc;

use helm_forensics::source::live::{Connection, Limits, Live};
use helm_forensics::source::{Cluster, Object, Source as _};
use serde_json::{Value, json};

use crate::fake_api::{FakeApi, Kubeconfig, Store};

/// A folder with a kubeconfig whose only context, `prod`, leads to the server.
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// The kubeconfig of a person with a token.
    pub fn of(api: &FakeApi) -> Self {
        Self::with(&Kubeconfig::default().context("prod", api.cluster_entry(""), json!({"token": "t"})))
    }

    /// Any kubeconfig.
    pub fn with(kubeconfig: &Kubeconfig) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        kubeconfig.write(folder.path());
        Self { folder }
    }

    /// Where the kubeconfig lies.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `--kubeconfig` and nothing else.
    pub fn connection(&self) -> Connection {
        Connection { kubeconfig: Some(self.path().join("kubeconfig")), ..Connection::default() }
    }
}

/// Runs a future as the program does, on one thread.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(future)
}

/// The hub of a connection.
pub fn hub(connection: &Connection, limits: Limits) -> (Live, Rc<dyn Cluster>) {
    let live = Live::connect(connection, limits).expect("a source");
    let hub = live.clusters().remove(0);
    (live, hub)
}

/// The objects' names.
pub fn names(objects: &[Object]) -> Vec<String> {
    let name = |object: &Object| {
        let json: Value = serde_json::from_str(&object.json).expect("JSON");
        json["metadata"]["name"].as_str().expect("a name").to_owned()
    };
    objects.iter().map(name).collect()
}

/// A cluster with this many ConfigMaps in `shop`, and one in `other`.
pub fn config_maps(count: usize) -> Store {
    let mut store = Store::default();
    let mut add = |namespace: &str, name: String| {
        store.add(
            "",
            "configmaps",
            json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"},
                "metadata": {"namespace": namespace, "name": name, "labels": {"app": namespace}}}),
        );
    };
    add("other", "apart".into());
    (0..count).for_each(|n| add("shop", format!("m-{n:04}")));
    store
}
