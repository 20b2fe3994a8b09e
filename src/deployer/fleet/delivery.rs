//! One BundleDeployment as a delivery.

use jiff::Timestamp;
use serde_json::Value;

use super::collect::Workspace;
use super::hold::{self, Seen};
use super::records::BundleDeployment;
use super::{State, release_target};
use crate::deployer::{Delivery, Hints, Standing, Statement, evidence};
use crate::object::ObjectRef;
use crate::record::{Condition, condition};
use crate::report::{Evidence, Gap};

pub(super) const API_VERSION: &str = "fleet.cattle.io/v1alpha1";

/// The delivery that this BundleDeployment stands for.
pub fn of(deployment: &BundleDeployment, workspace: &Workspace, now: Timestamp) -> Delivery {
    let state = State::of(deployment);
    let cluster = workspace.cluster_of(deployment);
    let signs = hold::signs(Seen { deployment, workspace, now });
    Delivery {
        deployer: "fleet",
        manager: "fleetagent",
        owner: Some(owner(deployment)),
        chain: chain(deployment),
        cluster: Some(cluster.map_or_else(|| wanted_by_label(deployment), |it| it.wanted())),
        state: Value::String(state.to_string()),
        standing: standing(deployment, state, workspace),
        release: Some(release_target(deployment)),
        wanted: wanted(deployment, workspace),
        wanted_since: None,
        statements: statements(deployment, state),
        signs,
        heals_itself: deployment.spec.correct_drift.enabled,
        paused: deployment.spec.paused,
        objects: objects(deployment),
        evidence: ids(deployment, state),
        gaps: gaps(deployment, state, workspace),
        ways_out: Vec::new(),
        first_aid: Vec::new(),
        hints: Hints {
            // A pause clears Fleet's drift detection, so only the live objects tell.
            compare_live: state == State::Modified
                || deployment.spec.paused
                || hold::is_closed(deployment, workspace),
            follow_rollouts: state == State::NotReady,
            ignores_release_text: false,
        },
    }
}

/// GitRepo, HelmOp or, for a Bundle made by hand, the Bundle.
fn owner(deployment: &BundleDeployment) -> ObjectRef {
    let labels = &deployment.metadata;
    let namespace = labels.label("fleet.cattle.io/bundle-namespace");
    super::bundle_less::owner_by_labels(labels, namespace).unwrap_or_else(|| bundle(deployment))
}

fn bundle(deployment: &BundleDeployment) -> ObjectRef {
    let metadata = &deployment.metadata;
    let name = match metadata.label("fleet.cattle.io/bundle-name") {
        "" => &metadata.name,
        name => name,
    };
    ObjectRef::new(API_VERSION, "Bundle", metadata.label("fleet.cattle.io/bundle-namespace"), name)
}

fn chain(deployment: &BundleDeployment) -> Vec<ObjectRef> {
    let metadata = &deployment.metadata;
    let own = ObjectRef::new(API_VERSION, "BundleDeployment", &metadata.namespace, &metadata.name);
    let mut chain = vec![owner(deployment), bundle(deployment), own];
    chain.dedup();
    chain
}

/// What is known of a cluster whose Cluster object is not there.
fn wanted_by_label(deployment: &BundleDeployment) -> crate::source::ClusterWanted {
    let id = match deployment.metadata.label("fleet.cattle.io/cluster") {
        "" => &deployment.metadata.namespace,
        id => id,
    };
    crate::source::ClusterWanted { id: id.to_owned(), ..Default::default() }
}

fn standing(deployment: &BundleDeployment, state: State, workspace: &Workspace) -> Standing {
    let is_own_agent = deployment.metadata.label("fleet.cattle.io/bundle-name").starts_with("fleet-agent-");
    match state {
        // A newer commit that a pause keeps out is not a failure of this delivery, yet nobody sees it.
        State::Ready | State::OutOfSync if deployment.spec.paused && !is_own_agent => Standing::LooksReady,
        State::Ready if super::hold::is_closed(deployment, workspace) && !is_own_agent => {
            Standing::LooksReady
        }
        State::Ready => Standing::Landed,
        _ => Standing::Stuck,
    }
}

fn wanted(deployment: &BundleDeployment, workspace: &Workspace) -> Option<String> {
    let metadata = &deployment.metadata;
    let commit = metadata.label("fleet.cattle.io/commit");
    if !commit.is_empty() {
        return Some(format!("commit {}", commit.get(..7).unwrap_or(commit)));
    }
    let key = (
        metadata.label("fleet.cattle.io/bundle-namespace").to_owned(),
        metadata.label("fleet.cattle.io/fleet-helm-name").to_owned(),
    );
    let chart = &workspace.helm_ops.get(&key)?.spec.helm;
    (!chart.chart.is_empty())
        .then(|| format!("chart {} {}", chart.chart, chart.version).trim_end().to_owned())
}

/// Which conditions speak of the present try, per state.
fn statements(deployment: &BundleDeployment, state: State) -> Vec<Statement> {
    let current: &[&str] = match state {
        State::ErrApplied => &["Deployed"],
        State::NotReady => &["Installed", "Ready"],
        State::Modified => &["Ready"],
        _ => &[],
    };
    let order = ["Deployed", "Installed", "Ready", "Monitored"];
    let told = |kind: &str| condition(&deployment.status.conditions, kind).filter(|it| tells(it));
    let statement = |it: &Condition, is_current| Statement {
        text: it.message.clone(),
        source: format!(
            "BundleDeployment {}/{}, condition {}",
            deployment.metadata.namespace, deployment.metadata.name, it.kind
        ),
        is_current,
    };
    let fresh = current.iter().filter_map(|kind| told(kind)).map(|it| statement(it, true));
    // Drift is not looked at while the ids differ, so what else stands there is old news.
    let stale = order
        .iter()
        .filter(|kind| !current.contains(kind))
        .filter_map(|kind| told(kind))
        .map(|it| statement(it, false));
    fresh.chain(stale).collect()
}

/// A reason left over on a True condition is no reason (fleet#4612).
fn tells(condition: &Condition) -> bool {
    condition.status == "False" && !condition.message.is_empty()
}

fn ids(deployment: &BundleDeployment, state: State) -> Vec<Evidence> {
    let source = format!("BundleDeployment {}/{}", deployment.metadata.namespace, deployment.metadata.name);
    match state {
        State::WaitApplied | State::ErrApplied => vec![evidence(
            source,
            "status.appliedDeploymentID differs from spec.deploymentID: what is wanted is not applied"
                .to_owned(),
        )],
        State::OutOfSync => vec![evidence(
            source,
            "spec.stagedDeploymentID differs from spec.deploymentID: a newer commit is held back".to_owned(),
        )],
        _ => Vec::new(),
    }
}

/// What Fleet names as changed or not ready.
fn objects(deployment: &BundleDeployment) -> Vec<ObjectRef> {
    let status = &deployment.status;
    let modified = status
        .modified_status
        .iter()
        .map(|it| ObjectRef::new(&it.api_version, &it.kind, &it.namespace, &it.name));
    let not_ready = status
        .non_ready_status
        .iter()
        .map(|it| ObjectRef::new(&it.api_version, &it.kind, &it.namespace, &it.name));
    modified.chain(not_ready).collect()
}

/// Errors that only the agent's log would show, where the objects allow them.
fn gaps(deployment: &BundleDeployment, state: State, workspace: &Workspace) -> Vec<Gap> {
    let copies = &deployment.spec.options.downstream_resources;
    if state != State::WaitApplied || copies.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = copies.iter().map(|it| format!("{} {}", it.kind, it.name)).collect();
    let log = workspace.cluster_of(deployment).and_then(hold::log_gap);
    vec![Gap {
        missing: format!("whether {} could be copied to the cluster", names.join(", ")),
        why: "the agent copies downstreamResources before it deploys; an error there is only in its log"
            .into(),
        fill: log.and_then(|gap| gap.fill),
    }]
}
