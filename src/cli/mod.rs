//! The command line: arguments, one file per command, exit codes.

pub mod owners;
pub mod predict;

use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
