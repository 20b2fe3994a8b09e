//! The kubeconfig that a Secret on the hub holds. It stays in memory: no error quotes any of it.

use std::collections::BTreeMap;

use kube::config::Kubeconfig;
use serde::Deserialize;

/// Keys that hold the kubeconfig where the record names none: Fleet's and Cluster API's `value`, Flux'
/// `value.yaml`.
const KEYS: [&str; 2] = ["value", "value.yaml"];

#[derive(Deserialize)]
struct Secret {
    #[serde(default)]
    data: Option<BTreeMap<String, String>>,
}

/// Reads the kubeconfig out of a Secret's JSON.
///
/// # Errors
/// Why it cannot be used. One that would run programs or read files of this machine is refused: whoever
/// may write the Secret would otherwise act as the person who runs this program.
pub(in crate::source) fn kubeconfig_in(secret: &str, key: Option<&str>) -> Result<Kubeconfig, String> {
    let secret: Secret = serde_json::from_str(secret).map_err(|_| "it is no Secret".to_owned())?;
    let data = secret.data.unwrap_or_default();
    let keys = key.filter(|key| !KEYS.contains(key)).map_or_else(|| KEYS.to_vec(), |key| vec![key]);
    let value = keys.iter().find_map(|key| data.get(*key).filter(|value| !value.is_empty()));
    let value = value.ok_or_else(|| format!("it has no key {}", keys.join(" or ")))?;
    let bytes =
        base64_simd::STANDARD.decode_to_vec(value).map_err(|_| "its value is not base64".to_owned())?;
    let text = String::from_utf8(bytes).map_err(|_| NOT_ONE.to_owned())?;
    let mut kubeconfig = Kubeconfig::from_yaml(&text).map_err(|_| NOT_ONE.to_owned())?;
    refuse_local_means(&kubeconfig)?;
    let current = kubeconfig.current_context.take().filter(|name| !name.is_empty());
    kubeconfig.current_context =
        current.or_else(|| kubeconfig.contexts.first().map(|entry| entry.name.clone()));
    if kubeconfig.current_context.is_none() {
        return Err(NOT_ONE.into());
    }
    Ok(kubeconfig)
}

const NOT_ONE: &str = "its value is not a kubeconfig";

fn refuse_local_means(kubeconfig: &Kubeconfig) -> Result<(), String> {
    let users = kubeconfig.auth_infos.iter().filter_map(|entry| entry.auth_info.as_ref());
    for user in users {
        let means = [
            ("a credential plugin", user.exec.is_some() || user.auth_provider.is_some()),
            ("a token file", user.token_file.is_some()),
            ("a certificate file", user.client_certificate.is_some() || user.client_key.is_some()),
        ];
        if let Some((means, _)) = means.iter().find(|(_, is_used)| *is_used) {
            return Err(format!("its kubeconfig wants to use {means} of this machine, which is refused"));
        }
    }
    let mut clusters = kubeconfig.clusters.iter().filter_map(|entry| entry.cluster.as_ref());
    if clusters.any(|cluster| cluster.certificate_authority.is_some()) {
        return Err("its kubeconfig wants to use a certificate file of this machine, which is refused".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "https://a.test"}}]
users: [{name: a, user: {token: s3cr3t-planted}}]
"#;

    fn read(key: &str, text: &str, wanted: Option<&str>) -> Result<Kubeconfig, String> {
        let value = base64_simd::STANDARD.encode_to_string(text);
        kubeconfig_in(&serde_json::json!({"data": {key: value}}).to_string(), wanted)
    }

    #[test]
    fn the_first_context_is_meant_where_none_is_current() {
        for (key, wanted) in [("value", None), ("value.yaml", Some("value")), ("config", Some("config"))] {
            let kubeconfig = read(key, GOOD, wanted).unwrap();
            assert_eq!(kubeconfig.current_context.as_deref(), Some("a"), "{key}");
        }
    }

    #[test]
    fn what_acts_on_this_machine_is_refused() {
        let cases = [
            ("exec: {command: rm}", "a credential plugin"),
            ("auth-provider: {name: gcp, config: {cmd-path: rm}}", "a credential plugin"),
            ("tokenFile: /etc/passwd", "a token file"),
            ("client-certificate: /x", "a certificate file"),
        ];
        for (user, means) in cases {
            let text = GOOD.replace("token: s3cr3t-planted", user);
            let error = read("value", &text, None).unwrap_err();
            assert_eq!(
                error,
                format!("its kubeconfig wants to use {means} of this machine, which is refused")
            );
        }
        let text = GOOD.replace("{server:", "{certificate-authority: /x, server:");
        assert!(read("value", &text, None).unwrap_err().contains("refused"));
    }

    #[test]
    fn errors_quote_nothing() {
        let cases = [
            (read("value", "{s3cr3t-planted: [", None), NOT_ONE),
            (read("value", "s3cr3t-planted", None), NOT_ONE),
            (read("value", "{}", None), NOT_ONE),
            (read("other", GOOD, None), "it has no key value or value.yaml"),
            (kubeconfig_in(r#"{"data":{"value":"s3cr3t-planted"}}"#, None), "its value is not base64"),
            (kubeconfig_in(r#"{"data":{"value":""}}"#, None), "it has no key value or value.yaml"),
            (kubeconfig_in("s3cr3t-planted", None), "it is no Secret"),
        ];
        for (outcome, says) in cases {
            assert_eq!(outcome.unwrap_err(), says);
        }
    }
}
