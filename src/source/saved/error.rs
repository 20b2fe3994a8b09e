//! Why saved evidence could not be opened at all.

/// Nothing can be read from what was given. Anything less is a gap of the report.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The path does not exist.
    #[error("{path} does not exist")]
    Missing {
        /// As given.
        path: String,
    },
    /// The path cannot be read, or standard input cannot.
    #[error("{path} cannot be read: {why}")]
    Unreadable {
        /// As given.
        path: String,
        /// The system's words.
        why: String,
    },
    /// Something could be read, and no Kubernetes object is in it.
    #[error(
        "no Kubernetes object in {paths}{because}\nSave some with `kubectl get TYPE -A -o json --show-managed-fields > FILE`."
    )]
    Empty {
        /// What was given, joined by commas.
        paths: String,
        /// `": "` and the troubles met, one a line, or nothing.
        because: String,
    },
}
