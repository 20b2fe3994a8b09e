//! How far a run has come, on standard error, on a terminal only.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use super::args::Globals;
use crate::evidence::Evidence;

/// Shown after this time, and again whenever it has passed: a quick answer shows none.
const EVERY: Duration = Duration::from_millis(700);

/// Progress of one run.
pub struct Progress {
    is_shown: bool,
}

impl Progress {
    /// Shown on a terminal, unless `--quiet`.
    pub fn new(globals: &Globals) -> Self {
        Self { is_shown: !globals.quiet && std::io::stderr().is_terminal() }
    }

    /// Redraws one line until the run ends; never resolves by itself.
    pub async fn show<T>(&self, evidence: &RefCell<Evidence<T>>) {
        loop {
            tokio::time::sleep(EVERY).await;
            if self.is_shown {
                let line = {
                    let evidence = evidence.borrow();
                    format!("{} clusters read, {} cases", evidence.clusters.len(), evidence.read())
                };
                let _ = write!(std::io::stderr(), "\r{line}…\x1b[K");
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
