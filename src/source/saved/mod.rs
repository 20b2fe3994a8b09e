//! Saved evidence: files, folders and archives that somebody took of clusters, read by content.
//!
//! One pass finds every object and keeps an index of them (`scan`, `index`); bodies stay in their files
//! where that is possible. What cannot be read becomes a [`trouble::Trouble`], never the end. Names of
//! files only say which cluster an object is of (`layout`), never what it is.

mod block;
mod body;
mod cluster;
mod compact;
mod encoding;
mod error;
mod found;
mod gzip;
mod head;
mod index;
mod json;
mod kinds;
mod layout;
mod limits;
mod manifest;
mod plural;
mod scan;
mod selector;
mod sniff;
mod spec;
mod table;
mod tarball;
mod trouble;
mod walk;
mod yaml;
mod zipped;

pub use error::SavedError;
pub use index::Saved;
pub use limits::Limits;
pub use manifest::{CaptureManifest, CapturedCluster, CapturedResource, Removal};
pub use spec::{FromSpec, PathOrStdin};
