//! Server-side apply: field paths, managedFields as sets, who a manager is, conflicts before they happen.
//!
//! Works on JSON values alone and follows structured-merge-diff v6, the library by which the API server
//! (Kubernetes 1.37) decides. May use nothing else of the program but `object` and `failure`'s types.

pub mod audit_log;
mod element;
pub mod guard;
mod lenient;
mod live;
mod managed;
mod manager;
mod order;
mod path;
mod path_text;
mod predict;
mod quantity;
mod quote;
mod robots;
mod schema;
mod schema_custom;
mod set;
mod typed;

pub use element::{Element, ElementError};
pub use live::Live;
pub use managed::{Entry, Extent, ManagedFields, ManagedTrouble, Owner};
pub use manager::{Manager, ManagerKind};
pub use order::same;
pub use path::{Path, PathError};
pub use predict::{
    Applied, Change, Conflict, Method, Overwrite, Prediction, Released, Reset, Shared, WhyOverwritten,
    as_helm_applies, predict,
};
pub use quantity::Quantity;
pub use quote::{go_quote, go_unquote};
pub use robots::{Robots, robots};
pub use schema::{Schema, SchemaSource};
pub use set::{Set, SetTrouble};
pub use typed::Invalid;
