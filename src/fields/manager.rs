//! Who a field manager is: what a name in managedFields means and what to do about it.

use std::sync::LazyLock;

use serde::Serialize;

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| rows(include_str!("managers.txt")));

/// What kind of writer stands behind a manager's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ManagerKind {
    /// A command that people type.
    Person,
    /// A person in a dashboard.
    Browser,
    /// A client library or pipeline whose name says nothing about who ran it.
    Script,
    /// A controller or operator that writes by itself.
    Controller,
    /// Another tool that deploys.
    Deployer,
    /// The cluster or its provider.
    Platform,
    /// The deployer in question itself, under its own name.
    Itself,
    /// A name that the API server made up.
    Synthetic,
    /// No rule knows it.
    Unknown,
}

/// The words that tables and pages use for the kinds.
const KINDS: [(&str, ManagerKind); 9] = [
    ("person", ManagerKind::Person),
    ("browser", ManagerKind::Browser),
    ("script", ManagerKind::Script),
    ("controller", ManagerKind::Controller),
    ("deployer", ManagerKind::Deployer),
    ("platform", ManagerKind::Platform),
    ("itself", ManagerKind::Itself),
    ("synthetic", ManagerKind::Synthetic),
    ("unknown", ManagerKind::Unknown),
];

impl ManagerKind {
    /// `person`, `browser`, …
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("unknown", |(word, _)| word)
    }

    fn of_word(word: &str) -> Option<Self> {
        KINDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
    }
}

/// What is known of a field manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manager {
    /// The kind of writer.
    pub kind: ManagerKind,
    /// Who that is, in words that follow "set by".
    pub who: &'static str,
    /// What to do about it, one clause.
    pub hint: &'static str,
    /// Whether it will write the field again by itself: dropping its ownership then does not last.
    pub writes_again: bool,
}

impl Manager {
    /// What failure-guide's table knows of this name. Names are open: an unknown one is
    /// [`ManagerKind::Unknown`], not an error. Older versions write `kubectl-scale` where newer ones write
    /// `kubectl` with subresource `scale`.
    pub fn of(name: &str, subresource: &str) -> Self {
        TABLE.iter().find(|row| row.matches(name, subresource)).map_or(Self::UNKNOWN, |row| row.manager)
    }

    /// The same, seen by the deployer that writes as `own`.
    pub fn seen_by(own: &str, name: &str, subresource: &str) -> Self {
        if name == own { Self::ITSELF } else { Self::of(name, subresource) }
    }

    const UNKNOWN: Self = Self {
        kind: ManagerKind::Unknown,
        who: "a program that is not known here",
        hint: "find out who runs it before changing anything: the time and an audit log tell",
        writes_again: false,
    };

    const ITSELF: Self = Self {
        kind: ManagerKind::Itself,
        who: "the deployer itself",
        hint: "an older entry of the same tool: it turns into Apply by itself, or force once",
        writes_again: false,
    };
}

struct Row {
    pattern: &'static str,
    subresource: &'static str,
    manager: Manager,
}

impl Row {
    fn matches(&self, name: &str, subresource: &str) -> bool {
        (self.subresource == "*" || self.subresource == subresource) && glob(self.pattern, name)
    }
}

fn rows(table: &'static str) -> Vec<Row> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

fn row(line: &'static str) -> Option<Row> {
    let mut columns = line.split('|').map(str::trim);
    let (pattern, subresource) = (columns.next()?, columns.next()?);
    let kind = ManagerKind::of_word(columns.next()?)?;
    let writes_again = columns.next()? == "yes";
    let (who, hint) = (columns.next()?, columns.next()?);
    Some(Row { pattern, subresource, manager: Manager { kind, who, hint, writes_again } })
}

/// `*` stands for any run of characters; at most two stand in a pattern.
fn glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => match (name.strip_prefix(start), end.split_once('*')) {
            (None, _) => false,
            (Some(rest), None) => rest.ends_with(end),
            (Some(rest), Some((middle, end))) => rest
                .match_indices(middle)
                .any(|(at, _)| rest.get(at + middle.len()..).is_some_and(|rest| rest.ends_with(end))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::ManagerKind::*;
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("managers.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(TABLE.len(), lines);
        assert!(TABLE.iter().all(|row| !row.manager.who.is_empty() && !row.manager.hint.is_empty()));
    }

    #[test]
    fn names_are_known_by_what_they_are() {
        for (name, subresource, kind, writes_again) in [
            ("Mozilla", "scale", Browser, false),
            ("kubectl", "scale", Person, false),
            ("kubectl-scale", "", Person, false),
            ("kubectl-edit", "", Person, false),
            ("kubectl-client-side-apply", "", Script, false),
            ("kube-controller-manager", "scale", Controller, true),
            ("widget-operator", "", Controller, true),
            ("nginx-ingress-controller", "", Controller, true),
            ("prometheus-operator-admission", "", Controller, true),
            ("argocd-controller", "", Deployer, true),
            ("terraform", "", Deployer, true),
            ("terraform-provider-helm", "", Deployer, true),
            ("pulumi-kubernetes-abc123", "", Deployer, true),
            ("helm-controller", "", Deployer, true),
            ("helm", "", Deployer, false),
            ("admissionsenforcer", "", Platform, true),
            ("before-first-apply", "", Synthetic, false),
            ("k9s", "", Person, false),
            ("node-fetch", "", Browser, false),
            ("zarf", "", Unknown, false),
            ("", "", Unknown, false),
        ] {
            let manager = Manager::of(name, subresource);
            assert_eq!((manager.kind, manager.writes_again), (kind, writes_again), "{name}");
        }
        assert_eq!(Manager::seen_by("helm", "helm", "").kind, Itself);
        assert_eq!(Manager::seen_by("fleetagent", "helm", "").kind, Deployer);
    }
}
