//! Saved evidence through the library's own front door: folders, archives, streams, bad input.

mod archives;
mod bad_input;
mod capture;
mod clusters;
mod dump;
#[path = "../support/fake_api/mod.rs"]
mod fake_api;
mod forms;
mod layouts;
mod leaks;
mod questions;
mod secrets;
