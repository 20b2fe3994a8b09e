//! The values are not there: Fleet could not make them, or the Secret that carries them is absent.

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::fleet::records::BundleDeployment;
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::report::{Confidence, Gap, Risk, WayOut};
use crate::shell;

/// Fleet's controller waits for a valuesFrom source.
pub fn waiting(seen: Seen<'_>) -> Option<Sign> {
    if !seen.deployment.spec.waiting_for_values {
        return None;
    }
    let metadata = &seen.deployment.metadata;
    Some(Sign {
        class: Class("values.missing"),
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary: "Fleet's controller waits for values that it cannot read yet".into(),
        evidence: vec![evidence(
            format!("BundleDeployment {}/{}", metadata.namespace, metadata.name),
            "spec.waitingForValues is true",
        )],
        ways_out: vec![WayOut {
            title: "create the Secret or ConfigMap that helm.valuesFrom names".into(),
            risk: Risk::Safe,
            who: "owner of the repository".into(),
            commands: bundle_command(seen).into_iter().collect(),
            then: "Fleet comes back by itself".into(),
        }],
        gaps: Vec::new(),
    })
}

/// Whether the agent needs an options Secret that may be absent: then it only logs.
pub fn needs_options_secret(deployment: &BundleDeployment) -> bool {
    !deployment.spec.values_hash.is_empty() && State::of(deployment) == State::WaitApplied
}

/// The Secret of the BundleDeployment's own name is absent, or holds other values than the spec's hash
/// says; the agent only logs that.
pub fn options_secret(seen: Seen<'_>) -> Option<Sign> {
    if !needs_options_secret(seen.deployment) {
        return None;
    }
    let metadata = &seen.deployment.metadata;
    let key = (metadata.namespace.clone(), metadata.name.clone());
    let (summary, says, is_proven) = match seen.workspace.options_secrets.get(&key) {
        Some(Some(hash)) if *hash != seen.deployment.spec.values_hash => (
            format!(
                "the Secret {}/{} holds other Helm options than the deployment's hash says",
                key.0, key.1
            ),
            "spec.valuesHash is not the hash of the Secret's values; the agent logs `hash mismatch between secret and \
             bundledeployment` and sets no condition",
            true,
        ),
        Some(_) => return None,
        None => (
            format!("the Secret {}/{} with this deployment's Helm options is absent", key.0, key.1),
            "spec.valuesHash is set, and there is no Secret of its name and namespace; the agent logs that and sets \
             no condition",
            seen.workspace.is_complete,
        ),
    };
    let gap = Gap {
        missing: format!("Secret {}/{}", key.0, key.1),
        why: "the saved data does not hold it; that does not prove that it is absent".into(),
        fill: shell::command(["kubectl", "-n", &key.0, "get", "secret", &key.1]),
    };
    Some(Sign {
        class: Class("values.missing"),
        confidence: if is_proven { Confidence::Certain } else { Confidence::Possible },
        outranks_texts: false,
        summary,
        evidence: vec![evidence(format!("BundleDeployment {}/{}", key.0, key.1), says)],
        ways_out: vec![WayOut {
            title: "make Fleet write it again: force an update of the owner".into(),
            risk: Risk::Safe,
            who: "on call".into(),
            commands: force_sync(seen).into_iter().collect(),
            then: "Fleet's controller writes the Secret, the agent's next try finds it".into(),
        }],
        gaps: if is_proven { Vec::new() } else { vec![gap] },
    })
}

fn bundle_command(seen: Seen<'_>) -> Option<String> {
    let metadata = &seen.deployment.metadata;
    shell::command([
        "kubectl",
        "-n",
        metadata.label("fleet.cattle.io/bundle-namespace"),
        "get",
        "bundles.fleet.cattle.io",
        metadata.label("fleet.cattle.io/bundle-name"),
        "-o",
        "jsonpath={.spec.helm.valuesFrom}{.spec.targets[*].helm.valuesFrom}",
    ])
}

fn force_sync(seen: Seen<'_>) -> Option<String> {
    let metadata = &seen.deployment.metadata;
    let namespace = metadata.label("fleet.cattle.io/bundle-namespace").to_owned();
    let repo = metadata.label("fleet.cattle.io/repo-name");
    let generation = seen
        .workspace
        .git_repos
        .get(&(namespace.clone(), repo.to_owned()))
        .map(|_| r#"[{"op":"add","path":"/spec/forceSyncGeneration","value":"#)?;
    let patch = format!("{generation}{}}}]", seen.now.as_second());
    shell::command([
        "kubectl",
        "-n",
        &namespace,
        "patch",
        "gitrepos.fleet.cattle.io",
        repo,
        "--type=json",
        "-p",
        &patch,
    ])
}
