//! What is known of one delivery in question.

use std::cell::OnceCell;

use jiff::Timestamp;
use serde_json::Value;

use super::{Rival, Workload};
use crate::deployer::Delivery;
use crate::fields::ManagedFields;
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
    pub living: Vec<Living>,
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

/// One object, asked for by reference.
pub struct Living {
    /// Which.
    pub object: ObjectRef,
    /// What was found.
    pub found: Found,
    /// Where, for evidence.
    pub origin: String,
    /// Its managedFields, read at the first question about them.
    managed: OnceCell<Option<ManagedFields>>,
}

/// The answer to "does it live, and how?".
pub enum Found {
    /// Whole, with managedFields unless they were hidden.
    Object(Box<Value>),
    /// The cluster was asked and has none.
    Absent,
    /// It could not be asked, or the dump does not hold it.
    Unknown(String),
}

impl Case {
    /// The living object of a reference, whatever version it was asked in.
    pub fn living(&self, object: &ObjectRef) -> Option<&Value> {
        self.found(object).and_then(Living::value)
    }

    /// Its managedFields.
    pub fn managed(&self, object: &ObjectRef) -> Option<&ManagedFields> {
        self.found(object).and_then(Living::managed)
    }

    fn found(&self, object: &ObjectRef) -> Option<&Living> {
        self.living.iter().find(|it| it.object.is_same_object(object))
    }
}

impl Living {
    /// What was found in the place of an object.
    pub fn new(object: ObjectRef, found: Found, origin: String) -> Self {
        Self { object, found, origin, managed: OnceCell::new() }
    }

    /// Its managedFields; `None` where it has none, or was not found.
    pub fn managed(&self) -> Option<&ManagedFields> {
        self.managed.get_or_init(|| self.value().and_then(ManagedFields::of)).as_ref()
    }

    /// The object, if it was found.
    pub fn value(&self) -> Option<&Value> {
        match &self.found {
            Found::Object(value) => Some(value),
            Found::Absent | Found::Unknown(_) => None,
        }
    }
}
