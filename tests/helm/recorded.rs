//! Every object of `fixtures/recorded.tar.gz`.

use std::io::Read;
use std::sync::OnceLock;

use helm_forensics::helm::{Driver, Limit, Payload, Revision, RevisionMeta};
use serde_json::Value;

/// One file of the archive.
pub struct File {
    /// `CASE/clusters/CLUSTER/RESOURCE.json`.
    pub path: String,
    /// Its `items`.
    pub items: Vec<Value>,
    /// The whole file.
    pub whole: Value,
}

impl File {
    /// The recording's name.
    pub fn case(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// The cluster's folder.
    pub fn cluster(&self) -> &str {
        self.path.split('/').nth(2).unwrap_or_default()
    }
}

/// The files of which the path ends so.
pub fn files(ends_with: &str) -> impl Iterator<Item = &'static File> {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(read).iter().filter(move |file| file.path.ends_with(ends_with))
}

fn read() -> Vec<File> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/recorded.tar.gz");
    let archive = std::fs::File::open(path).expect("fixtures/recorded.tar.gz");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let mut files = Vec::new();
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").to_string_lossy().trim_start_matches("./").to_owned();
        if path.ends_with("/secrets.json") || path.ends_with("/case.json") {
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("UTF-8");
            let list: Value = serde_json::from_str(&text).expect("JSON");
            let items = list["items"].as_array().cloned().unwrap_or_default();
            files.push(File { path, items, whole: list });
        }
    }
    files
}

/// Release Secrets with the case they are from.
pub fn release_secrets() -> Vec<(String, Value)> {
    let mut secrets = Vec::new();
    for file in files("/secrets.json") {
        for item in &file.items {
            if item["type"] == "helm.sh/release.v1" {
                secrets.push((file.case().to_owned(), item.clone()));
            }
        }
    }
    secrets
}

/// One stored revision with its payload, as a source would hand it out.
pub fn revision(secret: &Value) -> Revision {
    let meta = RevisionMeta::from_object(secret, Driver::Secret).expect("metadata of a release");
    let text = secret["data"]["release"].as_str().unwrap_or_default();
    Revision { meta, payload: Some(Payload::from_secret_data(text).release(Limit::default())) }
}
