//! Reading k3s' records from a cluster.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use jiff::Timestamp;
use serde::Deserialize;

use super::attempt::{Attempt, Outcome, Revision};
use super::helm_chart::{HelmChart, HelmChartConfig};
use super::job::{CHART_LABEL, Job};
use super::{delivery, leftover};
use crate::deployer::{Delivery, Deployer, read};
use crate::record::{Metadata, lenient};
use crate::rollout::{Pod, Workload};
use crate::source::{Query, Reader, Resource, resources};

/// The Helm controller of k3s and RKE2.
pub struct K3s;

/// What `capture` and `rbac` need to know.
static READS: [Resource; 11] = [
    resources::K3S_HELM_CHARTS,
    resources::K3S_HELM_CHART_CONFIGS,
    resources::JOBS,
    resources::PODS,
    resources::SECRETS,
    resources::NAMESPACES,
    resources::EVENTS,
    resources::DEPLOYMENTS,
    resources::STATEFUL_SETS,
    resources::DAEMON_SETS,
    resources::REPLICA_SETS,
];

impl Deployer for K3s {
    fn name(&self) -> &'static str {
        "k3s"
    }

    fn field_managers(&self) -> &'static [&'static str] {
        &["helm"]
    }

    fn reads(&self) -> &'static [Resource] {
        &READS
    }

    fn collect<'a>(&'a self, hub: &'a Reader, now: Timestamp) -> LocalBoxFuture<'a, Vec<Delivery>> {
        collect(hub, now).boxed_local()
    }
}

#[derive(Deserialize)]
struct Named {
    #[serde(default, deserialize_with = "lenient")]
    metadata: Metadata,
}

async fn collect(hub: &Reader, now: Timestamp) -> Vec<Delivery> {
    let charts: Vec<HelmChart> = hub.all("").await;
    let configs: Vec<HelmChartConfig> = hub.all("").await;
    let is_served = !charts.is_empty() || !configs.is_empty();
    let mut deliveries = leftover::deliveries(hub, &charts).await;
    if !is_served {
        return deliveries;
    }
    let jobs: Vec<Job> = hub.all("").await;
    let name = hub.cluster().name().to_owned();
    let now = hub.now(now);
    for chart in charts {
        let attempt = attempt(hub, chart, &configs, &jobs, now).await;
        deliveries.push(delivery::delivery(&attempt, &name));
    }
    deliveries
}

async fn attempt(
    hub: &Reader,
    chart: HelmChart,
    configs: &[HelmChartConfig],
    jobs: &[Job],
    now: Timestamp,
) -> Attempt {
    let is_sibling = |metadata: &Metadata| metadata.namespace == chart.metadata.namespace;
    let job_called =
        |name: &str| jobs.iter().find(|job| is_sibling(&job.metadata) && job.metadata.name == name).cloned();
    let config = configs
        .iter()
        .find(|config| is_sibling(&config.metadata) && config.metadata.name == chart.metadata.name)
        .cloned();
    let job = job_called(&format!("helm-install-{}", chart.metadata.name))
        .or_else(|| job_called(&chart.status.job_name));
    let delete_job = job_called(&format!("helm-delete-{}", chart.metadata.name));
    let pods = pods(hub, &chart, job.as_ref()).await;
    let mut attempt = Attempt {
        chart,
        config,
        job,
        delete_job,
        pods,
        revisions: Vec::new(),
        has_namespace: None,
        missing_secret: None,
        rollouts: Vec::new(),
    };
    let release = attempt.release();
    attempt.revisions = revisions(hub, &release.namespace, &release.name).await;
    match attempt.outcome() {
        Outcome::NoRevision => {
            let namespaces: Vec<Named> = hub.select(Query::all(resources::NAMESPACES).metadata_only()).await;
            // No namespace at all means that they could not be read.
            attempt.has_namespace = (!namespaces.is_empty())
                .then(|| namespaces.iter().any(|found| found.metadata.name == release.namespace));
        }
        Outcome::JobHeld => attempt.missing_secret = missing_secret(hub, &attempt).await,
        Outcome::Landed => {
            let is_ours = |workload: &Workload| {
                workload.metadata.annotation("meta.helm.sh/release-name") == release.name
                    && workload.metadata.annotation("meta.helm.sh/release-namespace") == release.namespace
            };
            attempt.rollouts = read::rollouts(hub, &release.namespace, is_ours, now).await;
        }
        _ => {}
    }
    attempt
}

/// Pods of the install Job, the newest first.
async fn pods(hub: &Reader, chart: &HelmChart, job: Option<&Job>) -> Vec<Pod> {
    let Some(job) = job else { return Vec::new() };
    let query = Query::all(resources::PODS)
        .within(&chart.metadata.namespace)
        .labelled(format!("{CHART_LABEL}={}", chart.metadata.name));
    let mut pods: Vec<Pod> = hub.select(query).await;
    pods.retain(|pod| job.owns(pod));
    pods.sort_by_key(|pod| std::cmp::Reverse(pod.metadata.creation_timestamp));
    pods
}

/// Revisions of a release, the newest first, from labels alone.
async fn revisions(hub: &Reader, namespace: &str, name: &str) -> Vec<Revision> {
    let query = Query::all(resources::SECRETS)
        .within(namespace)
        .labelled(format!("owner=helm,name={name}"))
        .selected("type=helm.sh/release.v1")
        .metadata_only();
    let secrets: Vec<Named> = hub.select(query).await;
    let mut revisions: Vec<Revision> =
        secrets.iter().filter_map(|secret| Revision::of(&secret.metadata)).collect();
    revisions.sort_by_key(|revision| std::cmp::Reverse(revision.number));
    revisions
}

/// The first Secret that the Job's pods cannot start without and that is not there.
async fn missing_secret(hub: &Reader, attempt: &Attempt) -> Option<String> {
    let namespace = &attempt.chart.metadata.namespace;
    let query = Query::all(resources::SECRETS).within(namespace).metadata_only();
    let secrets = hub.cluster().list(&query).await.map_err(|miss| hub.missed(miss)).ok()?;
    let names: Vec<String> =
        secrets.iter().filter_map(|secret| Some(secret.parse::<Named>().ok()?.metadata.name)).collect();
    let needed = attempt.job.as_ref()?.needed_secrets();
    needed.into_iter().find(|needed| !names.iter().any(|name| name == needed)).map(str::to_owned)
}
