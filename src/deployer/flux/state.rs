//! The HelmRelease's state in one word, and whether there is anything to explain.

use super::helm_release::HelmRelease;
use crate::deployer::Standing;

/// The state, computed: `Ready` alone misleads where the release is suspended, and `Reconciling` is there
/// in most of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// `spec.suspend`: the conditions are from before.
    Suspended,
    /// The retry budget is spent: nothing happens any more by itself.
    Stalled,
    /// The controller says that what was wanted runs.
    Ready,
    /// Not ready, and the controller has not finished this generation: it comes back by itself.
    Retrying,
    /// Not ready, this generation was finished before.
    NotReady,
}

impl State {
    /// The state of a HelmRelease.
    pub fn of(helm_release: &HelmRelease) -> Self {
        let is_true = |kind| helm_release.condition(kind).is_some_and(|condition| condition.is_true());
        if helm_release.spec.suspend {
            Self::Suspended
        } else if is_true("Stalled") {
            Self::Stalled
        } else if is_true("Ready") {
            Self::Ready
        } else if helm_release.status.observed_generation != helm_release.metadata.generation {
            Self::Retrying
        } else {
            Self::NotReady
        }
    }

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Suspended => "Suspended",
            Self::Stalled => "Stalled",
            Self::Ready => "Ready",
            Self::Retrying => "Retrying",
            Self::NotReady => "NotReady",
        }
    }

    /// Whether this needs explaining, before any sign is looked at.
    pub fn standing(self, helm_release: &HelmRelease) -> Standing {
        match self {
            Self::Ready => Standing::Landed,
            Self::Suspended if helm_release.condition("Ready").is_some_and(|ready| ready.is_false()) => {
                Standing::Stuck
            }
            Self::Suspended => Standing::LooksReady,
            Self::Stalled | Self::Retrying | Self::NotReady => Standing::Stuck,
        }
    }
}
