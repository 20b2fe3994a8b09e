//! `rbac`: the smallest rights that the program needs, as ClusterRoles in YAML.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::args::Globals;
use super::exit::Exit;
use super::print;
use crate::deployer;
use crate::evidence;
use crate::source::Resource;

/// Prints the roles.
pub fn run(globals: &Globals) -> anyhow::Result<Exit> {
    let upstream: Vec<Resource> = deployer::ALL.iter().flat_map(|it| it.reads()).cloned().collect();
    print::door(globals).text(&cluster_roles(&upstream, evidence::DOWNSTREAM))?;
    Ok(Exit::Ran)
}

/// Two ClusterRoles with `get` and `list` only: for the cluster with the deployers' records, and for each
/// cluster that they deliver to.
pub fn cluster_roles(upstream: &[Resource], downstream: &[Resource]) -> String {
    let roles = [
        ("helm-forensics-upstream", "Where the deployers keep their records.", upstream),
        ("helm-forensics-downstream", "On each cluster that is deployed to.", downstream),
    ];
    roles.map(|(name, purpose, resources)| cluster_role(name, purpose, resources)).join("---\n")
}

fn cluster_role(name: &str, purpose: &str, resources: &[Resource]) -> String {
    let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for resource in resources {
        groups.entry(&resource.group).or_default().insert(&resource.plural);
    }
    let mut yaml = format!(
        "# {purpose}\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: {name}\n"
    );
    if groups.is_empty() {
        yaml.push_str("rules: []\n");
        return yaml;
    }
    yaml.push_str("rules:\n");
    for (group, plurals) in groups {
        if group.is_empty() && plurals.contains("secrets") {
            // RBAC knows no types of Secrets; without this right the reasons inside releases stay unknown.
            yaml.push_str("# secrets: Helm keeps its releases there\n");
        }
        let plurals = plurals.into_iter().collect::<Vec<_>>().join(", ");
        let _ = writeln!(yaml, "- apiGroups: [\"{group}\"]\n  resources: [{plurals}]\n  verbs: [get, list]");
    }
    yaml
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::resources::{DEPLOYMENTS, EVENTS, GIT_REPOS, REPLICA_SETS, SECRETS};

    #[test]
    fn roles_hold_each_right_once_and_only_reading() {
        let yaml = cluster_roles(&[GIT_REPOS, SECRETS, GIT_REPOS], &[REPLICA_SETS, EVENTS, DEPLOYMENTS]);
        assert_eq!(
            yaml,
            r#"# Where the deployers keep their records.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: helm-forensics-upstream
rules:
# secrets: Helm keeps its releases there
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, list]
- apiGroups: ["fleet.cattle.io"]
  resources: [gitrepos]
  verbs: [get, list]
---
# On each cluster that is deployed to.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: helm-forensics-downstream
rules:
- apiGroups: [""]
  resources: [events]
  verbs: [get, list]
- apiGroups: ["apps"]
  resources: [deployments, replicasets]
  verbs: [get, list]
"#
        );
    }

    #[test]
    fn it_is_yaml_that_kubectl_takes() {
        let yaml = cluster_roles(&[SECRETS], &[]);
        let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&yaml).unwrap();
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[0]["rules"][0]["verbs"], serde_json::json!(["get", "list"]));
        assert_eq!(documents[1]["rules"], serde_json::json!([]));
    }
}
