//! What one cluster has answered already, where asking again in the same run would bring the same.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tokio::sync::OnceCell;

use super::discovery::ServedKinds;
use crate::source::{Miss, Object, Resource};

type Listing = Rc<OnceCell<Vec<Object>>>;

/// The kinds of one group and version.
type Discovered = Rc<OnceCell<Result<Rc<ServedKinds>, Miss>>>;

/// Listings of metadata, which several deployers and the join all start from, and kinds that the cluster
/// does or does not serve. A listing that failed is not kept: who asks again may be luckier.
#[derive(Default)]
pub(super) struct Memory {
    listings: RefCell<HashMap<String, Listing>>,
    unserved: RefCell<HashSet<String>>,
    /// By group and version.
    pub(super) served: RefCell<HashMap<String, Discovered>>,
    pub(super) is_kubernetes: OnceCell<Result<(), Miss>>,
}

impl Memory {
    /// The listing under this path, read at most once however many ask for it at the same time.
    pub(super) async fn listing<F>(&self, path: String, read: impl FnOnce() -> F) -> Result<Vec<Object>, Miss>
    where
        F: Future<Output = Result<Vec<Object>, Miss>>,
    {
        let cell = self.listings.borrow_mut().entry(path).or_default().clone();
        cell.get_or_try_init(read).await.cloned()
    }

    /// Whether the cluster has said that it does not serve this kind.
    pub(super) fn is_unserved(&self, resource: &Resource) -> bool {
        self.unserved.borrow().contains(&resource.to_string())
    }

    /// Keeps in mind what a miss says about a kind.
    pub(super) fn note(&self, resource: &Resource, miss: &Miss) {
        if matches!(miss, Miss::NotServed { .. }) {
            self.unserved.borrow_mut().insert(resource.to_string());
        }
    }
}
