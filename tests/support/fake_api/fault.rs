//! What goes wrong, where, and how often.

use std::sync::atomic::{AtomicUsize, Ordering};

/// One way to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A Status of this code, as an API server words it.
    Status(u16),
    /// A Status of this code with a Retry-After in seconds.
    RetryAfter(u16, u64),
    /// `404 page not found`, as for a group that is not served.
    NotServed,
    /// A sign-in page with this code.
    Html(u16),
    /// Another address.
    Redirect,
    /// The connection ends in the middle of the answer.
    Cut,
    /// No answer, ever.
    Hang,
    /// The answer's first bytes, one each 50 ms, for ever.
    Drip,
}

/// A fault with its place.
pub(super) struct Rule {
    /// A part of the path with its query.
    place: String,
    fault: Fault,
    left: AtomicUsize,
}

impl Rule {
    pub(super) fn new(place: &str, fault: Fault, times: usize) -> Self {
        Self { place: place.into(), fault, left: AtomicUsize::new(times) }
    }

    /// The fault, if it is this request's turn.
    pub(super) fn strike(&self, path: &str) -> Option<&Fault> {
        if !path.contains(&self.place) {
            return None;
        }
        let less = |left: usize| left.checked_sub(1);
        self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).ok().map(|_| &self.fault)
    }
}
