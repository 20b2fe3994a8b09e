//! What was asked: which owners, in which namespace, on which cluster.

use std::str::FromStr;

use crate::deployer::Delivery;
use crate::object::ObjectRef;

/// What a run is about. An empty one asks for everything that is stuck.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// `TYPE/NAME` arguments; a delivery that any of them means is in question.
    pub targets: Vec<Target>,
    /// `-n`: the owner's namespace (Fleet's workspace), or the release's.
    pub namespace: Option<String>,
    /// `--cluster-name`: one cluster, by id or display name.
    pub cluster: Option<String>,
    /// Healthy deliveries too.
    pub include_healthy: bool,
    /// Compare every release in question with the living objects (`audit`).
    pub compare_live: bool,
    /// Every stored revision of the releases in question (`history`).
    pub whole_history: bool,
}

/// One `TYPE/NAME` argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As kubectl would take it: `gitrepo`, `gitrepos.fleet.cattle.io`, `release`.
    pub kind: String,
    /// For `release/NAMESPACE/NAME`.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
}

/// Why an argument is no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not TYPE/NAME. Types are gitrepo, helmop, bundle, cluster, helmrelease, application, helmchart \
     and release; for example gitrepo/shop or release/NAMESPACE/NAME"
)]
pub struct TargetError {
    /// What was typed.
    pub text: String,
}

/// The kinds that can be asked for, with the short forms that kubectl has for them.
const KINDS: [(&str, &[&str]); 10] = [
    ("gitrepo", &["gitrepos"]),
    ("helmop", &["helmops"]),
    ("bundle", &["bundles"]),
    ("bundledeployment", &["bundledeployments"]),
    ("cluster", &["clusters"]),
    ("helmrelease", &["helmreleases", "hr"]),
    ("application", &["applications", "app", "apps"]),
    ("helmchart", &["helmcharts"]),
    ("kustomization", &["kustomizations", "ks"]),
    ("release", &["releases", "helm"]),
];

/// Whether a word is a type on its own.
fn is_kind(word: &str) -> bool {
    let bare = word.split('.').next().unwrap_or(word).to_lowercase();
    KINDS.iter().any(|(kind, others)| *kind == bare || others.contains(&bare.as_str()))
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let wrong = || TargetError { text: text.to_owned() };
        let (typed, rest) = text.split_once('/').ok_or_else(wrong)?;
        let bare = typed.split('.').next().unwrap_or(typed).to_lowercase();
        let (kind, _) = KINDS
            .iter()
            .find(|(kind, others)| *kind == bare || others.contains(&bare.as_str()))
            .ok_or_else(wrong)?;
        let (namespace, name) = match rest.split_once('/') {
            Some((namespace, name)) => (Some(namespace.to_owned()), name),
            None => (None, rest),
        };
        if name.is_empty() || name.contains('/') {
            return Err(wrong());
        }
        Ok(Self { kind: (*kind).to_owned(), namespace, name: name.to_owned() })
    }
}

impl Target {
    /// Reads arguments as kubectl does: `gitrepo/shop`, or a type and then names: `release shop/web`,
    /// `gitrepo shop cart`.
    ///
    /// # Errors
    /// An argument is neither.
    pub fn list(arguments: &[String]) -> Result<Vec<Self>, TargetError> {
        let mut targets = Vec::new();
        let mut kind: Option<&str> = None;
        for argument in arguments {
            if is_kind(argument) {
                kind = Some(argument);
                continue;
            }
            targets.push(match kind {
                Some(kind) => format!("{kind}/{argument}").parse()?,
                None => argument.parse()?,
            });
        }
        match (kind, targets.as_slice()) {
            (Some(kind), []) => Err(TargetError { text: kind.to_owned() }),
            _ => Ok(targets),
        }
    }

    /// Whether it means this delivery, given the `-n` namespace.
    pub fn means(&self, delivery: &Delivery, namespace: Option<&str>) -> bool {
        let namespace = self.namespace.as_deref().or(namespace);
        match self.kind.as_str() {
            "cluster" => delivery.cluster.as_ref().is_some_and(|cluster| {
                cluster.id == self.name || cluster.display_name.as_deref() == Some(&self.name)
            }),
            "release" => delivery.release.as_ref().is_some_and(|release| {
                release.name == self.name && namespace.is_none_or(|wanted| wanted == release.namespace)
            }),
            _ => delivery.chain.iter().chain(&delivery.owner).any(|object| self.names(object, namespace)),
        }
    }

    /// Whether an object is of the kind that it names.
    pub fn is_of_kind(&self, object: &ObjectRef) -> bool {
        object.kind.to_lowercase() == self.kind
    }

    fn names(&self, object: &ObjectRef, namespace: Option<&str>) -> bool {
        self.is_of_kind(object)
            && object.name == self.name
            && namespace.is_none_or(|wanted| wanted == object.namespace)
    }
}

impl Question {
    /// Whether a delivery is asked for by name or by scope.
    pub fn concerns(&self, delivery: &Delivery) -> bool {
        let namespace = self.namespace.as_deref();
        let by_cluster = self.cluster.as_deref().is_none_or(|wanted| {
            delivery
                .cluster
                .as_ref()
                .is_some_and(|it| it.id == wanted || it.display_name.as_deref() == Some(wanted))
        });
        let by_name = if self.targets.is_empty() {
            namespace.is_none_or(|wanted| lives_in(delivery, wanted))
        } else {
            self.targets.iter().any(|target| target.means(delivery, namespace))
        };
        by_cluster && by_name
    }

    /// Indices of the targets that mean this delivery.
    pub fn meant_by(&self, delivery: &Delivery) -> Vec<usize> {
        let namespace = self.namespace.as_deref();
        let means = |(at, target): (usize, &Target)| target.means(delivery, namespace).then_some(at);
        self.targets.iter().enumerate().filter_map(means).collect()
    }

    /// Whether somebody asked for this very thing, so that "it is healthy" is an answer too.
    pub fn names_something(&self) -> bool {
        self.include_healthy || !self.targets.is_empty()
    }
}

/// `-n` means the owner's namespace; for plain Helm the release's.
fn lives_in(delivery: &Delivery, namespace: &str) -> bool {
    match &delivery.owner {
        Some(owner) => owner.namespace == namespace,
        None => delivery.release.as_ref().is_some_and(|release| release.namespace == namespace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_kubectl_reads_them() {
        for (text, kind, namespace, name) in [
            ("gitrepo/shop", "gitrepo", None, "shop"),
            ("GitRepos.fleet.cattle.io/shop", "gitrepo", None, "shop"),
            ("hr/shop", "helmrelease", None, "shop"),
            ("release/shop/web", "release", Some("shop"), "web"),
        ] {
            let target: Target = text.parse().unwrap();
            assert_eq!(
                (target.kind.as_str(), target.namespace.as_deref(), target.name.as_str()),
                (kind, namespace, name)
            );
        }
        let list = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            Target::list(&words).map(|targets| targets.iter().map(|it| it.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(list(&["release", "shop/web"]).unwrap(), ["web"]);
        assert_eq!(list(&["gitrepo", "shop", "cart"]).unwrap(), ["shop", "cart"]);
        assert_eq!(list(&["gitrepo/shop", "cluster/c-prod"]).unwrap(), ["shop", "c-prod"]);
        assert!(list(&["gitrepo"]).is_err() && list(&["shop"]).is_err());
        for text in ["shop", "pod/x", "gitrepo/", "release/a/b/c", ""] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
