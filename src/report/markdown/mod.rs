//! `-o markdown`: for tickets and chats, in GitHub's dialect.
//!
//! Text from a cluster comes in through [`escape`] alone: it can neither open nor close anything, link,
//! or mention anybody.

mod block;
mod escape;
mod layout;

pub(super) use layout::render;
