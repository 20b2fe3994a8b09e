//! What clients sent, and how much they got.

use std::collections::BTreeMap;

/// One request.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// `GET`.
    pub verb: String,
    /// Path and query.
    pub path: String,
    /// Headers, names in lower case; repeated ones joined with a comma.
    pub headers: BTreeMap<String, String>,
    /// Bytes of the answer's body as they went over the wire.
    pub bytes: usize,
}

impl Seen {
    /// A header, empty where it was not sent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}
