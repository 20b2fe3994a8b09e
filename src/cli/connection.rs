//! kubectl's global flags. kubectl hands a plugin none of them, so they are ours to define.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::source::live::{Connection, Limits};

/// How to reach clusters, and how long to wait for them.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Clusters")]
pub struct ConnectionArgs {
    /// Kubeconfig file to read instead of KUBECONFIG and ~/.kube/config
    #[arg(long, global = true, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the upstream cluster, where the deployer's records are
    #[arg(long, global = true, value_name = "NAME")]
    pub context: Option<String>,
    /// Cluster entry to use instead of the context's
    #[arg(long, global = true, value_name = "NAME")]
    pub cluster: Option<String>,
    /// User entry to use instead of the context's
    #[arg(long, global = true, value_name = "NAME")]
    pub user: Option<String>,
    /// Namespace to look in
    #[arg(short, long, global = true, value_name = "NAME")]
    pub namespace: Option<String>,
    /// Look in all namespaces
    #[arg(short = 'A', long, global = true)]
    pub all_namespaces: bool,
    /// User to act as
    #[arg(long = "as", global = true, value_name = "USER")]
    pub impersonate: Option<String>,
    /// Group to act as; repeatable
    #[arg(long = "as-group", global = true, value_name = "GROUP")]
    pub impersonate_groups: Vec<String>,
    /// UID to act as
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    pub impersonate_uid: Option<String>,
    /// Address of the upstream API server
    #[arg(short, long, global = true, value_name = "URL")]
    pub server: Option<String>,
    /// Name to expect in the server's certificate
    #[arg(long, global = true, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// Do not check the server's certificate
    #[arg(long, global = true)]
    pub insecure_skip_tls_verify: bool,
    /// File with the certificate of the server's CA
    #[arg(long, global = true, value_name = "FILE")]
    pub certificate_authority: Option<PathBuf>,
    /// Bearer token for the upstream API server
    #[arg(long, global = true, value_name = "TOKEN")]
    pub token: Option<SecretArg>,
    /// Context to read a downstream cluster with, by the cluster's id or display name; repeatable
    #[arg(long, global = true, value_name = "NAME=CONTEXT", value_parser = name_and_context)]
    pub downstream: Vec<(String, String)>,
    /// Read an Application's destination with the credentials that Argo CD keeps for it
    #[arg(long, global = true)]
    pub use_argocd_credentials: bool,
    /// How long to wait for one answer (1s, 2m, 3h; 0: as long as the cluster's limit)
    #[arg(long, global = true, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub request_timeout: Duration,
    /// How long to wait for one downstream cluster
    #[arg(long, global = true, value_name = "TIME", default_value = "1m", value_parser = duration)]
    pub cluster_timeout: Duration,
    /// How long the whole run may take (0: no limit)
    #[arg(long, global = true, value_name = "TIME", default_value = "0", value_parser = duration)]
    pub timeout: Duration,
    /// How many clusters to visit at a time
    #[arg(long, global = true, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u16).range(1..))]
    pub parallel: u16,
}

/// A flag's value that no debug print shows.
#[derive(Clone, Debug)]
pub struct SecretArg(secrecy::SecretString);

impl From<&str> for SecretArg {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl ConnectionArgs {
    /// What the flags mean to the living source.
    pub fn connection(&self) -> Connection {
        let flags = self.clone();
        Connection {
            kubeconfig: flags.kubeconfig,
            context: flags.context,
            cluster: flags.cluster,
            user: flags.user,
            namespace: flags.namespace,
            all_namespaces: flags.all_namespaces,
            impersonate: flags.impersonate,
            impersonate_groups: flags.impersonate_groups,
            impersonate_uid: flags.impersonate_uid,
            server: flags.server,
            tls_server_name: flags.tls_server_name,
            insecure_skip_tls_verify: flags.insecure_skip_tls_verify,
            certificate_authority: flags.certificate_authority,
            token: flags.token.map(|token| token.0),
            downstream: flags.downstream,
            use_argocd_credentials: flags.use_argocd_credentials,
        }
    }

    /// How long and how much the run may ask.
    pub fn limits(&self) -> Limits {
        let given = |limit: Duration| (!limit.is_zero()).then_some(limit);
        let default = Limits::default();
        Limits {
            request: given(self.request_timeout),
            cluster: given(self.cluster_timeout).unwrap_or(Duration::from_secs(3600)),
            run: given(self.timeout),
            ..default
        }
    }
}

fn name_and_context(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, context)) if !name.is_empty() && !context.is_empty() => Ok((name.into(), context.into())),
        _ => Err("must be NAME=CONTEXT, as in c-prod=prod-eu".into()),
    }
}

/// kubectl's notation: a bare number is seconds, else Go's durations (`1m30s`, `500ms`).
pub fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("{text:?} is no time; write 30, 30s, 2m, 1h or 1m30s");
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(Duration::from_secs(seconds));
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0).ok_or_else(bad)?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let (_, milliseconds) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(bad)?;
        let part = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*milliseconds));
        total = part.and_then(|part| total.checked_add(Duration::from_millis(part))).ok_or_else(bad)?;
        rest = after;
    }
    if text.is_empty() { Err(bad()) } else { Ok(total) }
}

const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        connection: ConnectionArgs,
    }

    fn parsed(arguments: &[&str]) -> ConnectionArgs {
        Program::try_parse_from(std::iter::once("x").chain(arguments.iter().copied())).unwrap().connection
    }

    #[test]
    fn the_flags_are_kubectls() {
        let args = parsed(&[
            "-n",
            "shop",
            "-A",
            "--as=jane",
            "--as-group=a",
            "--as-group",
            "b",
            "--as-uid=7",
            "-s",
            "https://x",
            "--token",
            "s3cr3t-planted",
            "--downstream",
            "c-1=prod",
            "--request-timeout=5",
        ]);
        assert!(!format!("{args:?}").contains("s3cr3t"));
        let connection = args.connection();
        assert_eq!(connection.namespace.as_deref(), Some("shop"));
        assert_eq!(connection.impersonate_groups, ["a", "b"]);
        assert_eq!(connection.server.as_deref(), Some("https://x"));
        assert_eq!(connection.downstream, [("c-1".to_owned(), "prod".to_owned())]);
        assert!(connection.all_namespaces && connection.token.is_some());
        assert_eq!(args.limits().request, Some(Duration::from_secs(5)));
    }

    #[test]
    fn limits_by_default_are_the_sources() {
        assert_eq!(parsed(&[]).limits(), Limits::default());
        assert_eq!(parsed(&["--request-timeout=0"]).limits().request, None);
    }

    #[test]
    fn times_are_written_as_for_kubectl() {
        let cases =
            [("30", 30_000), ("30s", 30_000), ("1m30s", 90_000), ("500ms", 500), ("1h", 3_600_000), ("0", 0)];
        for (text, milliseconds) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "1x", "-1s", "1.5s", "99999999999999999999s", "18446744073709551615h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_downstream_needs_both_names() {
        for text in ["c-1", "=prod", "c-1="] {
            assert!(name_and_context(text).is_err(), "{text}");
        }
    }
}
