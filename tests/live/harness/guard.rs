//! A server process that can't outlive the test, whatever happens to the test.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

use super::failure::StartFailure;

const GUARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/harness/guard.sh");

/// Dropping it kills the program and returns when it is gone.
pub struct Guarded {
    name: String,
    guard: Child,
    lifeline: Option<ChildStdin>,
    log: PathBuf,
}

impl Guarded {
    /// `folder` holds the log and is removed when the test process goes away.
    pub fn start(
        name: &str,
        folder: &Path,
        program: &Path,
        arguments: &[String],
    ) -> Result<Self, StartFailure> {
        let log = folder.join(format!("{name}.log"));
        let output = File::create(&log).map_err(|source| StartFailure::io(&log, source))?;
        let errors = output.try_clone().map_err(|source| StartFailure::io(&log, source))?;
        let mut guard = Command::new("sh")
            .arg(GUARD)
            .arg(folder)
            .arg(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(errors)
            // Its own group: Ctrl-C in a terminal must reach the test process only, which then takes all with
            // it.
            .process_group(0)
            .spawn()
            .map_err(|source| StartFailure::io(program, source))?;
        Ok(Self { name: name.to_owned(), lifeline: guard.stdin.take(), guard, log })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the program ended, if it did.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.guard.try_wait().ok().flatten()
    }

    pub fn log(&self) -> String {
        fs::read(&self.log)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_else(|error| format!("(no log: {}: {error})", self.log.display()))
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.lifeline.take());
        let _ = self.guard.wait();
    }
}
