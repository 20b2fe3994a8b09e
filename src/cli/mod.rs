//! The command line: arguments, one file per command, exit codes.

pub mod connection;
pub mod rbac;

use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
