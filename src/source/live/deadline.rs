//! How long one cluster is waited for, and when it is given up.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::time::Instant;

use super::Limits;
use crate::source::Miss;

/// The patience that one cluster has used up.
pub(super) struct Deadline {
    limits: Limits,
    run_ends: Option<Instant>,
    /// The hub answers for all clusters, so only the run's limit and each answer's hold for it.
    is_hub: bool,
    started: Cell<Option<Instant>>,
    silences: Cell<u32>,
    given_up: RefCell<Option<Miss>>,
}

/// A cluster that was silent this often in a row is not asked again.
const SILENCES: u32 = 2;

impl Deadline {
    /// Nothing is used up before the first question.
    pub(super) fn new(limits: Limits, run_ends: Option<Instant>, is_hub: bool) -> Self {
        Self {
            limits,
            run_ends,
            is_hub,
            started: Cell::default(),
            silences: Cell::default(),
            given_up: RefCell::default(),
        }
    }

    /// How long the next answer may take, and the limit that says so; or why there is none to wait for.
    pub(super) fn patience(&self) -> Result<(Duration, Duration), Miss> {
        if let Some(miss) = &*self.given_up.borrow() {
            return Err(miss.clone());
        }
        let now = Instant::now();
        let started = self.started.get().unwrap_or(now);
        self.started.set(Some(started));
        let of_run = self.run_ends.map(|end| (end - now, self.limits.run.unwrap_or_default()));
        let of_cluster = (!self.is_hub)
            .then(|| ((started + self.limits.cluster).saturating_duration_since(now), self.limits.cluster));
        let of_answer = self.limits.request.map(|limit| (limit, limit));
        let shortest = [of_run, of_cluster, of_answer].into_iter().flatten().min_by_key(|(left, _)| *left);
        Ok(shortest.unwrap_or((self.limits.cluster, self.limits.cluster)))
    }

    /// The cluster answered, whatever it was.
    pub(super) fn answered(&self) {
        self.silences.set(0);
    }

    /// The cluster did not answer within the limit.
    pub(super) fn was_silent(&self, cluster: &str, limit: Duration) -> Miss {
        let miss = Miss::TimedOut { cluster: cluster.into(), seconds: limit.as_secs().max(1) };
        self.silences.set(self.silences.get() + 1);
        if self.silences.get() >= SILENCES {
            self.give_up(&miss);
        }
        miss
    }

    /// Every further question gets this answer at once.
    pub(super) fn give_up(&self, miss: &Miss) {
        *self.given_up.borrow_mut() = Some(miss.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[tokio::test(start_paused = true)]
    async fn the_shortest_limit_counts() {
        let limits = Limits { run: Some(seconds(100)), ..Limits::default() };
        let run_ends = Some(Instant::now() + seconds(100));
        let (hub, other) = (Deadline::new(limits, run_ends, true), Deadline::new(limits, run_ends, false));
        assert_eq!(other.patience().unwrap(), (seconds(30), seconds(30)));
        assert_eq!(hub.patience().unwrap(), (seconds(30), seconds(30)));
        tokio::time::advance(seconds(50)).await;
        assert_eq!(other.patience().unwrap(), (seconds(10), seconds(60)));
        assert_eq!(hub.patience().unwrap(), (seconds(30), seconds(30)));
        tokio::time::advance(seconds(45)).await;
        assert_eq!(other.patience().unwrap(), (seconds(0), seconds(60)));
        assert_eq!(hub.patience().unwrap(), (seconds(5), seconds(100)));
    }

    #[tokio::test]
    async fn a_silent_cluster_is_given_up() {
        let deadline = Deadline::new(Limits::default(), None, false);
        let miss = deadline.was_silent("prod", seconds(30));
        deadline.answered();
        deadline.was_silent("prod", seconds(30));
        assert!(deadline.patience().is_ok(), "an answer in between counts");
        deadline.was_silent("prod", seconds(30));
        assert_eq!(deadline.patience(), Err(miss));
    }
}
