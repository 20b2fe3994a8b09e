//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
mod completion;
pub mod connection;
mod exit;
mod help;
mod man;
mod names;
mod open;
mod print;
mod progress;
pub mod rbac;
mod run;
mod schema;
mod why;

pub use run::main;
