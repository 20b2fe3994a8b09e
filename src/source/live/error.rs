//! Why there is no living source at all. One sentence each, for the person on call.

use std::path::PathBuf;

/// No question can be asked. What fails later is a [`crate::source::Miss`] and ends nothing.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LiveError {
    /// No file, no `KUBECONFIG`, not inside a cluster.
    #[error(
        "no kubeconfig found: {looked_at} does not exist and this is not a pod; give one with --kubeconfig or KUBECONFIG, or read saved data with --from"
    )]
    NoKubeconfig {
        /// Where it would be.
        looked_at: String,
    },
    /// A kubeconfig that the user named, or one of `KUBECONFIG`, cannot be used.
    #[error("kubeconfig {} cannot be read: {why}", path.display())]
    BadKubeconfig {
        /// The file.
        path: PathBuf,
        /// The system's or the parser's words.
        why: String,
    },
    /// The same name twice in one list of one file; kubectl refuses that too.
    #[error("kubeconfig {}: the {list} {name} stands in it twice", path.display())]
    NamedTwice {
        /// The file.
        path: PathBuf,
        /// `context`, `cluster` or `user`.
        list: &'static str,
        /// The name.
        name: String,
    },
    /// `current-context` is empty and nothing else says which cluster is meant.
    #[error("no current context is set; choose one with --context: {}", one_of(contexts))]
    NoCurrentContext {
        /// Those that exist.
        contexts: Vec<String>,
    },
    /// A context, cluster or user that the kubeconfig does not have.
    #[error("no {list} named {name} in the kubeconfig; there are: {}", one_of(existing))]
    NoSuchEntry {
        /// `context`, `cluster` or `user`.
        list: &'static str,
        /// The name asked for.
        name: String,
        /// Those that exist.
        existing: Vec<String>,
    },
    /// `--downstream` gives one cluster two contexts.
    #[error("--downstream names {name} twice ({first}, {second}); which one is it?")]
    DownstreamTwice {
        /// The cluster.
        name: String,
        /// The first context given.
        first: String,
        /// The second.
        second: String,
    },
    /// An entry of the kubeconfig cannot be used as it stands.
    #[error("context {context} cannot be used: {why}")]
    BadContext {
        /// The context.
        context: String,
        /// What is wrong with it, and what helps.
        why: String,
    },
}

fn one_of(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
