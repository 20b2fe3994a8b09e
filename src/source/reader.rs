//! Typed reading from one cluster; what could not be had is kept as gaps.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jiff::Timestamp;

use serde::de::DeserializeOwned;

use super::{Cluster, Miss, Object, Query, Resource, newest_time};

/// A typed record of one resource, holding only the fields that the program reads.
pub trait Record: DeserializeOwned {
    /// The resource it is an object of.
    const RESOURCE: Resource;
}

/// Reads typed records from one cluster and remembers what it could not get.
pub struct Reader {
    cluster: Rc<dyn Cluster>,
    misses: RefCell<Vec<Miss>>,
    newest: Cell<Option<Timestamp>>,
    is_now_given: bool,
}

impl Reader {
    /// A reader of this cluster with nothing missed yet.
    pub fn new(cluster: Rc<dyn Cluster>) -> Self {
        Self { cluster, misses: RefCell::default(), newest: Cell::default(), is_now_given: false }
    }

    /// The same; where the user gave the time, nothing that is read changes it.
    pub fn with_given_now(mut self, is_now_given: bool) -> Self {
        self.is_now_given = is_now_given;
        self
    }

    /// The cluster that is read.
    pub fn cluster(&self) -> &Rc<dyn Cluster> {
        &self.cluster
    }

    /// Every record of this kind; `""` reads all namespaces.
    pub async fn all<T: Record>(&self, namespace: &str) -> Vec<T> {
        self.select(Query::all(T::RESOURCE).within(namespace)).await
    }

    /// Every record that the query selects. An object of the wrong shape is missed alone.
    pub async fn select<T: DeserializeOwned>(&self, query: Query) -> Vec<T> {
        let objects = match self.cluster.list(&query).await {
            Ok(objects) => objects,
            Err(miss) => {
                self.missed(miss);
                return Vec::new();
            }
        };
        objects.iter().filter_map(|object| self.parse(object)).collect()
    }

    /// One record, if it is there.
    pub async fn one<T: Record>(&self, namespace: &str, name: &str) -> Option<T> {
        let object = match self.cluster.get(&T::RESOURCE, namespace, name).await {
            Ok(object) => object?,
            Err(miss) => {
                self.missed(miss);
                return None;
            }
        };
        self.parse(&object)
    }

    fn parse<T: DeserializeOwned>(&self, object: &Object) -> Option<T> {
        if self.cluster.is_saved() {
            self.newest.set(self.newest.get().max(newest_time(&object.json)));
        }
        object.parse().map_err(|miss| self.missed(miss)).ok()
    }

    /// The time that ages on this cluster are counted from: the given one, or for a saved cluster the
    /// newest time that stood in anything read so far, since a dump is as old as its making.
    pub fn now(&self, given: Timestamp) -> Timestamp {
        self.newest.get().filter(|_| !self.is_now_given).unwrap_or(given)
    }

    /// Remembers a miss. A kind that is not served is an answer, not a gap.
    pub fn missed(&self, miss: Miss) {
        let mut misses = self.misses.borrow_mut();
        if !matches!(miss, Miss::NotServed { .. }) && !misses.contains(&miss) {
            misses.push(miss);
        }
    }

    /// What could not be had so far, each once.
    pub fn misses(&self) -> Vec<Miss> {
        self.misses.borrow().clone()
    }
}
