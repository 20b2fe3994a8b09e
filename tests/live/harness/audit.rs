//! What the API server was asked, by whom: the proof that a reader only reads.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::Value;

use super::api::{Api, Verb};
use super::wait;

pub struct Audit {
    log: PathBuf,
    markers: AtomicU32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub agent: String,
    pub verb: String,
    pub uri: String,
}

impl Audit {
    pub fn new(log: &Path) -> Self {
        Self { log: log.to_owned(), markers: AtomicU32::new(0) }
    }

    /// All requests that were made while `action` ran, in the order in which they were answered. Requests of
    /// others on the same plane are among them: choose by agent.
    #[track_caller]
    pub fn during<T>(&self, api: &Api, action: impl FnOnce() -> T) -> (T, Vec<Asked>) {
        let start = self.mark(api);
        let result = action();
        self.mark(api);
        let mut text = String::new();
        let read = File::open(&self.log).and_then(|mut log| {
            log.seek(SeekFrom::Start(start))?;
            log.read_to_string(&mut text)
        });
        if let Err(error) = read {
            panic!("could not read {}: {error}", self.log.display());
        }
        // The last line may be still in the making, by somebody after the mark.
        let asked = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .map(|event| {
                let field = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
                Asked { agent: field("userAgent"), verb: field("verb"), uri: field("requestURI") }
            })
            .collect();
        (result, asked)
    }

    /// The server writes an event after it has answered. So a request that can be told from all others is
    /// made, and everything answered before it is in the log once that one is. Gives the length of the log by
    /// then.
    #[track_caller]
    fn mark(&self, api: &Api) -> u64 {
        let number = self.markers.fetch_add(1, Ordering::Relaxed);
        let agent = format!("audit-marker-{number}/1");
        api.send(&agent, Verb::Get, "/version", &Value::Null).ok();
        wait::expect("the audit log to catch up", Duration::from_secs(10), || {
            let log = std::fs::read_to_string(&self.log).map_err(|error| error.to_string())?;
            if log.contains(&agent) {
                Ok(log.len() as u64)
            } else {
                Err(format!("{} bytes without {agent}", log.len()))
            }
        })
    }
}
