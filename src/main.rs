//! `kubectl helm-forensics`.

use std::process::ExitCode;

fn main() -> ExitCode {
    helm_forensics::cli::main()
}
