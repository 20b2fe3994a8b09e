//! What is known of one delivery in question.

use jiff::Timestamp;
use serde_json::Value;

use super::{LivingObjects, Rival, Workload};
use crate::deployer::Delivery;
use crate::fields::{Live, ManagedFields};
use crate::helm::History;
use crate::object::ObjectRef;
use crate::report::Gap;
use crate::rollout::Event;

/// One delivery with its evidence.
pub struct Case {
    /// The deployer's own word.
    pub delivery: Delivery,
    /// The cluster's name, as reports say it; `None` where it never came to one.
    pub cluster: Option<String>,
    /// What `kubectl --context` most likely needs, where the commands must name a cluster.
    pub context: Option<String>,
    /// The release's stored revisions; `None` where there is no release or it could not be looked for.
    pub history: Option<History>,
    /// Objects of the release, as they live.
    pub living: LivingObjects,
    /// What stands around the workloads in question.
    pub workloads: Vec<Workload>,
    /// Events of the objects in question, oldest first.
    pub events: Vec<Event>,
    /// Other releases that set the same objects.
    pub rivals: Vec<Rival>,
    /// HorizontalPodAutoscalers and ScaledObjects of the release's namespaces.
    pub scalers: Vec<Value>,
    /// What could not be had and concerns this case.
    pub gaps: Vec<Gap>,
    /// The downstream cluster could be read.
    pub is_reached: bool,
    /// The time that ages on this cluster are counted from.
    pub now: Timestamp,
}

impl Case {
    /// The living object of a reference, whatever version it was asked in.
    pub fn live(&self, object: &ObjectRef) -> Option<&Live> {
        self.living.find(object)?.live()
    }

    /// Its content.
    pub fn living(&self, object: &ObjectRef) -> Option<&Value> {
        self.live(object).map(Live::object)
    }

    /// Its managedFields.
    pub fn managed(&self, object: &ObjectRef) -> Option<&ManagedFields> {
        self.live(object).and_then(Live::managed)
    }
}
