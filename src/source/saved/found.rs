//! What one file yields.

use std::path::PathBuf;

use super::block::Block;
use super::body::Body;
use super::head::Head;
use super::manifest::CaptureManifest;
use super::trouble::Trouble;

/// One file or archive member after it was scanned.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What to call it in a report.
    pub origin: String,
    /// The cluster that its place makes it of.
    pub cluster: String,
    /// The file on disk that [`Body::InFile`] points into.
    pub path: Option<PathBuf>,
    /// What [`Body::InBlock`] points into.
    pub block: Option<Block>,
    /// Its objects, in its order.
    pub objects: Vec<(Head, Body)>,
    /// API group and kind of lists without items: proof that there was none.
    pub empty_lists: Vec<(String, String)>,
    /// What a capture says of itself, if this is its `capture.json`.
    pub capture: Option<CaptureManifest>,
    /// What went wrong.
    pub troubles: Vec<Trouble>,
}
