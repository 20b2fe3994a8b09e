//! What a run reads, saved so that the same run can be made elsewhere, and nothing secret in it.
//!
//! `recording` notes what is read; `unfold` opens release payloads; `redact` takes the values out;
//! `package` makes the files. Pure but for the source that it wraps: `cli` writes the files.

mod package;
mod recording;
mod release;
mod taken;

pub use package::{File, Package, package};
pub use recording::Recording;
pub use taken::{Taken, TakenCluster, TakenObject};
