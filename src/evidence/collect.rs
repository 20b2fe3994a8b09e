//! From a question to cases: ask every deployer, choose what is in question, read what it needs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use jiff::Timestamp;

use super::case::{Case, Evidence};
use super::gather::{Site, gather};
use super::{Question, Releases};
use crate::deployer::{self, Delivery, Standing};
use crate::helm::{Limit, Status};
use crate::report::ClusterSeen;
use crate::source::{Cluster, ClusterWanted, Miss, Reader, Source};

/// How a run reads.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Clusters that are read at the same time.
    pub parallel: usize,
    /// The time that one cluster may take.
    pub per_cluster: Duration,
    /// The largest payload.
    pub limit: Limit,
}

impl Default for Options {
    fn default() -> Self {
        Self { parallel: 16, per_cluster: Duration::from_secs(30), limit: Limit::default() }
    }
}

/// A delivery and the hub that told of it.
struct Told {
    delivery: Delivery,
    hub: Rc<Reader>,
}

/// One downstream cluster with everything in question on it.
struct Group {
    name: Option<String>,
    wanted: Option<ClusterWanted>,
    hub: Rc<Reader>,
    deliveries: Vec<Delivery>,
}

/// Collects the evidence for a question into `sink`. What is there when the caller stops waiting is
/// whole as far as it goes: cases arrive cluster by cluster.
pub async fn collect(
    source: &dyn Source,
    question: &Question,
    options: Options,
    now: Timestamp,
    sink: &RefCell<Evidence>,
) {
    sink.borrow_mut().gaps.extend(source.troubles());
    let told = ask_deployers(source, now).await;
    {
        let mut evidence = sink.borrow_mut();
        evidence.owners = owners(&told);
        let newest = told.iter().map(|it| it.hub.now(now)).max();
        evidence.now = newest.unwrap_or(now);
    }
    let groups = choose(source, told, question, options.limit, sink).await;
    let visits = groups.into_iter().map(|group| visit(source, group, question, options, now, sink));
    futures::stream::iter(visits).buffer_unordered(options.parallel.max(1)).collect::<Vec<()>>().await;
    sink.borrow_mut().finish();
}

/// Every delivery of every deployer on every known hub.
async fn ask_deployers(source: &dyn Source, now: Timestamp) -> Vec<Told> {
    let mut asked = FuturesUnordered::new();
    for cluster in source.clusters() {
        let hub = Rc::new(Reader::new(cluster));
        for deployer in deployer::ALL {
            let hub = hub.clone();
            asked.push(async move {
                let deliveries = deployer.collect(&hub, now).await;
                deliveries.into_iter().map(|delivery| Told { delivery, hub: hub.clone() }).collect::<Vec<_>>()
            });
        }
    }
    let mut told = Vec::new();
    while let Some(some) = asked.next().await {
        told.extend(some);
    }
    told
}

fn owners(told: &[Told]) -> Vec<crate::object::ObjectRef> {
    let owners: BTreeSet<_> =
        told.iter().flat_map(|it| it.delivery.chain.iter().chain(&it.delivery.owner)).cloned().collect();
    owners.into_iter().collect()
}

/// Groups what is in question by cluster, and counts what is not.
async fn choose(
    source: &dyn Source,
    told: Vec<Told>,
    question: &Question,
    limit: Limit,
    sink: &RefCell<Evidence>,
) -> Vec<Group> {
    let claimed = claims(&told);
    let mut groups: BTreeMap<(String, Option<ClusterWanted>), Group> = BTreeMap::new();
    let mut indices: BTreeMap<String, Releases> = BTreeMap::new();
    let mut misses: BTreeMap<String, Vec<Miss>> = BTreeMap::new();
    for Told { delivery, hub } in told {
        let hub_name = hub.cluster().name().to_owned();
        misses.entry(hub_name.clone()).or_insert_with(|| hub.misses());
        if is_claimed(&delivery, &hub_name, &claimed) || !question.concerns(&delivery) {
            continue;
        }
        let is_here = delivery.cluster.as_ref().is_some_and(|it| it.is_hub);
        if delivery.standing == Standing::Landed && is_here && !indices.contains_key(&hub_name) {
            indices.insert(hub_name.clone(), Releases::list(&hub, &[], limit).await);
        }
        let is_odd = is_here && indices.get(&hub_name).is_some_and(|index| newest_is_odd(index, &delivery));
        let in_question = delivery.standing != Standing::Landed
            || is_odd
            || delivery.hints.compare_live
            || question.compare_live
            || question.whole_history
            || question.names_something();
        if !in_question {
            sink.borrow_mut().healthy += 1;
            continue;
        }
        let key = (hub_name, delivery.cluster.clone());
        let group = groups.entry(key).or_insert_with(|| Group {
            name: name_of(&delivery, &hub),
            wanted: delivery.cluster.clone(),
            hub: hub.clone(),
            deliveries: Vec::new(),
        });
        group.deliveries.push(delivery);
    }
    let _ = source;
    sink.borrow_mut().missed(misses);
    groups.into_values().collect()
}

/// Releases that a deployer with an owner claims, as (cluster, namespace, name): a cluster is known by
/// every name that it may be saved or reached under.
fn claims(told: &[Told]) -> BTreeSet<(String, String, String)> {
    let mut claims = BTreeSet::new();
    for Told { delivery, hub } in told.iter().filter(|it| it.delivery.owner.is_some()) {
        let (Some(cluster), Some(release)) = (&delivery.cluster, &delivery.release) else { continue };
        let mut names = vec![cluster.id.clone()];
        names.extend(cluster.display_name.clone());
        if cluster.is_hub {
            names.push(hub.cluster().name().to_owned());
        }
        for name in names {
            claims.insert((name, release.namespace.clone(), release.name.clone()));
        }
    }
    claims
}

fn is_claimed(delivery: &Delivery, hub: &str, claimed: &BTreeSet<(String, String, String)>) -> bool {
    let Some(release) = delivery.release.as_ref().filter(|_| delivery.owner.is_none()) else { return false };
    claimed.contains(&(hub.to_owned(), release.namespace.clone(), release.name.clone()))
}

/// A release whose newest record failed although its deployer is content.
fn newest_is_odd(index: &Releases, delivery: &Delivery) -> bool {
    let Some(release) = &delivery.release else { return false };
    index
        .newest_status(&release.namespace, &release.name)
        .is_some_and(|status| matches!(status, Status::Failed) || status.is_unfinished())
}

/// What reports call the cluster: Fleet's id, or the hub's own name.
fn name_of(delivery: &Delivery, hub: &Reader) -> Option<String> {
    let cluster = delivery.cluster.as_ref()?;
    let is_nameless = cluster.id.is_empty();
    Some(if is_nameless { hub.cluster().name().to_owned() } else { cluster.id.clone() })
}

async fn visit(
    source: &dyn Source,
    group: Group,
    question: &Question,
    options: Options,
    now: Timestamp,
    sink: &RefCell<Evidence>,
) {
    let Group { name, wanted, hub, deliveries } = group;
    let seconds = options.per_cluster.as_secs();
    let reached: Result<Option<Rc<dyn Cluster>>, Miss> = match &wanted {
        None => Ok(None),
        Some(wanted) if wanted.is_hub => Ok(Some(hub.cluster().clone())),
        Some(wanted) => {
            let way = source.downstream(hub.cluster(), wanted);
            let timed_out = || Miss::TimedOut { cluster: wanted.id.clone(), seconds };
            tokio::time::timeout(options.per_cluster, way)
                .await
                .unwrap_or_else(|_| Err(timed_out()))
                .map(Some)
        }
    };
    let site = Site {
        name: name.clone(),
        context: wanted.as_ref().and_then(|it| context_of(it, &reached)),
        cluster: reached.as_ref().ok().cloned().flatten(),
        miss: reached.err(),
        now: hub.now(now),
    };
    let is_reached = site.cluster.is_some();
    let names: Vec<Delivery> = deliveries.clone();
    let timed =
        tokio::time::timeout(options.per_cluster, gather(&site, deliveries, question, options.limit)).await;
    let cases = match timed {
        Ok(cases) => cases,
        Err(_) => {
            let cluster = name.clone().unwrap_or_default();
            let late = Site { cluster: None, miss: Some(Miss::TimedOut { cluster, seconds }), ..site };
            gather(&late, names, question, options.limit).await
        }
    };
    let mut evidence = sink.borrow_mut();
    if let (Some(name), Some(wanted)) = (name, wanted) {
        evidence.clusters.push(ClusterSeen { name, display_name: wanted.display_name, reached: is_reached });
    }
    evidence.cases.extend(cases);
}

/// What `kubectl --context` needs: Fleet's display name or id are what people name their contexts by;
/// a living cluster knows its own.
fn context_of(wanted: &ClusterWanted, reached: &Result<Option<Rc<dyn Cluster>>, Miss>) -> Option<String> {
    let live = reached.as_ref().ok().and_then(Option::as_ref).filter(|cluster| cluster.is_complete());
    match live {
        Some(cluster) => Some(cluster.name().to_owned()),
        None if wanted.is_hub => None,
        None => wanted.display_name.clone().or_else(|| Some(wanted.id.clone())),
    }
}

impl Evidence {
    /// Evidence with nothing in it yet.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            clusters: Vec::new(),
            cases: Vec::new(),
            healthy: 0,
            gaps: Vec::new(),
            owners: Vec::new(),
        }
    }

    fn missed(&mut self, misses: BTreeMap<String, Vec<Miss>>) {
        for (cluster, misses) in misses {
            self.gaps.extend(misses.iter().map(|miss| super::gap::of(miss, &cluster)));
        }
    }

    /// Clusters answer in any order; a report is in one.
    fn finish(&mut self) {
        self.clusters.sort_by(|a, b| a.name.cmp(&b.name));
        self.clusters.dedup();
        self.cases.sort_by(|a, b| order(a).cmp(&order(b)));
    }
}

fn order(case: &Case) -> (Option<&crate::object::ObjectRef>, Option<&str>, Option<(&str, &str)>) {
    let release = case.delivery.release.as_ref().map(|it| (it.namespace.as_str(), it.name.as_str()));
    (case.delivery.owner.as_ref(), case.cluster.as_deref(), release)
}
