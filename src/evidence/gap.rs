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
