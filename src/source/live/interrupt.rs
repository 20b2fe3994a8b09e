//! The user's wish to stop.

/// Resolves at the first Ctrl-C. Select it against the run, print what is known, exit 130.
///
/// Where the handler cannot be installed it never resolves: Ctrl-C then ends the program as usual.
pub async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
