//! What the program says: the report's model, its printed forms, and the one door out.
//!
//! A form (human, json, markdown, …) is one file that turns a [`Report`] into text. No form writes:
//! text leaves only through [`door`], which redacts and sanitises. May use `diagnosis`' results and
//! nothing else.

mod model;

pub use model::{
    ClusterSeen, Confidence, Conflict, Earlier, Evidence, Finding, Gap, Instant, Moment, Owned, Release,
    Report, Risk, Running, WayOut,
};
