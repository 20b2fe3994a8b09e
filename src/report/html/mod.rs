//! `-o html`: one self-contained file, readable without a network and without its script.
//!
//! Text from a cluster comes in through [`escape`] alone. The policy in the head allows the one style
//! and the one script that ship with the program, by their hashes, and no request at all.

mod block;
mod chain;
mod escape;
mod evidence;
mod layout;
mod timeline;
mod ways;

pub(super) use layout::render;
