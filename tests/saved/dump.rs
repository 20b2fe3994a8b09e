//! A dump to write in a test, and what was read from it.

use std::ops::Deref;
use std::path::Path;
use std::rc::Rc;

use futures::FutureExt as _;
use helm_forensics::source::saved::{FromSpec, Limits, Saved, SavedError};
use helm_forensics::source::{Answer, Cluster, Miss, Object, Query, Resource, Source};
use tempfile::TempDir;

/// A folder of files that a test makes up.
pub struct Dump {
    folder: TempDir,
}

impl Dump {
    pub fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("dump").tempdir().expect("a folder for the test") }
    }

    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("files stand in folders")).expect("a folder");
        std::fs::write(path, content).expect("a file");
        self
    }

    pub fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn open(&self) -> Result<Saved, SavedError> {
        Saved::open(&[FromSpec::path(self.root())], Limits::default())
    }

    /// The folder opened under a name that does not change from run to run.
    pub fn open_as(self, name: &str) -> Opened {
        Opened { saved: open(&[FromSpec::named(name, self.root())]), _dump: self }
    }
}

/// An opened dump; bodies are read from its files when they are asked for.
pub struct Opened {
    saved: Saved,
    _dump: Dump,
}

impl Deref for Opened {
    type Target = Saved;

    fn deref(&self) -> &Saved {
        &self.saved
    }
}

pub fn open(specs: &[FromSpec]) -> Saved {
    Saved::open(specs, Limits::default()).unwrap_or_else(|error| panic!("{specs:?} does not open: {error}"))
}

/// Names of the clusters, in their order.
pub fn names(saved: &Saved) -> Vec<String> {
    saved.clusters().iter().map(|cluster| cluster.name().to_owned()).collect()
}

pub fn cluster(saved: &Saved, name: &str) -> Rc<dyn Cluster> {
    let found = saved.clusters().into_iter().find(|cluster| cluster.name() == name);
    found.unwrap_or_else(|| panic!("no cluster {name} among {:?}", names(saved)))
}

pub fn list(cluster: &Rc<dyn Cluster>, query: &Query) -> Vec<Object> {
    block_on(cluster.list(query)).unwrap_or_else(|miss| panic!("{query:?}: {miss}"))
}

/// `namespace/name` of every object of a kind.
pub fn paths(cluster: &Rc<dyn Cluster>, resource: Resource) -> Vec<String> {
    list(cluster, &Query::all(resource)).iter().map(path_of).collect()
}

pub fn path_of(object: &Object) -> String {
    let value: serde_json::Value = object.parse().expect("an object is JSON");
    let part = |key: &str| value["metadata"][key].as_str().unwrap_or_default().to_owned();
    format!("{}/{}", part("namespace"), part("name"))
}

/// The troubles, one a line: `MISSING: WHY`.
pub fn troubles(saved: &Saved) -> Vec<String> {
    saved.troubles().iter().map(|gap| format!("{}: {}", gap.missing, gap.why)).collect()
}

/// Files answer at once.
pub fn block_on<T>(answer: Answer<'_, T>) -> Result<T, Miss> {
    answer.now_or_never().expect("nothing to wait for")
}

/// A Pod as JSON.
pub fn pod(namespace: &str, name: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","namespace":"{namespace}"}}}}"#)
}
