//! `-o human` and `-o wide`: for a person at a terminal, the answer first.
//!
//! One file per part of the page, from top to bottom: the summary and the list of causes, then one
//! block per cause with its fields, its evidence, its ways out, and last what is not known.

mod block;
mod evidence;
mod fields;
mod gaps;
mod layout;
mod summary;
mod ways;

pub(super) use layout::{render, render_wide};
