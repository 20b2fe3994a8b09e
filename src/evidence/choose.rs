//! Which deliveries are in question, grouped by the cluster that must be read for them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Question, Releases};
use crate::deployer::{Delivery, Standing};
use crate::helm::Limit;
use crate::source::{ClusterWanted, Reader};

/// A delivery and the hub that told of it.
pub struct Told {
    pub delivery: Delivery,
    pub hub: Rc<Reader>,
}

/// One downstream cluster with everything in question on it.
#[derive(Clone)]
pub struct Group {
    pub name: Option<String>,
    pub wanted: Option<ClusterWanted>,
    pub hub: Rc<Reader>,
    pub deliveries: Vec<Delivery>,
    /// Where each of them stands in the report.
    pub places: Vec<usize>,
}

/// What is to be read.
pub struct Chosen {
    pub groups: Vec<Group>,
    /// Deliveries in scope that are healthy by the deployer's own word, and are not read.
    pub healthy: usize,
}

/// Groups what is in question by cluster, and counts what is not.
pub async fn choose(told: Vec<Told>, question: &Question, limit: Limit) -> Chosen {
    let claimed = claims(&told);
    let mut groups: BTreeMap<(String, Option<ClusterWanted>), Group> = BTreeMap::new();
    let mut indices: BTreeMap<String, Releases> = BTreeMap::new();
    let mut healthy = 0;
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
            healthy += 1;
            continue;
        }
        let key = (hub_name, delivery.cluster.clone());
        let group = groups.entry(key).or_insert_with(|| Group {
            name: name_of(&delivery, &hub),
            wanted: delivery.cluster.clone(),
            hub: hub.clone(),
            deliveries: Vec::new(),
            places: Vec::new(),
        });
        group.deliveries.push(delivery);
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    place(&mut groups);
    Chosen { groups, healthy }
}

/// Clusters answer in any order; the report is in one: by owner, cluster, release.
fn place(groups: &mut [Group]) {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (at, group) in groups.iter_mut().enumerate() {
        group.places = vec![0; group.deliveries.len()];
        all.extend((0..group.deliveries.len()).map(|delivery| (at, delivery)));
    }
    let key = |(at, delivery): &(usize, usize)| {
        let group = &groups[*at];
        let delivery = &group.deliveries[*delivery];
        let release = delivery.release.as_ref().map(|it| (it.namespace.as_str(), it.name.as_str()));
        (delivery.owner.as_ref(), group.name.as_deref(), release)
    };
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    for (place, (at, delivery)) in all.into_iter().enumerate() {
        groups[at].places[delivery] = place;
    }
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
