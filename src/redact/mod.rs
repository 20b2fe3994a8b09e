//! What must not be printed, saved or sent: secrets in texts, secrets in objects, terminal control.
//!
//! Pure functions over text and JSON values; used by `failure`, `report` and `capture` alike.

mod control;
mod mask;
pub mod object;
pub mod prose;
mod text;
mod value;

pub use control::harmless;
pub use mask::{Masker, Removed, holds_mask, is_marker, is_marker_base64};
pub use text::{REDACTED, field_path, text};
pub use value::{hidden, is_secret_name, redacted_json};
