//! What the user said about how to reach clusters, and how long it may take.

use std::path::PathBuf;
use std::time::Duration;

/// kubectl's global flags, as typed. Everything empty means: what the kubeconfig says.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// `--kubeconfig`: this file alone, `KUBECONFIG` is not read.
    pub kubeconfig: Option<PathBuf>,
    /// `--context`.
    pub context: Option<String>,
    /// `--cluster`: another cluster entry than the context's.
    pub cluster: Option<String>,
    /// `--user`: another user entry than the context's.
    pub user: Option<String>,
    /// `-n`: also what a listing falls back to where all namespaces are forbidden.
    pub namespace: Option<String>,
    /// `-A`: never fall back to one namespace.
    pub all_namespaces: bool,
    /// `--as`.
    pub impersonate: Option<String>,
    /// `--as-group`, repeatable.
    pub impersonate_groups: Vec<String>,
    /// `--as-uid`.
    pub impersonate_uid: Option<String>,
    /// `--server`.
    pub server: Option<String>,
    /// `--tls-server-name`.
    pub tls_server_name: Option<String>,
    /// `--insecure-skip-tls-verify`.
    pub insecure_skip_tls_verify: bool,
    /// `--certificate-authority`.
    pub certificate_authority: Option<PathBuf>,
    /// `--token`.
    pub token: Option<secrecy::SecretString>,
    /// `--use-argocd-credentials`.
    pub use_argocd_credentials: bool,
    /// `--downstream NAME=CONTEXT`, repeatable, in the order given.
    pub downstream: Vec<(String, String)>,
}

/// How long and how much one run may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For one connection to stand, TLS included.
    pub connect: Duration,
    /// For one answer, whole (`--request-timeout`); `None` leaves it to the other limits.
    pub request: Option<Duration>,
    /// For everything that is asked of one downstream cluster, from its first request on.
    pub cluster: Duration,
    /// For the whole run, from [`super::Live::connect`] on.
    pub run: Option<Duration>,
    /// Requests that one API server gets at a time.
    pub concurrent_requests: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            request: Some(Duration::from_secs(30)),
            cluster: Duration::from_secs(60),
            run: None,
            concurrent_requests: 8,
        }
    }
}
