//! A failure text to its class and what it names: undo the transport, look for causes, peel what is around
//! the first of them, read the grammar, look into the catalogue.
//!
//! Works on text alone. May use `object`, `redact`, `shell` and the report's types, nothing else of the program.

mod boundaries;
mod catalogue;
mod classes;
mod classify;
mod conflicts;
mod cursor;
mod dump;
mod entities;
mod find;
mod flat;
mod fleet;
mod mentions;
mod model;
mod nearest;
mod objects;
mod page;
#[cfg(test)]
mod printed;
mod reading;
mod records;
mod registry;
mod rule;
mod transport;
mod ways;
mod wrappers;

pub(crate) use dump::spans as quoted_values;

pub use catalogue::{ClassEntry, WayTemplate, catalogue, explained};
pub use classify::{classify, classify_damage, classify_revision};
pub use find::{Found, find, find_in};
pub use model::{Class, Conflict, Failure, NamedObject, Operation, Wrapper};
pub use nearest::nearest;
pub use ways::{WayContext, ways_out};
