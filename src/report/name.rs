//! `-o name`: what stands in trouble, as kubectl's own `-o name` prints it, for pipes.

use std::collections::BTreeSet;

use super::{Finding, Report, Style};

pub(super) fn render(report: &Report, _: &Style) -> String {
    let mut seen = BTreeSet::new();
    report
        .findings
        .iter()
        .filter_map(name)
        .filter(|name| seen.insert(name.clone()))
        .map(|name| name + "\n")
        .collect()
}

/// `gitrepo.fleet.cattle.io/shop`; for plain Helm the Secret of the revision that tells the reason.
fn name(finding: &Finding) -> Option<String> {
    if let Some(owner) = &finding.owner {
        let kind = owner.kind.to_lowercase();
        return Some(match owner.group() {
            "" => format!("{kind}/{}", owner.name),
            group => format!("{kind}.{group}/{}", owner.name),
        });
    }
    let release = finding.release.as_ref()?;
    let revision = release.revision?;
    Some(format!("secret/sh.helm.release.v1.{}.v{revision}", release.name))
}
