//! Credential plugins (`users[].user.exec`): run once per run, however many clusters use them.
//!
//! kube 5.0 runs a plugin three times per client and blocks the runtime meanwhile.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::process::Stdio;
use std::rc::Rc;

use kube::config::{AuthInfo, ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::json;
use tokio::process::Command;
use tokio::sync::OnceCell;

type Answer = Rc<OnceCell<Result<Credential, String>>>;

/// The plugins of one run and what they answered.
#[derive(Default)]
pub(super) struct ExecPlugins {
    answers: RefCell<HashMap<String, Answer>>,
}

/// What a plugin answers (`ExecCredential.status`, client.authentication.k8s.io/v1).
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Credential {
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

#[derive(Deserialize)]
struct ExecCredential {
    status: Option<Credential>,
}

impl ExecPlugins {
    /// Puts the plugin's credential into `auth`.
    ///
    /// # Errors
    /// Why there is none; never the plugin's output, which may hold half a credential.
    pub(super) async fn authenticate(&self, exec: &ExecConfig, auth: &mut AuthInfo) -> Result<(), String> {
        let key = serde_json::to_string(&(exec, &exec.cluster)).unwrap_or_default();
        let answer = self.answers.borrow_mut().entry(key).or_default().clone();
        let credential = answer.get_or_init(|| run(exec)).await.clone()?;
        auth.token = credential.token.map(Into::into);
        auth.client_certificate_data =
            credential.client_certificate_data.map(|pem| base64_simd::STANDARD.encode_to_string(pem));
        auth.client_key_data =
            credential.client_key_data.map(|pem| base64_simd::STANDARD.encode_to_string(pem).into());
        Ok(())
    }
}

async fn run(exec: &ExecConfig) -> Result<Credential, String> {
    let Some(program) = exec.command.as_deref().filter(|program| !program.is_empty()) else {
        return Err("its credential plugin names no command".into());
    };
    // Without a terminal nobody can answer, and a plugin that waits for input would hang the run.
    let may_ask = exec.interactive_mode != Some(ExecInteractiveMode::Never) && std::io::stdin().is_terminal();
    if exec.interactive_mode == Some(ExecInteractiveMode::Always) && !may_ask {
        return Err(format!("its credential plugin {program} needs a terminal (interactiveMode: Always)"));
    }
    let api_version = exec.api_version.as_deref().unwrap_or("client.authentication.k8s.io/v1");
    let mut spec = json!({"interactive": may_ask});
    if let Some(cluster) = &exec.cluster {
        spec["cluster"] = serde_json::to_value(cluster).unwrap_or_default();
    }
    let info = json!({"apiVersion": api_version, "kind": "ExecCredential", "spec": spec});
    let variables = exec.env.iter().flatten();
    let output = Command::new(program)
        .args(exec.args.iter().flatten())
        .envs(variables.filter_map(|pair| Some((pair.get("name")?, pair.get("value")?))))
        .env("KUBERNETES_EXEC_INFO", info.to_string())
        .stdin(if may_ask { Stdio::inherit() } else { Stdio::null() })
        .stderr(Stdio::inherit())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| {
            let hint = exec.install_hint.as_deref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            format!("its credential plugin {program} cannot be run: {error}{hint}")
        })?;
    if !output.status.success() {
        return Err(format!("its credential plugin {program} failed with {}", output.status));
    }
    // client-go decodes with a codec that takes YAML too, and some plugins print it.
    let text = std::str::from_utf8(&output.stdout).unwrap_or_default();
    let credential = serde_saphyr::from_str::<ExecCredential>(text)
        .map_err(|_| format!("its credential plugin {program} printed no ExecCredential"))?;
    let credential = credential.status.unwrap_or_default();
    let has_certificate =
        credential.client_certificate_data.is_some() && credential.client_key_data.is_some();
    if credential.token.is_none() && !has_certificate {
        return Err(format!(
            "its credential plugin {program} gave neither a token nor a certificate with key"
        ));
    }
    Ok(credential)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plugin(script: &str) -> ExecConfig {
        ExecConfig {
            command: Some("sh".into()),
            args: Some(vec!["-c".into(), script.into()]),
            ..ExecConfig::default()
        }
    }

    async fn authenticated(script: &str) -> Result<AuthInfo, String> {
        let mut auth = AuthInfo::default();
        ExecPlugins::default().authenticate(&plugin(script), &mut auth).await.map(|()| auth)
    }

    #[tokio::test]
    async fn a_plugin_runs_once_for_all() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("runs");
        let exec = plugin(&format!("echo run >>'{}'; echo 'status: {{token: t}}'", log.display()));
        let plugins = ExecPlugins::default();
        let (mut one, mut two) = (AuthInfo::default(), AuthInfo::default());
        let (first, second) =
            tokio::join!(plugins.authenticate(&exec, &mut one), plugins.authenticate(&exec, &mut two));
        assert!(first.is_ok() && second.is_ok() && one.token.is_some() && two.token.is_some());
        assert_eq!(std::fs::read_to_string(log).unwrap(), "run\n");
    }

    #[tokio::test]
    async fn json_yaml_and_certificates_are_taken() {
        for script in [
            r#"echo '{"kind":"ExecCredential","status":{"token":"t"}}'"#,
            "printf 'kind: ExecCredential\\nstatus:\\n  token: t\\n'",
        ] {
            assert!(authenticated(script).await.unwrap().token.is_some(), "{script}");
        }
        let both = r#"echo '{"status":{"clientCertificateData":"PEM","clientKeyData":"PEM"}}'"#;
        assert_eq!(authenticated(both).await.unwrap().client_certificate_data.unwrap(), "UEVN");
    }

    #[tokio::test]
    async fn nobody_is_asked_without_a_terminal() {
        let script = r#"case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) cat; echo 'status: {token: t}';; esac"#;
        assert!(authenticated(script).await.is_ok());
    }

    #[tokio::test]
    async fn failures_name_the_plugin_and_quote_nothing() {
        let cases = [
            ("echo s3cr3t-planted; exit 3", "its credential plugin sh failed with exit status: 3"),
            ("echo '{s3cr3t-planted'", "its credential plugin sh printed no ExecCredential"),
            (
                "echo '{\"status\":{}}'",
                "its credential plugin sh gave neither a token nor a certificate with key",
            ),
        ];
        for (script, says) in cases {
            assert_eq!(authenticated(script).await.err().unwrap(), says);
        }
        let missing = ExecConfig {
            command: Some("no-such-plugin".into()),
            install_hint: Some("install it".into()),
            ..ExecConfig::default()
        };
        let error =
            ExecPlugins::default().authenticate(&missing, &mut AuthInfo::default()).await.unwrap_err();
        assert!(error.starts_with("its credential plugin no-such-plugin cannot be run: "), "{error}");
        assert!(error.ends_with("\ninstall it"));
    }
}
