//! The credentials that Argo CD keeps for a destination cluster, in the Secret that names it. Used only
//! where a flag says so. They stay in memory: no error quotes any of them.

use std::collections::BTreeMap;

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Secret {
    #[serde(default)]
    data: Option<BTreeMap<String, String>>,
}

/// `config` of a cluster Secret (Argo CD 3, "Declarative Setup", Clusters).
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Config {
    username: Option<String>,
    password: Option<String>,
    bearer_token: Option<String>,
    tls_client_config: Tls,
    aws_auth_config: Option<Value>,
    exec_provider_config: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Tls {
    insecure: bool,
    server_name: Option<String>,
    ca_data: Option<String>,
    cert_data: Option<String>,
    key_data: Option<String>,
}

/// Reads server and credentials out of a cluster Secret's JSON, as a kubeconfig of one context.
///
/// # Errors
/// Why they cannot be used. What would run programs on this machine is refused, as for any kubeconfig out
/// of a Secret.
pub(in crate::source) fn kubeconfig_in(secret: &str) -> Result<Kubeconfig, String> {
    let secret: Secret = serde_json::from_str(secret).map_err(|_| "it is no Secret".to_owned())?;
    let data = secret.data.unwrap_or_default();
    let read = |key: &str| -> Result<String, String> {
        let value = data.get(key).ok_or_else(|| format!("it has no key {key}"))?;
        let bytes =
            base64_simd::STANDARD.decode_to_vec(value).map_err(|_| format!("its {key} is not base64"))?;
        String::from_utf8(bytes).map_err(|_| format!("its {key} is no text"))
    };
    let server = read("server")?;
    let config: Config =
        serde_json::from_str(&read("config")?).map_err(|_| "its config is not Argo CD's".to_owned())?;
    if config.exec_provider_config.is_some() || config.aws_auth_config.is_some() {
        return Err("its config wants to run a program of this machine, which is refused".into());
    }
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let tls = config.tls_client_config;
    let cluster = Cluster {
        server: Some(server),
        insecure_skip_tls_verify: Some(tls.insecure),
        certificate_authority_data: given(tls.ca_data),
        tls_server_name: given(tls.server_name),
        ..Cluster::default()
    };
    let user = AuthInfo {
        username: given(config.username),
        password: given(config.password).map(SecretString::from),
        token: given(config.bearer_token).map(SecretString::from),
        client_certificate_data: given(tls.cert_data),
        client_key_data: given(tls.key_data).map(SecretString::from),
        ..AuthInfo::default()
    };
    let context = Context { cluster: NAME.into(), user: Some(NAME.into()), ..Context::default() };
    Ok(Kubeconfig {
        current_context: Some(NAME.into()),
        clusters: vec![NamedCluster {
            name: NAME.into(),
            cluster: Some(cluster),
            other: BTreeMap::default(),
        }],
        auth_infos: vec![NamedAuthInfo {
            name: NAME.into(),
            auth_info: Some(user),
            other: BTreeMap::default(),
        }],
        contexts: vec![NamedContext {
            name: NAME.into(),
            context: Some(context),
            other: BTreeMap::default(),
        }],
        ..Kubeconfig::default()
    })
}

/// What the only context is called.
const NAME: &str = "argocd";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &str) -> Result<Kubeconfig, String> {
        let encoded = |text: &str| base64_simd::STANDARD.encode_to_string(text);
        let data = serde_json::json!({"server": encoded("https://edge.test"), "config": encoded(config)});
        kubeconfig_in(&serde_json::json!({"data": data}).to_string())
    }

    #[test]
    fn a_token_and_a_certificate_are_read() {
        let kubeconfig =
            read(r#"{"bearerToken": "s3cr3t-planted", "tlsClientConfig": {"insecure": true}}"#).unwrap();
        assert!(kubeconfig.auth_infos[0].auth_info.as_ref().unwrap().token.is_some());
        let cluster = kubeconfig.clusters[0].cluster.as_ref().unwrap();
        assert_eq!(cluster.server.as_deref(), Some("https://edge.test"));
        assert_eq!(cluster.insecure_skip_tls_verify, Some(true));
    }

    #[test]
    fn what_runs_programs_is_refused_and_errors_quote_nothing() {
        let rows = [
            (read(r#"{"execProviderConfig": {"command": "s3cr3t-planted"}}"#), "refused"),
            (read(r#"{"awsAuthConfig": {"clusterName": "s3cr3t-planted"}}"#), "refused"),
            (read("s3cr3t-planted"), "not Argo CD's"),
            (kubeconfig_in(r#"{"data": {"server": "s3cr3t-planted"}}"#), "server"),
            (kubeconfig_in("s3cr3t-planted"), "it is no Secret"),
            (kubeconfig_in("{}"), "no key server"),
        ];
        for (found, says) in rows {
            let error = found.unwrap_err();
            assert!(error.contains(says) && !error.contains("s3cr3t"), "{error}");
        }
    }
}
