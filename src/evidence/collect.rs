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
use crate::helm::Limit;
use crate::report::{ClusterSeen, Gap};
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
    /// The user gave the time that ages are counted from; saved data otherwise has its own.
    pub is_now_given: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            parallel: 16,
            per_cluster: Duration::from_secs(30),
            limit: Limit::default(),
            is_now_given: false,
        }
    }
}

/// A delivery and the hub that told of it.
struct Told {
    delivery: Delivery,
    hub: Rc<Reader>,
}

/// One downstream cluster with everything in question on it.
#[derive(Clone)]
pub(super) struct Group {
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
    let reader = |cluster| Rc::new(Reader::new(cluster).with_given_now(options.is_now_given));
    let hubs: Vec<Rc<Reader>> = source.clusters().into_iter().map(reader).collect();
    let told = ask_deployers(&hubs, now).await;
    {
        let mut evidence = sink.borrow_mut();
        evidence.silent = silent(&hubs, &told);
        evidence.owners = owners(&told);
        let newest = told.iter().map(|it| it.hub.now(now)).max();
        evidence.now = newest.unwrap_or(now);
    }
    let groups = choose(&hubs, told, question, options.limit, sink).await;
    let visits = (0..groups.len()).map(|at| visit(source, at, question, options, now, sink));
    sink.borrow_mut().waiting = groups.into_iter().map(Some).collect();
    futures::stream::iter(visits).buffer_unordered(options.parallel.max(1)).collect::<Vec<()>>().await;
    let mut evidence = sink.borrow_mut();
    // A living source learns of some only by being read.
    let troubles = source.troubles().into_iter().filter(|trouble| !evidence.gaps.contains(trouble));
    let troubles: Vec<_> = troubles.collect();
    evidence.gaps.extend(troubles);
    evidence.finish();
}

/// Every delivery of every deployer on every known hub.
async fn ask_deployers(hubs: &[Rc<Reader>], now: Timestamp) -> Vec<Told> {
    let mut asked = FuturesUnordered::new();
    for hub in hubs {
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

/// Why hubs of which nothing at all is known are silent.
fn silent(hubs: &[Rc<Reader>], told: &[Told]) -> Vec<Miss> {
    let mute = hubs.iter().filter(|hub| !told.iter().any(|it| Rc::ptr_eq(&it.hub, hub)));
    let is_silence = |miss: &Miss| {
        matches!(miss, Miss::Unauthorized { .. } | Miss::Unreachable { .. } | Miss::TimedOut { .. })
    };
    mute.filter_map(|hub| hub.misses().into_iter().find(is_silence)).collect()
}

fn owners(told: &[Told]) -> Vec<crate::object::ObjectRef> {
    let owners: BTreeSet<_> =
        told.iter().flat_map(|it| it.delivery.chain.iter().chain(&it.delivery.owner)).cloned().collect();
    owners.into_iter().collect()
}

/// Groups what is in question by cluster, and counts what is not.
async fn choose(
    hubs: &[Rc<Reader>],
    told: Vec<Told>,
    question: &Question,
    limit: Limit,
    sink: &RefCell<Evidence>,
) -> Vec<Group> {
    let claimed = claims(&told);
    let mut groups: BTreeMap<(String, Option<ClusterWanted>), Group> = BTreeMap::new();
    let mut indices: BTreeMap<String, Releases> = BTreeMap::new();
    for Told { delivery, hub } in told {
        let hub_name = hub.cluster().name().to_owned();
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
    sink.borrow_mut().missed(hubs);
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

/// A release whose records may tell of a failure although its deployer is content.
fn newest_is_odd(index: &Releases, delivery: &Delivery) -> bool {
    delivery.release.as_ref().is_some_and(|release| index.may_have_failed(&release.namespace, &release.name))
}

/// What reports call the cluster: Fleet's id, or the hub's own name.
fn name_of(delivery: &Delivery, hub: &Reader) -> Option<String> {
    let cluster = delivery.cluster.as_ref()?;
    let is_nameless = cluster.id.is_empty();
    Some(if is_nameless { hub.cluster().name().to_owned() } else { cluster.id.clone() })
}

/// Reads one cluster. Until that is done its group waits in the sink, for the case of an interrupt.
async fn visit(
    source: &dyn Source,
    at: usize,
    question: &Question,
    options: Options,
    now: Timestamp,
    sink: &RefCell<Evidence>,
) {
    let waiting = sink.borrow().waiting.get(at).cloned().flatten();
    let Some(Group { name, wanted, hub, deliveries }) = waiting else { return };
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
        is_now_given: options.is_now_given,
    };
    let mut is_reached = site.cluster.is_some();
    let names: Vec<Delivery> = deliveries.clone();
    let timed =
        tokio::time::timeout(options.per_cluster, gather(&site, deliveries, question, options.limit)).await;
    let cases = match timed {
        Ok(cases) => cases,
        Err(_) => {
            is_reached = false;
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
    if let Some(done) = evidence.waiting.get_mut(at) {
        *done = None;
    }
}

/// What `kubectl --context` needs: Fleet's display name or id are what people name their contexts by;
/// a living cluster knows its own.
fn context_of(wanted: &ClusterWanted, reached: &Result<Option<Rc<dyn Cluster>>, Miss>) -> Option<String> {
    let known = reached.as_ref().ok().and_then(Option::as_ref).and_then(|cluster| cluster.context());
    match known {
        Some(context) => Some(context.to_owned()),
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
            silent: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The run was cut short: what was still to be read is told by the deployer's word alone.
    pub fn interrupt(&mut self) {
        for group in std::mem::take(&mut self.waiting).into_iter().flatten() {
            let Group { name, wanted, hub, deliveries } = group;
            let gap = Gap {
                missing: format!("everything on cluster {}", name.as_deref().unwrap_or_default()),
                why: "interrupted before it was read".into(),
                fill: None,
            };
            let context = wanted.as_ref().and_then(|it| context_of(it, &Ok(None)));
            let site = Site {
                name: name.clone(),
                context,
                cluster: None,
                miss: None,
                now: hub.now(self.now),
                is_now_given: true,
            };
            let cases = deliveries.into_iter().map(|delivery| site.unread(delivery)).map(|mut case| {
                case.gaps.push(gap.clone());
                case
            });
            self.cases.extend(cases);
            if let (Some(name), Some(wanted)) = (name, wanted) {
                self.clusters.push(ClusterSeen { name, display_name: wanted.display_name, reached: false });
            }
        }
        self.finish();
    }

    fn missed(&mut self, hubs: &[Rc<Reader>]) {
        for hub in hubs {
            self.gaps.extend(hub.misses().iter().map(|miss| super::gap::of(miss, hub.cluster().name())));
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
