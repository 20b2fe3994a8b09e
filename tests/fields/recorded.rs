//! The recordings, unpacked in memory: objects by cluster, releases decoded.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

pub static RECORDED: LazyLock<BTreeMap<String, Case>> = LazyLock::new(unpack);

/// One recorded incident.
#[derive(Default)]
pub struct Case {
    pub truth: Value,
    pub clusters: BTreeMap<String, Vec<Value>>,
}

/// One revision of a release.
pub struct Revision {
    pub namespace: String,
    pub name: String,
    pub release: Value,
}

fn unpack() -> BTreeMap<String, Case> {
    let packed = std::fs::read("fixtures/recorded.tar.gz").expect("the packed recordings");
    let mut archive = tar::Archive::new(flate2::read::MultiGzDecoder::new(packed.as_slice()));
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for member in archive.entries().expect("an archive") {
        let mut member = member.expect("a member");
        let path = member.path().expect("a path").to_string_lossy().trim_start_matches("./").to_owned();
        if !path.ends_with(".json") {
            continue;
        }
        let mut text = String::new();
        member.read_to_string(&mut text).expect("text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        match path.split('/').collect::<Vec<_>>()[..] {
            [case, "case.json"] => cases.entry(case.to_owned()).or_default().truth = value,
            [case, "clusters", cluster, _] => {
                let objects =
                    cases.entry(case.to_owned()).or_default().clusters.entry(cluster.to_owned()).or_default();
                objects.extend(value["items"].as_array().into_iter().flatten().cloned());
            }
            _ => {}
        }
    }
    cases
}

impl Case {
    /// The only cluster that is not Fleet's own, or the one of this name.
    pub fn cluster(&self, name: Option<&str>) -> &[Value] {
        match name {
            Some(name) => &self.clusters[name],
            None => self.clusters.values().next().expect("a cluster"),
        }
    }

    pub fn revision(
        &self,
        cluster: Option<&str>,
        namespace: &str,
        name: &str,
        number: u64,
    ) -> Option<Revision> {
        self.cluster(cluster).iter().find_map(|object| {
            let metadata = &object["metadata"];
            let is_it = object["type"] == "helm.sh/release.v1"
                && metadata["namespace"] == namespace
                && metadata["name"] == format!("sh.helm.release.v1.{name}.v{number}");
            let release = is_it.then(|| decode(object["data"]["release"].as_str()?))??;
            Some(Revision { namespace: namespace.to_owned(), name: name.to_owned(), release })
        })
    }

    pub fn live(&self, cluster: Option<&str>, kind: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.cluster(cluster).iter().find(|object| {
            object["kind"] == kind
                && object["metadata"]["name"] == name
                && object["metadata"]["namespace"].as_str().unwrap_or_default() == namespace
        })
    }
}

impl Revision {
    /// The objects of its manifest, as Helm sends them.
    pub fn objects(&self) -> Vec<Value> {
        let manifest = self.release["manifest"].as_str().unwrap_or_default();
        self.parse(manifest).iter().map(|object| self.sent(object)).collect()
    }

    /// The objects of its hooks, which Helm sends as they are.
    pub fn hooks(&self) -> Vec<Value> {
        let hooks = self.release["hooks"].as_array().into_iter().flatten();
        hooks.flat_map(|hook| self.parse(hook["manifest"].as_str().unwrap_or_default())).collect()
    }

    pub fn object(&self, kind: &str, name: &str) -> Option<Value> {
        let mut all = self.objects().into_iter().chain(self.hooks());
        all.find(|object| object["kind"] == kind && object["metadata"]["name"] == name)
    }

    fn sent(&self, object: &Value) -> Value {
        helm_forensics::fields::as_helm_applies(object, &self.name, &self.namespace, true)
    }

    fn parse(&self, yaml: &str) -> Vec<Value> {
        let documents = format!("\n{yaml}");
        documents
            .split("\n---")
            .filter(|text| text.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#')))
            .map(|text| serde_saphyr::from_str(text).expect("a manifest"))
            .collect()
    }
}

fn decode(data: &str) -> Option<Value> {
    let inner = STANDARD.decode(data).ok()?;
    let packed = STANDARD.decode(inner).ok()?;
    let mut json = Vec::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}
