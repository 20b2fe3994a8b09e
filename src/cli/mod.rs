//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
pub mod decode;
mod capture;
pub mod connection;
mod exit;
pub mod history;
pub mod explain;
mod open;
mod print;
mod progress;
pub mod rbac;
mod redact;
mod run;
mod target;
mod why;

pub use run::main;
