//! What was taken as the files of a capture: deterministic, one list per resource.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::release;
use super::taken::{Taken, TakenCluster};
use crate::redact::prose::{self, Known, Names};
use crate::redact::{Masker, Removed, is_marker, is_marker_base64, object};
use crate::report::Report;
use crate::source::saved::{CaptureManifest, CapturedCluster, CapturedResource, Removal};

/// One file of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the capture, with `/`.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// A capture, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// In the order of their paths, the manifest first.
    pub files: Vec<File>,
    /// What the capture says of itself.
    pub manifest: CaptureManifest,
}

/// Makes the files of a capture. `shows_values` leaves everything in.
pub fn package(taken: &Taken, shows_values: bool) -> Package {
    let mut redaction = Redaction { shows_values, ..Redaction::default() };
    let opened =
        taken.clusters.iter().map(|(name, cluster)| (name, redaction.first(cluster))).collect::<Vec<_>>();
    let known = Known::of(&redaction.masker, &redaction.names);
    let folders = folders(taken.clusters.keys());
    let mut manifest = CaptureManifest {
        api_version: Report::API_VERSION.into(),
        kind: CaptureManifest::KIND.into(),
        redacted: !shows_values,
        ..CaptureManifest::default()
    };
    let mut files = Vec::new();
    for (name, resources) in opened {
        let Some(cluster) = taken.clusters.get(name) else { continue };
        let folder = folders.get(name.as_str()).cloned().unwrap_or_default();
        let mut captured = CapturedCluster {
            name: name.clone(),
            folder: folder.clone(),
            known_as: cluster.known_as.iter().filter(|alias| *alias != name).cloned().collect(),
            context: cluster.context.clone(),
            asked_first: cluster.is_asked_first,
            complete: cluster.is_complete,
            resources: Vec::new(),
        };
        for (resource, objects) in resources {
            let objects = objects.into_iter().map(|text| redaction.second(&text, &known)).collect::<Vec<_>>();
            let from = cluster.resources.get(&resource).into_iter().flat_map(BTreeMap::values);
            let from: BTreeSet<String> = from.map(|object| object.origin.to_string()).collect();
            captured.resources.push(CapturedResource {
                resource: resource.clone(),
                objects: objects.len(),
                from: from.into_iter().collect(),
            });
            let path = format!("clusters/{folder}/{}.json", file_name(&resource));
            files.push(File { path, content: list(&objects).into_bytes() });
        }
        manifest.clusters.push(captured);
    }
    let removed = redaction.masker.removed();
    manifest.removed =
        removed.iter().map(|(what, count)| Removal { what: what.words().into(), count: *count }).collect();
    manifest.missed.clone_from(&taken.missed);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    text.push('\n');
    files.insert(0, File { path: CaptureManifest::FILE.into(), content: text.into_bytes() });
    Package { files, manifest }
}

#[derive(Default)]
struct Redaction {
    shows_values: bool,
    /// Marker of the hash of values to the hash of what stands in their place: Fleet's agent, and so a
    /// diagnosis, asks whether the two agree.
    hashes: BTreeMap<String, String>,
    masker: Masker,
    names: Names,
}

impl Redaction {
    /// Takes values out by place and learns which names there are.
    fn first(&mut self, cluster: &TakenCluster) -> BTreeMap<String, Vec<String>> {
        let mut resources = BTreeMap::new();
        for (resource, objects) in &cluster.resources {
            let texts = objects.values().map(|object| match serde_json::from_str::<Value>(&object.json) {
                Ok(value) => self.by_place(value).to_string(),
                Err(_) => "null".into(),
            });
            resources.insert(resource.clone(), texts.collect());
        }
        resources
    }

    fn by_place(&mut self, mut value: Value) -> Value {
        if self.shows_values {
            return value;
        }
        if release::is_release(&value) {
            release::open(&mut value, &mut self.masker);
            let release = value.pointer_mut("/data").map(Value::take);
            object::redact(&mut value, &mut self.masker);
            if let (Some(release), Some(fields)) = (release, value.as_object_mut()) {
                fields.insert("data".into(), release);
            }
        } else if let Some(hash) = options_hash(&value) {
            object::redact(&mut value, &mut self.masker);
            let marker = self.masker.mask(Removed::Digests, &hash);
            self.hashes.extend(options_hash(&value).map(|hash| (marker, hash)));
        } else {
            object::redact(&mut value, &mut self.masker);
        }
        self.names.learn(&value);
        value
    }

    /// Takes out of the texts what was a value elsewhere, or looks like one.
    fn second(&mut self, text: &str, known: &Known) -> Value {
        let mut value: Value = serde_json::from_str(text).unwrap_or_default();
        if !self.shows_values {
            // What is left of a Secret's data was kept by its place; in base64 no word of it can be told.
            let is_secret =
                value.get("kind").is_some_and(|kind| kind == "Secret") && !release::is_release(&value);
            let data = value.get_mut("data").filter(|_| is_secret).map(Value::take);
            self.words(&mut value, known);
            if let (Some(data), Some(fields)) = (data, value.as_object_mut()) {
                fields.insert("data".into(), data);
            }
            if let Some(Value::String(marker)) = value.pointer_mut("/spec/valuesHash")
                && let Some(hash) = self.hashes.get(marker.as_str())
            {
                marker.clone_from(hash);
            }
            release::close(&mut value);
        }
        value
    }

    fn words(&mut self, value: &mut Value, known: &Known) {
        match value {
            Value::String(text) if is_marker(text) || is_marker_base64(text) => {}
            Value::String(text) if text.contains(char::is_whitespace) || text.contains(['"', '=']) => {
                let cleaned = crate::redact::text(text);
                *text = prose::redact(&cleaned, &self.names, known, &mut self.masker);
            }
            Value::String(word) => {
                if word.contains("://") {
                    *word = crate::redact::text(word).into_owned();
                }
                if let Some(masked) = prose::redact_word(word, &self.names, known, &mut self.masker) {
                    *word = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.words(item, known)),
            Value::Object(fields) => {
                let keys = fields
                    .keys()
                    .filter_map(|key| Some((key.clone(), prose::redact_key(key, known, &mut self.masker)?)));
                for (key, masked) in keys.collect::<Vec<_>>() {
                    if let Some(value) = fields.remove(&key) {
                        fields.insert(masked, value);
                    }
                }
                for (key, value) in fields {
                    if key == object::LAST_APPLIED
                        && let Some(Ok(mut applied)) = value.as_str().map(serde_json::from_str::<Value>)
                    {
                        self.words(&mut applied, known);
                        *value = applied.to_string().into();
                        continue;
                    }
                    // Names of objects join them to others: a value of the same letters gives way.
                    if !matches!(key.as_str(), "labels" | "matchLabels" | "ownerReferences") {
                        self.words(value, known);
                    }
                }
            }
            _ => {}
        }
    }
}

/// What Fleet calls the hash of a BundleDeployment's values (`helmvalues.HashOptions`), of the Secret that
/// holds them.
fn options_hash(secret: &Value) -> Option<String> {
    let kind = secret.get("type").and_then(Value::as_str)?;
    if kind != "fleet.cattle.io/bundle-deployment/v1alpha1" {
        return None;
    }
    let mut hasher = Sha256::new();
    for key in ["values", "stagedValues"] {
        let text =
            secret.get("data").and_then(|data| data.get(key)).and_then(Value::as_str).unwrap_or_default();
        hasher.update(STANDARD.decode(text).ok()?);
    }
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A `v1` List, one object a line.
fn list(objects: &[Value]) -> String {
    let mut text = String::from("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (at, object) in objects.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&object.to_string());
    }
    text.push_str("\n]}\n");
    text
}

/// A folder for every cluster: its name where that can be one, made unique.
fn folders<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, String> {
    let mut taken = BTreeSet::new();
    let mut folders = BTreeMap::new();
    for name in names {
        let base = file_name(name);
        let mut folder = base.clone();
        let mut number = 2;
        while !taken.insert(folder.to_lowercase()) {
            folder = format!("{base}-{number}");
            number += 1;
        }
        folders.insert(name.as_str(), folder);
    }
    folders
}

/// A name that every file system takes: no separators, no dots in front, no control characters.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.@+ ".contains(c) { c } else { '_' };
    let name: String = name.chars().map(safe).take(120).collect();
    let trimmed = name.trim_start_matches('.').trim();
    if trimmed.is_empty() { "cluster".into() } else { trimmed.to_owned() }
}
