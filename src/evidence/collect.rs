//! From a question to cases: ask every deployer, choose what is in question, read what it needs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use jiff::Timestamp;

use super::choose::{Chosen, Group, Told, choose};
use super::gather::{Site, gather};
use super::{Case, Evidence, Question};
use crate::deployer::{self, Delivery};
use crate::helm::Limit;
use crate::object::ObjectRef;
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

/// One run: a question, and what becomes of each case that it brings up.
pub struct Collection<'a, Read> {
    /// What is asked.
    pub question: &'a Question,
    /// How to read.
    pub options: Options,
    /// The time that ages are counted from.
    pub now: Timestamp,
    /// What to make of each case; called once for each, as soon as it is whole. The case is then let go.
    pub read: Read,
}

impl<Read> Collection<'_, Read> {
    /// Collects the evidence into `sink`. What is there when the caller stops waiting is whole as far as it
    /// goes: cases arrive cluster by cluster.
    pub async fn collect<T>(&self, source: &dyn Source, sink: &RefCell<Evidence<T>>)
    where
        Read: Fn(Case) -> T,
    {
        sink.borrow_mut().gaps.extend(source.troubles());
        let is_now_given = self.options.is_now_given;
        let reader = |cluster| Rc::new(Reader::new(cluster).with_given_now(is_now_given));
        let hubs: Vec<Rc<Reader>> = source.clusters().into_iter().map(reader).collect();
        let told = ask_deployers(&hubs, self.now).await;
        {
            let mut evidence = sink.borrow_mut();
            evidence.silent = silent(&hubs, &told);
            evidence.gaps.extend(bare(&hubs, &told));
            evidence.owners = owners(&told, self.question);
            let newest = told.iter().map(|it| it.hub.now(self.now)).max();
            evidence.now = newest.unwrap_or(self.now);
        }
        let Chosen { groups, healthy } = choose(told, self.question, self.options.limit).await;
        let visits = (0..groups.len()).map(|at| self.visit(source, at, sink));
        {
            let mut evidence = sink.borrow_mut();
            evidence.healthy = healthy;
            evidence.gaps.extend(hubs.iter().flat_map(|hub| misses(hub)));
            evidence.waiting = groups.into_iter().map(|group| Some(Box::new(group))).collect();
        }
        futures::stream::iter(visits)
            .buffer_unordered(self.options.parallel.max(1))
            .collect::<Vec<()>>()
            .await;
        let mut evidence = sink.borrow_mut();
        // A living source learns of some only by being read.
        let mut troubles = source.troubles();
        troubles.retain(|trouble| !evidence.gaps.contains(trouble));
        evidence.gaps.extend(troubles);
        evidence.finish();
    }

    /// Reads one cluster. Until that is done its group waits in the sink, for the case of an interrupt.
    async fn visit<T>(&self, source: &dyn Source, at: usize, sink: &RefCell<Evidence<T>>)
    where
        Read: Fn(Case) -> T,
    {
        let Options { per_cluster, limit, is_now_given, .. } = self.options;
        let waiting = sink.borrow().waiting.get(at).cloned().flatten();
        let Some(group) = waiting else { return };
        let Group { name, wanted, hub, deliveries, places } = *group;
        let seconds = per_cluster.as_secs();
        let reached: Result<Option<Rc<dyn Cluster>>, Miss> = match &wanted {
            None => Ok(None),
            Some(wanted) if wanted.is_hub => Ok(Some(hub.cluster().clone())),
            Some(wanted) => {
                let way = source.downstream(hub.cluster(), wanted);
                let timed_out = || Miss::TimedOut { cluster: wanted.id.clone(), seconds };
                tokio::time::timeout(per_cluster, way).await.unwrap_or_else(|_| Err(timed_out())).map(Some)
            }
        };
        let site = Site {
            name: name.clone(),
            context: wanted.as_ref().and_then(|it| context_of(it, &reached)),
            cluster: reached.as_ref().ok().cloned().flatten(),
            miss: reached.err(),
            now: hub.now(self.now),
            is_now_given,
        };
        let mut is_reached = site.cluster.is_some();
        let names: Vec<Delivery> = deliveries.clone();
        let timed = tokio::time::timeout(per_cluster, gather(&site, deliveries, self.question, limit)).await;
        let cases = match timed {
            Ok(cases) => cases,
            Err(_) => {
                is_reached = false;
                let cluster = name.clone().unwrap_or_default();
                let late = Site { cluster: None, miss: Some(Miss::TimedOut { cluster, seconds }), ..site };
                gather(&late, names, self.question, limit).await
            }
        };
        let mut evidence = sink.borrow_mut();
        evidence.seen(name, wanted, is_reached);
        for (place, case) in places.into_iter().zip(cases) {
            evidence.add(place, case, self.question, &self.read);
        }
        if let Some(done) = evidence.waiting.get_mut(at) {
            *done = None;
        }
    }

    /// The run was cut short: what was still to be read is told by the deployer's word alone.
    pub fn interrupt<T>(&self, evidence: &mut Evidence<T>)
    where
        Read: Fn(Case) -> T,
    {
        for group in std::mem::take(&mut evidence.waiting).into_iter().flatten() {
            let Group { name, wanted, hub, deliveries, places } = *group;
            let gap = Gap {
                missing: format!("everything on cluster {}", name.as_deref().unwrap_or_default()),
                why: "interrupted before it was read".into(),
                fill: None,
            };
            let site = Site {
                name: name.clone(),
                context: wanted.as_ref().and_then(|it| context_of(it, &Ok(None))),
                cluster: None,
                miss: None,
                now: hub.now(evidence.now),
                is_now_given: true,
            };
            for (place, delivery) in places.into_iter().zip(deliveries) {
                let mut case = site.unread(delivery);
                case.gaps.push(gap.clone());
                evidence.add(place, case, self.question, &self.read);
            }
            evidence.seen(name, wanted, false);
        }
        evidence.finish();
    }
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

/// What stays open about hubs that were read and hold no release at all.
fn bare(hubs: &[Rc<Reader>], told: &[Told]) -> Vec<Gap> {
    let without =
        |hub: &&Rc<Reader>| hub.misses().is_empty() && !told.iter().any(|it| Rc::ptr_eq(&it.hub, hub));
    hubs.iter().filter(without).map(|hub| super::gap::nothing_at_all(hub.cluster().name())).collect()
}

/// Owners of the kinds that the question names.
fn owners(told: &[Told], question: &Question) -> Vec<ObjectRef> {
    let all = told.iter().flat_map(|it| it.delivery.chain.iter().chain(&it.delivery.owner));
    let is_asked = |owner: &&ObjectRef| question.targets.iter().any(|target| target.is_of_kind(owner));
    let owners: BTreeSet<&ObjectRef> = all.filter(is_asked).collect();
    owners.into_iter().cloned().collect()
}

/// What could not be had from a hub.
fn misses(hub: &Reader) -> Vec<Gap> {
    hub.misses().iter().map(|miss| super::gap::of(miss, hub.cluster().name())).collect()
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

impl<T> Evidence<T> {
    fn seen(&mut self, name: Option<String>, wanted: Option<ClusterWanted>, reached: bool) {
        if let (Some(name), Some(wanted)) = (name, wanted) {
            self.clusters.push(ClusterSeen { name, display_name: wanted.display_name, reached });
        }
    }
}
