//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
mod capture;
pub mod connection;
mod exit;
mod open;
mod print;
mod progress;
pub mod rbac;
mod redact;
mod run;
mod target;
mod why;

pub use run::main;
