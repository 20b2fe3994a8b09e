//! What the program says: the report's model, its printed forms, and the one door out.
//!
//! A form (human, json, markdown, …) is one file, or folder, that turns a [`Report`] into text, and one
//! line in [`form`]. No form writes: text leaves only through [`door`], which redacts and sanitises.
//! May use `diagnosis`' results and nothing else.

pub mod clean;
pub mod door;
pub mod schema;

mod age;
mod command;
mod form;
mod group;
mod guard;
mod html;
mod human;
mod json;
mod markdown;
mod model;
mod name;
mod packed;
mod page;
mod shorten;
mod style;
mod telling;
mod value;
mod words;
mod yaml;

pub use age::Age;
pub use clean::text as clean_text;
pub use command::fold as fold_command;
pub use door::{Door, DoorError, render};
pub use form::{Form, UnknownForm};
pub use group::stuck;
pub use model::{
    ClusterSeen, Confidence, Conflict, Earlier, Evidence, Finding, Gap, Instant, Moment, Owned, Release,
    Report, Risk, Running, WayOut,
};
pub use packed::Packed;
pub use page::Page;
pub use style::{Paint, Style};
pub use value::words as value_in_words;
pub use words::class_in_words;
