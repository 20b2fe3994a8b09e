//! A GitRepo's own troubles, before any Bundle exists or beside the Bundles that do.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::collect::Workspace;
use super::delivery::API_VERSION;
use super::records::GitRepo;
use crate::deployer::{Delivery, Sign, Standing, Statement, evidence};
use crate::failure::Class;
use crate::object::ObjectRef;
use crate::record::{Condition, Metadata, condition, null_is_default};
use crate::report::{Confidence, Gap, Risk, WayOut};
use crate::shell;
use crate::source::{Query, Reader, Record, Resource, resources};

/// Conditions of a GitRepo that tell of trouble although `Ready` may be True, and the status that does.
const TROUBLES: [(&str, &str); 4] =
    [("Stalled", "True"), ("Accepted", "False"), ("GitPolling", "False"), ("Ready", "False")];

/// Messages of failed git jobs' containers, by (namespace, GitRepo).
#[derive(Default)]
pub struct GitJobs(BTreeMap<(String, String), Statement>);

/// A pod of a git job.
#[derive(Deserialize)]
struct Pod {
    metadata: Metadata,
    #[serde(default, deserialize_with = "null_is_default")]
    status: PodStatus,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct PodStatus {
    phase: String,
    container_statuses: Vec<Container>,
    init_container_statuses: Vec<Container>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Container {
    name: String,
    state: ContainerState,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ContainerState {
    terminated: Option<Terminated>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Terminated {
    exit_code: i32,
    message: String,
}

impl Record for Pod {
    const RESOURCE: Resource = resources::PODS;
}

impl GitJobs {
    /// Reads the pods of git jobs in the workspaces whose GitRepos say that a job failed.
    pub async fn read(hub: &Reader, workspace: &Workspace) -> Self {
        let mut found = BTreeMap::new();
        for (namespace, name) in
            workspace.git_repos.iter().filter(|(_, it)| has_failed_job(it)).map(|(key, _)| key)
        {
            let query = Query::all(resources::PODS).within(namespace.clone());
            for pod in hub.select::<Pod>(query).await {
                if let Some(statement) = pod.statement(name) {
                    found.insert((namespace.clone(), name.clone()), statement);
                }
            }
        }
        Self(found)
    }
}

impl Pod {
    /// What a failed container of this GitRepo's job left as its last words.
    fn statement(&self, git_repo: &str) -> Option<Statement> {
        let is_its_own = self.metadata.label("fleet.cattle.io/gitrepo-name") == git_repo
            || self.metadata.label("job-name").strip_prefix(git_repo).is_some_and(|rest| {
                rest.strip_prefix('-').is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
            });
        let status = &self.status;
        let failed = status.init_container_statuses.iter().chain(&status.container_statuses).find_map(|it| {
            it.state.terminated.as_ref().filter(|end| end.exit_code != 0).map(|end| (it, end))
        });
        let (container, end) = failed.filter(|_| is_its_own && status.phase != "Succeeded")?;
        (!end.message.is_empty()).then(|| Statement {
            text: end.message.clone(),
            source: format!(
                "Pod {}/{}, container {}",
                self.metadata.namespace, self.metadata.name, container.name
            ),
            is_current: true,
        })
    }
}

fn has_failed_job(git_repo: &GitRepo) -> bool {
    git_repo.status.git_job_status == "Failed"
}

/// GitRepos that tell of trouble which no BundleDeployment can tell.
pub fn deliveries(workspace: &Workspace) -> Vec<Delivery> {
    workspace.git_repos.values().filter_map(|git_repo| delivery(git_repo, workspace)).collect()
}

fn delivery(git_repo: &GitRepo, workspace: &Workspace) -> Option<Delivery> {
    let has_deployments = workspace.deployments.iter().any(|it| {
        it.metadata.label("fleet.cattle.io/repo-name") == git_repo.metadata.name
            && it.metadata.label("fleet.cattle.io/bundle-namespace") == git_repo.metadata.namespace
    });
    let troubles: Vec<&Condition> = TROUBLES
        .iter()
        .filter_map(|(kind, status)| {
            // A False Ready beside BundleDeployments only repeats what these tell.
            let told = condition(&git_repo.status.conditions, kind)?;
            (told.status == *status && !told.message.is_empty() && !(has_deployments && *kind == "Ready"))
                .then_some(told)
        })
        .collect();
    let job_failed = has_failed_job(git_repo);
    let chooses_nothing =
        !has_deployments && !job_failed && troubles.is_empty() && has_bundle(git_repo, workspace);
    if troubles.is_empty() && !job_failed && !chooses_nothing {
        return None;
    }
    let metadata = &git_repo.metadata;
    let owner = ObjectRef::new(API_VERSION, "GitRepo", &metadata.namespace, &metadata.name);
    let mut statements: Vec<Statement> = troubles
        .into_iter()
        .map(|it| Statement {
            text: it.message.clone(),
            source: format!("GitRepo {}/{}, condition {}", metadata.namespace, metadata.name, it.kind),
            is_current: true,
        })
        .collect();
    let key = (metadata.namespace.clone(), metadata.name.clone());
    statements.extend(workspace.git_jobs.0.get(&key).cloned());
    let commit = &git_repo.status.commit;
    Some(Delivery {
        deployer: "fleet",
        manager: "fleetagent",
        chain: vec![owner.clone()],
        owner: Some(owner),
        standing: Standing::Stuck,
        wanted: (!commit.is_empty()).then(|| format!("commit {}", commit.get(..7).unwrap_or(commit))),
        statements,
        signs: if chooses_nothing { vec![no_target(git_repo)] } else { Vec::new() },
        paused: git_repo.spec.paused,
        heals_itself: git_repo.spec.correct_drift.enabled,
        evidence: ready_is_no_proof(git_repo),
        gaps: job_log(git_repo).filter(|_| job_failed).into_iter().collect(),
        ..Delivery::default()
    })
}

fn has_bundle(git_repo: &GitRepo, workspace: &Workspace) -> bool {
    workspace.bundles.values().any(|bundle| {
        bundle.metadata.namespace == git_repo.metadata.namespace
            && bundle.metadata.label("fleet.cattle.io/repo-name") == git_repo.metadata.name
            && bundle.status.summary.desired_ready == 0
    })
}

fn ready_is_no_proof(git_repo: &GitRepo) -> Vec<crate::report::Evidence> {
    let is_ready = condition(&git_repo.status.conditions, "Ready").is_some_and(|it| it.status == "True");
    let metadata = &git_repo.metadata;
    is_ready
        .then(|| {
            evidence(
                format!("GitRepo {}/{}", metadata.namespace, metadata.name),
                "its Ready condition is True all the same: Fleet counts only what bundles tell",
            )
        })
        .into_iter()
        .collect()
}

fn job_log(git_repo: &GitRepo) -> Option<Gap> {
    let metadata = &git_repo.metadata;
    Some(Gap {
        missing: "the git job's log".into(),
        why: "status.gitJobStatus is Failed; the job's containers say more than the condition".into(),
        fill: shell::command([
            "kubectl",
            "-n",
            &metadata.namespace,
            "logs",
            "--all-containers",
            "--tail=50",
            "-l",
            &format!("fleet.cattle.io/gitrepo-name={}", metadata.name),
        ]),
    })
}

fn no_target(git_repo: &GitRepo) -> Sign {
    let metadata = &git_repo.metadata;
    let show = shell::command([
        "kubectl",
        "-n",
        &metadata.namespace,
        "get",
        "clusters.fleet.cattle.io",
        "--show-labels",
    ]);
    Sign {
        class: Class("deployer.denied"),
        confidence: Confidence::Likely,
        outranks_texts: false,
        summary: "no cluster matches its targets, so nothing is deployed anywhere".into(),
        evidence: vec![evidence(
            format!("Bundles of GitRepo {}/{}", metadata.namespace, metadata.name),
            "status.summary.desiredReady is 0",
        )],
        ways_out: vec![WayOut {
            title: "compare spec.targets with the clusters' labels".into(),
            risk: Risk::Safe,
            who: "owner of the repository".into(),
            commands: show.into_iter().collect(),
            then: "as soon as a cluster matches, Fleet makes its BundleDeployment".into(),
        }],
        gaps: Vec::new(),
    }
}

/// The GitRepo or HelmOp that the labels of a Bundle or BundleDeployment name.
pub(super) fn owner_by_labels(labels: &Metadata, workspace: &str) -> Option<ObjectRef> {
    [("GitRepo", "fleet.cattle.io/repo-name"), ("HelmOp", "fleet.cattle.io/fleet-helm-name")]
        .into_iter()
        .find_map(|(kind, label)| {
            let name = Some(labels.label(label)).filter(|name| !name.is_empty())?;
            Some(ObjectRef::new(API_VERSION, kind, workspace, name))
        })
}
