//! Helm's records: the payload codec, revisions and the history of a release.
//!
//! Works on bytes and metadata alone; may use nothing else of the program but `failure`'s types,
//! `object` and `yaml`. One payload goes `codec` → [`Release`]; the metadata of its Secret or ConfigMap
//! becomes [`RevisionMeta`]; both make a [`Revision`], and the revisions of one name a [`History`].

mod cause;
pub mod codec;
pub mod encode;
pub mod found;
mod history;
pub mod manifest;
mod manifest_scan;
pub mod mask;
mod missing;
mod release;
mod revision;
pub mod rollback;
mod status;

pub use cause::{Cause, Causes};
pub use codec::{DecodeError, Decoder, Fault, Head, Layer, Limit, Payload, ReleaseView};
pub use history::History;
pub use manifest::Manifest;
pub use missing::{Missing, WhyMissing};
pub use release::{ChartMetadata, Hook, HookRun, Info, Release};
pub use revision::{Driver, ManagedWrite, ObjectMetadata, Revision, RevisionMeta};
pub use status::Status;
