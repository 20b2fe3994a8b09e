//! Why a server did not come up, in words for the person who has to do something about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::guard::Guarded;

const SHOWN_LINES: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum StartFailure {
    /// Ports are asked for and given back before a server takes them, so another process can come between.
    #[error("{server}: a port that was free just now is taken\n{log}")]
    PortTaken { server: String, log: String },
    #[error("{server}: the disk is full; make room, or point TMPDIR at a bigger one\n{log}")]
    DiskFull { server: String, log: String },
    #[error("{server} ended ({status}) before it was ready; its last log lines:\n{log}")]
    Ended { server: String, status: String, log: String },
    #[error("{server} was not ready within {limit:?}; its last log lines:\n{log}")]
    NotReady { server: String, limit: Duration, log: String },
    /// The system's own words, which name a full disk too.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{what}: {why}")]
    Setup { what: String, why: String },
}

impl StartFailure {
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub fn setup(what: &str, why: impl std::fmt::Display) -> Self {
        Self::Setup { what: what.to_owned(), why: why.to_string() }
    }

    pub fn not_ready(server: &Guarded, limit: Duration) -> Self {
        Self::NotReady { server: server.name().to_owned(), limit, log: last_lines(&server.log()) }
    }

    pub fn ended(server: &Guarded, status: impl std::fmt::Display) -> Self {
        let text = server.log();
        let (server, log) = (server.name().to_owned(), last_lines(&text));
        if text.contains("address already in use") {
            Self::PortTaken { server, log }
        } else if text.contains("no space left on device") {
            Self::DiskFull { server, log }
        } else {
            Self::Ended { server, status: status.to_string(), log }
        }
    }
}

fn last_lines(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    shown.iter().map(|line| format!("    {line}\n")).collect::<String>()
}
