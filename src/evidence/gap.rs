//! A miss as a gap of the report: what it costs, and the command that would fill it.

use crate::report::Gap;
use crate::shell;
use crate::source::Miss;

/// The gap that a miss on a cluster leaves.
pub fn of(miss: &Miss, cluster: &str) -> Gap {
    let fill = match miss {
        Miss::Forbidden { verb, resource, namespace } => {
            let scope = if namespace.is_empty() { vec!["-A"] } else { vec!["-n", namespace] };
            shell::command(["kubectl", "auth", "can-i", verb, resource].into_iter().chain(scope))
        }
        Miss::Unreachable { .. } | Miss::TimedOut { .. } => shell::command([
            "kubectl",
            "helm-forensics",
            "why",
            "--downstream",
            &format!("{cluster}=CONTEXT"),
        ]),
        Miss::Unauthorized { .. } => shell::command(["kubectl", "auth", "whoami", "--context", cluster]),
        Miss::NotServed { .. } | Miss::Unreadable { .. } => None,
    };
    Gap { missing: missing(miss, cluster), why: format!("{miss}; {}", cost(miss)), fill }
}

/// The gap of a cluster in which no deployer has anything and Helm no record.
pub fn nothing_at_all(cluster: &str) -> Gap {
    Gap {
        missing: format!("any Helm release of cluster {cluster}"),
        why: "it holds no release Secret or ConfigMap and no object of Fleet, Flux, Argo CD or k3s; releases that Helm \
              keeps in SQL (HELM_DRIVER=sql) are outside the cluster and cannot be read"
            .into(),
        fill: Some("HELM_DRIVER=sql helm list --all --all-namespaces".into()),
    }
}

fn missing(miss: &Miss, cluster: &str) -> String {
    match miss {
        Miss::Forbidden { resource, .. } | Miss::NotServed { resource } => {
            format!("{resource} of cluster {cluster}")
        }
        Miss::Unreadable { what, .. } => what.clone(),
        _ => format!("everything on cluster {cluster}"),
    }
}

/// What the miss costs the reader.
fn cost(miss: &Miss) -> &'static str {
    match miss {
        Miss::Forbidden { resource, .. } if resource == "secrets" => {
            "without the release Secrets the reason of a failed upgrade cannot be read"
        }
        Miss::Unreachable { .. } | Miss::TimedOut { .. } | Miss::Unauthorized { .. } => {
            "the reason is in the failed release on that cluster"
        }
        Miss::Unreadable { .. } => "the rest was used",
        _ => "what stands there is missing from this report",
    }
}
