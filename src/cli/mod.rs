//! The command line: arguments, one file per command, exit codes.

mod args;
mod ask;
mod audit;
mod exit;
mod open;
mod print;
mod progress;
mod run;
mod why;

pub use run::main;
