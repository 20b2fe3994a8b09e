//! Reads on one cluster what its deliveries in question need.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use futures::StreamExt;
use futures::stream;
use jiff::Timestamp;

use super::case::Case;
use super::releases::Depth;
use super::workload::events_of;
use super::{LivingObjects, Question, Releases, Workload, gap, living, rival};
use crate::deployer::{Delivery, Standing};
use crate::failure;
use crate::helm::{History, Limit, Manifest, Release, Revision};
use crate::object::ObjectRef;
use crate::report::Gap;
use crate::source::{Cluster, Miss, Query, Reader, resources};

/// More namespaces than these are listed in one call.
const FEW_NAMESPACES: usize = 4;

/// Deliveries of one cluster that are looked into at the same time. Each holds a payload or two.
const AT_A_TIME: usize = 8;

/// One downstream cluster, reached or not.
pub struct Site {
    /// As reports say it.
    pub name: Option<String>,
    /// As `kubectl --context` needs it.
    pub context: Option<String>,
    /// Where to read.
    pub cluster: Option<Rc<dyn Cluster>>,
    /// Why it cannot be read.
    pub miss: Option<Miss>,
    /// The time that ages on its hub are counted from.
    pub now: Timestamp,
    /// Whether the user gave that time.
    pub is_now_given: bool,
}

/// One case per delivery.
pub async fn gather(site: &Site, deliveries: Vec<Delivery>, question: &Question, limit: Limit) -> Vec<Case> {
    let Some(cluster) = &site.cluster else {
        return deliveries.into_iter().map(|delivery| site.unread(delivery)).collect();
    };
    let reader = site.reader(cluster);
    let releases = Releases::list(&reader, &namespaces(&deliveries), limit).await;
    let cases = deliveries.into_iter().map(|delivery| async {
        let reader = site.reader(cluster);
        let case = gather_one(site, &reader, &releases, delivery, question).await;
        (case, reader)
    });
    let cases: Vec<(Case, Reader)> = stream::iter(cases).buffered(AT_A_TIME).collect().await;
    let readers = cases.iter().map(|(_, reader)| reader).chain([&reader]);
    let now = readers.map(|reader| reader.now(site.now)).fold(site.now, Timestamp::max);
    let finish = |(mut case, own): (Case, Reader)| {
        let mut misses = reader.misses();
        misses.extend(own.misses().into_iter().filter(|miss| !reader.misses().contains(miss)));
        case.gaps = misses.iter().map(|miss| gap::of(miss, cluster.name())).collect();
        case.now = now;
        case
    };
    cases.into_iter().map(finish).collect()
}

async fn gather_one(
    site: &Site,
    reader: &Reader,
    releases: &Releases,
    delivery: Delivery,
    question: &Question,
) -> Case {
    let mut case = site.unread(delivery);
    case.is_reached = true;
    let depth = depth(&case.delivery, question);
    if let Some(target) = &case.delivery.release {
        case.history = releases.history(reader, target, depth).await;
    }
    look_around(reader, &mut case, question).await;
    case.rivals = rival::look(reader, releases, &case).await;
    case
}

impl Site {
    fn reader(&self, cluster: &Rc<dyn Cluster>) -> Reader {
        Reader::new(cluster.clone()).with_given_now(self.is_now_given)
    }

    /// A case of which only the deployer's word is known.
    pub(super) fn unread(&self, delivery: Delivery) -> Case {
        let name = self.name.clone().unwrap_or_default();
        let gaps: Vec<Gap> = self.miss.iter().map(|miss| gap::of(miss, &name)).collect();
        Case {
            delivery,
            cluster: self.name.clone(),
            context: self.context.clone(),
            history: None,
            living: LivingObjects::default(),
            workloads: Vec::new(),
            events: Vec::new(),
            rivals: Vec::new(),
            scalers: Vec::new(),
            gaps,
            is_reached: false,
            now: self.now,
        }
    }
}

/// The namespaces to list releases in; none means all.
fn namespaces(deliveries: &[Delivery]) -> Vec<String> {
    let namespaces: BTreeSet<String> =
        deliveries.iter().filter_map(|it| it.release.as_ref()).map(|it| it.namespace.clone()).collect();
    if namespaces.len() > FEW_NAMESPACES { Vec::new() } else { namespaces.into_iter().collect() }
}

fn depth(delivery: &Delivery, question: &Question) -> Depth {
    if question.whole_history {
        Depth::All
    } else if question.compare_live || delivery.hints.compare_live || delivery.hints.follow_rollouts {
        Depth::Live
    } else {
        Depth::Cause
    }
}

/// Reads the living objects that the texts, the deployer or the question name.
async fn look_around(reader: &Reader, case: &mut Case, question: &Question) {
    for object in objects_in_question(case, question) {
        let living = living::read(reader, &object).await;
        let is_failing = case.delivery.standing != Standing::Landed || case.delivery.hints.follow_rollouts;
        if is_failing
            && Workload::is_one(&object)
            && let Some(live) = living.live()
        {
            case.workloads.extend(Workload::read(reader, &object, live.object()).await);
        }
        if is_failing {
            case.events.extend(events_of(reader, &object).await);
        }
        case.living.push(living);
    }
    let found = case.living.iter().filter(|it| it.json().is_some());
    let namespaces: BTreeSet<&str> = found.map(|it| it.object.namespace.as_str()).collect();
    for namespace in namespaces {
        for resource in [resources::HORIZONTAL_POD_AUTOSCALERS, resources::SCALED_OBJECTS] {
            let query = Query::all(resource).within(namespace);
            // Autoscalers only sharpen the advice: that they cannot be listed is no gap worth a line.
            if let Ok(found) = reader.cluster().list(&query).await {
                case.scalers.extend(found.iter().filter_map(|object| object.parse().ok()));
            }
        }
    }
}

fn objects_in_question(case: &Case, question: &Question) -> Vec<ObjectRef> {
    let mut objects: Vec<ObjectRef> = case.delivery.objects.clone();
    if let Some(history) = &case.history {
        for revision in history.revisions() {
            objects.extend(named_by(revision));
        }
        if question.compare_live && question.whole_history {
            let releases = history.revisions().iter().filter_map(Revision::release);
            objects.extend(releases.flat_map(manifest_objects));
        } else if question.compare_live || case.delivery.hints.compare_live {
            objects.extend(
                history.deployed().and_then(Revision::release).into_iter().flat_map(manifest_objects),
            );
        }
    }
    for statement in case.delivery.statements.iter().filter(|it| it.is_current) {
        objects.extend(failure::classify(&statement.text).into_iter().flat_map(|it| whole_references(&it)));
    }
    let mut seen = HashSet::new();
    let first: Vec<bool> = objects.iter().map(|object| seen.insert(object.identity())).collect();
    objects.into_iter().zip(first).filter_map(|(object, is_first)| is_first.then_some(object)).collect()
}

/// The revision whose manifest should live: the one that the deployer made itself, else the newest good one.
pub fn manifest_of<'a>(delivery: &Delivery, history: &'a History) -> Option<&'a Release> {
    let claimed = delivery.release.as_ref().and_then(|it| it.claimed_revision);
    claimed
        .and_then(|number| history.revision(number))
        .filter(|it| it.release().is_some())
        .or_else(|| history.deployed())
        .or_else(|| history.last_good())
        .and_then(Revision::release)
}

/// Objects that a failed revision's text names, with what its manifest adds to an incomplete name.
fn named_by(revision: &Revision) -> Vec<ObjectRef> {
    let Some(description) = revision.description() else { return Vec::new() };
    let Some(failure) = failure::classify(description) else { return Vec::new() };
    let mut objects = whole_references(&failure);
    if let Some(release) = revision.release() {
        let in_manifest = manifest_objects(release);
        for named in &failure.objects {
            let matching = in_manifest.iter().filter(|it| {
                named.name.as_deref() == Some(&it.name)
                    && named.kind.as_deref().is_none_or(|kind| kind.eq_ignore_ascii_case(&it.kind))
            });
            objects.extend(matching.cloned());
        }
    }
    objects
}

fn whole_references(failure: &failure::Failure) -> Vec<ObjectRef> {
    failure
        .objects
        .iter()
        .filter_map(|it| {
            Some(ObjectRef::new(
                it.api_version.as_deref()?,
                it.kind.as_deref()?,
                it.namespace.as_deref()?,
                it.name.as_deref()?,
            ))
        })
        .collect()
}

/// References of everything that a release's manifest sets.
pub fn manifest_objects(release: &Release) -> Vec<ObjectRef> {
    Manifest::of(release)
        .documents()
        .iter()
        .filter(|document| !document.is_hook)
        .map(|document| {
            let mut object = document.object.clone();
            if object.namespace.is_empty() {
                object.namespace.clone_from(&release.namespace);
            }
            object
        })
        .collect()
}
