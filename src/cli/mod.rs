//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
mod capture;
mod completion;
pub mod connection;
pub mod decode;
mod exit;
pub mod explain;
mod help;
pub mod history;
mod man;
mod names;
mod object;
mod open;
pub mod owners;
pub mod predict;
mod print;
mod progress;
pub mod rbac;
mod redact;
mod run;
mod schema;
mod target;
mod watch;
mod why;

pub use run::main;
