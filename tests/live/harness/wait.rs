//! Waiting for a condition, with a limit. Tests sleep nowhere else.

use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(50);

/// What `look` gives at last. While it gives None, `Err` is what a person will read when the time is up.
pub fn until<T, E>(limit: Duration, mut look: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    let end = Instant::now() + limit;
    loop {
        match look() {
            Ok(found) => return Ok(found),
            Err(seen) if Instant::now() >= end => return Err(seen),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// The same for a test: fails it with what was awaited and what was there instead.
#[track_caller]
pub fn expect<T, E: std::fmt::Display>(what: &str, limit: Duration, look: impl FnMut() -> Result<T, E>) -> T {
    match until(limit, look) {
        Ok(found) => found,
        Err(seen) => panic!("waited {limit:?} for {what}; last seen: {seen}"),
    }
}
