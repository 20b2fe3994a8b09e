//! From an entry of a kubeconfig to what a client needs: address, TLS, credentials, proxy, patience.

use std::time::Duration;

use http::header::{HeaderValue, USER_AGENT};
use kube::Config;
use kube::config::{
    AuthInfo, Cluster, Context, ExecConfig, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext,
};
use secrecy::ExposeSecret as _;
use sha2::{Digest as _, Sha256};

use super::kubeconfig::without_content;
use super::proxy::{ProxyVariables, proxy_for};
use super::{Connection, Limits};
use crate::source::access::rancher;

/// One way to one API server.
pub(super) struct Target {
    /// Where the client connects to; its URL ends before Rancher's `/k8s/clusters/…`.
    pub(super) config: Config,
    /// What stands before every API path of this cluster: `/k8s/clusters/c-kqgtk`, or nothing.
    pub(super) prefix: String,
    /// The credential plugin that has to run before the first request.
    pub(super) exec: Option<ExecConfig>,
    /// Equal for targets that can share one client: same server, TLS and credentials.
    pub(super) identity: [u8; 32],
    /// The context's own namespace, where it names one.
    pub(super) namespace: Option<String>,
}

/// What the flags change about the current context. Other contexts only get the impersonation.
pub(super) struct Overrides<'a> {
    /// All flags.
    pub(super) connection: &'a Connection,
    /// Whether this is the context that they speak of.
    pub(super) is_current: bool,
}

impl Target {
    /// Resolves one context.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence that quotes no credential.
    pub(super) fn of_context(
        kubeconfig: &Kubeconfig,
        context: &str,
        overrides: &Overrides<'_>,
        limits: &Limits,
        proxies: &ProxyVariables,
    ) -> Result<Self, String> {
        let context = kubeconfig
            .contexts
            .iter()
            .find(|entry| entry.name == context)
            .and_then(|entry| entry.context.clone())
            .ok_or_else(|| "the context is empty".to_owned())?;
        let mut cluster = named_cluster(kubeconfig, &context, overrides)?;
        let user = context.user.clone().unwrap_or_default();
        let mut auth = kubeconfig
            .auth_infos
            .iter()
            .find(|entry| entry.name == user)
            .and_then(|entry| entry.auth_info.clone())
            .unwrap_or_default();
        if overrides.is_current {
            override_cluster(&mut cluster, overrides.connection);
            override_token(&mut auth, overrides.connection);
        }
        impersonate(&mut auth, overrides.connection);
        Self::assemble(context.namespace.filter(|name| !name.is_empty()), cluster, auth, limits, proxies)
    }

    /// A pod's own API server.
    pub(super) fn in_cluster(connection: &Connection, limits: &Limits) -> Result<Self, String> {
        let mut config = Config::incluster().map_err(|error| error.to_string())?;
        impersonate(&mut config.auth_info, connection);
        be_patient(&mut config, limits);
        let namespace = Some(config.default_namespace.clone());
        Ok(Self { config, prefix: String::new(), exec: None, identity: [0; 32], namespace })
    }

    fn assemble(
        namespace: Option<String>,
        mut cluster: Cluster,
        mut auth: AuthInfo,
        limits: &Limits,
        proxies: &ProxyVariables,
    ) -> Result<Self, String> {
        let address = cluster.server.take().filter(|server| !server.is_empty());
        let address = address.ok_or("its cluster entry has no server")?;
        let address = if address.contains("://") { address } else { format!("https://{address}") };
        let (root, prefix) = rancher::split(&address);
        cluster.server = Some(root.to_owned());
        refuse_unknown_provider(&auth)?;
        let identity = identity_of(&cluster, &auth);
        let exec = auth.exec.take_if(|_| auth.token.is_none() && auth.token_file.is_none());
        let exec = exec.map(|exec| with_cluster_info(exec, &cluster)).transpose()?;
        let own_proxy = cluster.proxy_url.take();
        let mut config = Config::try_from(Kubeconfig {
            current_context: Some("it".into()),
            contexts: vec![NamedContext {
                name: "it".into(),
                context: Some(Context {
                    cluster: "it".into(),
                    user: Some("it".into()),
                    namespace: namespace.clone(),
                    ..Context::default()
                }),
                ..NamedContext::default()
            }],
            clusters: vec![NamedCluster {
                name: "it".into(),
                cluster: Some(cluster),
                ..NamedCluster::default()
            }],
            auth_infos: vec![NamedAuthInfo {
                name: "it".into(),
                auth_info: Some(auth),
                ..NamedAuthInfo::default()
            }],
            ..Kubeconfig::default()
        })
        .map_err(|error| without_content(&error))?;
        config.proxy_url = proxy_for(&config.cluster_url, own_proxy.as_deref(), proxies)?;
        be_patient(&mut config, limits);
        Ok(Self { config, prefix: prefix.to_owned(), exec, identity, namespace })
    }
}

fn named_cluster(
    kubeconfig: &Kubeconfig,
    context: &Context,
    overrides: &Overrides<'_>,
) -> Result<Cluster, String> {
    let entry = kubeconfig.clusters.iter().find(|entry| entry.name == context.cluster);
    match entry.and_then(|entry| entry.cluster.clone()) {
        Some(cluster) => Ok(cluster),
        None if overrides.is_current && overrides.connection.server.is_some() => Ok(Cluster::default()),
        None => Err(format!("it names the cluster {}, which the kubeconfig does not have", context.cluster)),
    }
}

fn override_cluster(cluster: &mut Cluster, flags: &Connection) {
    if let Some(server) = &flags.server {
        cluster.server = Some(server.clone());
    }
    if let Some(name) = &flags.tls_server_name {
        cluster.tls_server_name = Some(name.clone());
    }
    if let Some(path) = &flags.certificate_authority {
        cluster.certificate_authority = Some(path.display().to_string());
        cluster.certificate_authority_data = None;
    }
    if flags.insecure_skip_tls_verify {
        // As client-go does: a CA beside it would only be a file that can fail to load.
        cluster.insecure_skip_tls_verify = Some(true);
        cluster.certificate_authority = None;
        cluster.certificate_authority_data = None;
    }
}

/// `--token` takes the place of every other way to name the user but a client certificate.
fn override_token(auth: &mut AuthInfo, flags: &Connection) {
    if let Some(token) = &flags.token {
        auth.token = Some(token.clone());
        auth.token_file = None;
        auth.exec = None;
        auth.auth_provider = None;
        auth.username = None;
        auth.password = None;
    }
}

/// `--as` holds for every cluster of the run: nobody may see more than the person they act as.
fn impersonate(auth: &mut AuthInfo, flags: &Connection) {
    if let Some(user) = &flags.impersonate {
        auth.impersonate = Some(user.clone());
        auth.impersonate_groups = None;
        auth.impersonate_uid = None;
        auth.impersonate_user_extra = None;
    }
    if !flags.impersonate_groups.is_empty() {
        auth.impersonate_groups = Some(flags.impersonate_groups.clone());
    }
    if let Some(uid) = &flags.impersonate_uid {
        auth.impersonate_uid = Some(uid.clone());
    }
}

/// kubectl dropped `azure` and `gcp` in 1.26; kube 5.0 still runs `gcp` and `oidc`.
fn refuse_unknown_provider(auth: &AuthInfo) -> Result<(), String> {
    match auth.auth_provider.as_ref().map(|provider| provider.name.as_str()) {
        None | Some("oidc" | "gcp") => Ok(()),
        Some("azure") => Err("auth-provider azure is gone from kubectl since 1.26; \
             run `kubelogin convert-kubeconfig`"
            .into()),
        Some(other) => Err(format!("auth-provider {other} is not known; use an exec credential plugin")),
    }
}

fn with_cluster_info(mut exec: ExecConfig, cluster: &Cluster) -> Result<ExecConfig, String> {
    if exec.provide_cluster_info {
        exec.cluster = Some(cluster.try_into().map_err(|error| without_content(&error))?);
    }
    Ok(exec)
}

/// kube 5.0's defaults wait 30 s for a connection, for ever for an answer, and try a 503 16 times.
fn be_patient(config: &mut Config, limits: &Limits) {
    config.connect_timeout = Some(limits.connect);
    config.read_timeout = Some(limits.request.unwrap_or(limits.cluster));
    config.write_timeout = Some(Duration::from_secs(30));
    config.reset_reader_on_write = true;
    config.default_retry = false;
    config.headers.push((USER_AGENT, HeaderValue::from_static(AGENT)));
}

/// What audit logs show of us.
const AGENT: &str = concat!("kubectl-helm_forensics/", env!("CARGO_PKG_VERSION"));

fn identity_of(cluster: &Cluster, auth: &AuthInfo) -> [u8; 32] {
    let mut hash = Sha256::new();
    // Both types serialise with their secrets; a hash keeps those out of the map of clients.
    hash.update(serde_json::to_vec(&(cluster, auth)).unwrap_or_default());
    hash.update(auth.token.as_ref().map(|token| token.expose_secret()).unwrap_or_default());
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KUBECONFIG: &str = r#"
contexts:
- {name: prod, context: {cluster: prod, user: prod, namespace: shop}}
- {name: c-1, context: {cluster: c-1, user: prod}}
- {name: lost, context: {cluster: gone}}
- {name: azure, context: {cluster: prod, user: azure}}
clusters:
- {name: prod, cluster: {server: "https://r.test/k8s/clusters/local", certificate-authority: /missing}}
- {name: c-1, cluster: {server: "https://r.test/k8s/clusters/c-1", certificate-authority: /missing}}
users:
- {name: prod, user: {exec: {command: login, apiVersion: client.authentication.k8s.io/v1}}}
- {name: azure, user: {auth-provider: {name: azure, config: {}}}}
"#;

    fn target(context: &str, connection: &Connection, is_current: bool) -> Result<Target, String> {
        Target::of_context(
            &Kubeconfig::from_yaml(KUBECONFIG).unwrap(),
            context,
            &Overrides { connection, is_current },
            &Limits::default(),
            &ProxyVariables::default(),
        )
    }

    fn insecure() -> Connection {
        Connection { insecure_skip_tls_verify: true, ..Default::default() }
    }

    #[test]
    fn patience_is_ours_not_kubes() {
        let config = target("prod", &insecure(), true).unwrap().config;
        assert_eq!(config.connect_timeout, Some(Duration::from_secs(5)));
        assert_eq!(config.read_timeout, Some(Duration::from_secs(30)));
        assert!(config.reset_reader_on_write && !config.default_retry);
        assert!(config.headers.iter().any(|(name, value)| name == USER_AGENT && value == AGENT));
    }

    #[test]
    fn clusters_behind_one_rancher_share_an_identity() {
        let local = target("prod", &insecure(), true).unwrap();
        let other = target("c-1", &insecure(), true).unwrap();
        assert_eq!(local.config.cluster_url, "https://r.test/");
        assert_eq!(
            (local.prefix.as_str(), other.prefix.as_str()),
            ("/k8s/clusters/local", "/k8s/clusters/c-1")
        );
        assert!(local.identity == other.identity);
        let jane = Connection { impersonate: Some("jane".into()), ..insecure() };
        assert!(target("c-1", &jane, true).unwrap().identity != local.identity);
    }

    #[test]
    fn the_token_flag_takes_the_plugins_place() {
        let flags = Connection { token: Some("t".into()), ..insecure() };
        let current = target("prod", &flags, true).unwrap();
        assert!(current.exec.is_none() && current.config.auth_info.token.is_some());
        assert!(target("prod", &insecure(), true).unwrap().exec.is_some());
    }

    #[test]
    fn only_the_impersonation_reaches_other_contexts() {
        let flags = Connection {
            server: Some("https://else.test".into()),
            impersonate: Some("jane".into()),
            impersonate_groups: vec!["a".into(), "b".into()],
            impersonate_uid: Some("7".into()),
            ..insecure()
        };
        let current = target("prod", &flags, true).unwrap().config;
        assert_eq!(current.cluster_url, "https://else.test/");
        assert_eq!(current.auth_info.impersonate_groups.unwrap(), ["a", "b"]);
        let other = target("prod", &flags, false).err().unwrap();
        assert!(other.contains("/missing"), "the other context still loads its own CA: {other}");
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence() {
        let cases = [
            ("lost", "it names the cluster gone, which the kubeconfig does not have"),
            (
                "azure",
                "auth-provider azure is gone from kubectl since 1.26; run `kubelogin convert-kubeconfig`",
            ),
        ];
        for (context, says) in cases {
            assert_eq!(target(context, &insecure(), true).err().unwrap(), says);
        }
    }
}
