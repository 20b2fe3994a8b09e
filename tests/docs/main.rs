//! What README and docs say is true: every command in them is run, or at least accepted.

mod commands;
mod consoles;
