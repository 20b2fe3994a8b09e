//! The ways to a downstream cluster, and what came of each.

use std::borrow::Cow;
use std::fmt;

/// One way, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The hub is its own downstream.
    Hub,
    /// `--downstream NAME=CONTEXT`.
    Flag,
    /// A context of the kubeconfig that is named as the cluster's id or display name.
    Context,
    /// The Secret on the hub that the cluster's record names.
    Secret,
    /// The credentials in Argo CD's cluster Secret, with `--use-argocd-credentials` alone.
    ArgoCd,
    /// Rancher's `/k8s/clusters/ID` on the hub's server.
    Rancher,
}

impl Way {
    /// All that are tried for a cluster that is not the hub.
    pub(in crate::source) const IN_ORDER: [Self; 5] =
        [Self::Flag, Self::Context, Self::Secret, Self::ArgoCd, Self::Rancher];
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hub => "the hub itself",
            Self::Flag => "--downstream",
            Self::Context => "kubeconfig context",
            Self::Secret => "kubeconfig Secret",
            Self::ArgoCd => "Argo CD's credentials",
            Self::Rancher => "Rancher's proxy",
        })
    }
}

/// What came of one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It leads to the cluster; through what.
    Taken(String),
    /// It does not exist for this cluster; why.
    NotThere(Cow<'static, str>),
    /// It exists and failed; why.
    Failed(String),
}

/// One try to reach one cluster, for `-v`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessStep {
    /// The cluster's id.
    pub cluster: String,
    /// The way tried.
    pub way: Way,
    /// What came of it.
    pub outcome: Outcome,
}

/// `c-prod: kubeconfig Secret: taken, Secret fleet-default/kc-prod`.
impl fmt::Display for AccessStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cluster, way, outcome } = self;
        match outcome {
            Outcome::Taken(what) => write!(f, "{cluster}: {way}: taken, {what}"),
            Outcome::NotThere(why) => write!(f, "{cluster}: {way}: {why}"),
            Outcome::Failed(why) => write!(f, "{cluster}: {way}: failed, {why}"),
        }
    }
}
