//! Saved evidence through the library's own front door: folders, archives, streams, bad input.

mod archives;
mod bad_input;
mod capture;
mod clusters;
mod dump;
mod forms;
mod layouts;
mod leaks;
mod questions;
mod secrets;
