//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
pub mod connection;
mod exit;
pub mod explain;
mod open;
mod print;
mod progress;
pub mod rbac;
mod run;
mod why;

pub use run::main;
