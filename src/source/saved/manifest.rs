//! `capture.json`: what a capture says of itself.

use serde::{Deserialize, Serialize};

use crate::report::Gap;

/// What was taken, removed and from where. Stands at the root of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureManifest {
    /// `helm-forensics/v1`.
    pub api_version: String,
    /// `Capture`.
    pub kind: String,
    /// Whether values were taken out.
    pub redacted: bool,
    /// The clusters, in the order of their names.
    pub clusters: Vec<CapturedCluster>,
    /// What was taken out, and how often.
    pub removed: Vec<Removal>,
    /// What could not be had when the capture was taken.
    pub missed: Vec<Gap>,
}

/// One cluster of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedCluster {
    /// As reports call it.
    pub name: String,
    /// Its folder below `clusters/`, where that is another one.
    pub folder: String,
    /// Ids and display names that other clusters know it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_as: Vec<String>,
    /// The kubeconfig context that it was reached with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Whether the search started here; others were found from there.
    pub asked_first: bool,
    /// Whether "not in here" means "was not there": it was read from the living cluster.
    pub complete: bool,
    /// What was taken, by resource.
    pub resources: Vec<CapturedResource>,
}

/// The objects of one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedResource {
    /// As kubectl prints it.
    pub resource: String,
    /// How many.
    pub objects: usize,
    /// Files or contexts that they came from.
    pub from: Vec<String>,
}

/// Something that was taken out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// In words.
    pub what: String,
    /// How often.
    pub count: usize,
}

impl CaptureManifest {
    /// `kind` of every manifest.
    pub const KIND: &'static str = "Capture";
    /// Its file.
    pub const FILE: &'static str = "capture.json";

    /// The manifest that this text is, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        // Most files are none, and some are large.
        if !text.get(..200).unwrap_or(text).contains("\"Capture\"") {
            return None;
        }
        let manifest: Self = serde_json::from_str(text).ok()?;
        (manifest.kind == Self::KIND).then_some(manifest)
    }
}
