//! structured-merge-diff's operations on one object under its schema: merge, compare, field set, removal.
//!
//! Each file is one operation, walking value and schema together. May use `schema`, `set` and `order`.

mod compare;
mod field_set;
mod merge;
mod reconcile;
mod remove;

pub(super) use compare::{Comparison, compare, set_by};
pub use field_set::Invalid;
pub(super) use field_set::field_set;
pub(super) use merge::merge;
pub(super) use reconcile::{reconcile, with_named_fields};
pub(super) use remove::remove;
