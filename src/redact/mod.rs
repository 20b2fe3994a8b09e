//! What must not be printed, saved or sent: secrets in texts, secrets in objects, terminal control.
//!
//! Pure functions over text and JSON values; used by `failure`, `report` and `capture` alike.

mod mask;
pub mod object;
pub mod prose;

pub use mask::{Masker, Removed, is_marker};

/// Until the texts' own rules are merged.
pub fn text(text: &str) -> std::borrow::Cow<'_, str> {
    text.into()
}
