//! Two releases on one object.

use crate::deployer::{Standing, evidence};
use crate::evidence::Case;
use crate::failure::Class;
use crate::report::{Confidence, Finding, Risk, WayOut};
use crate::shell;

use super::finding;

/// The finding of a case whose deployer is content while another release claims the same objects. Flux
/// takes over by default and without a word (helm-controller 1.6.2, `disableTakeOwnership`).
pub fn finding(case: &Case) -> Option<Finding> {
    let (object, other) = case.shared.first()?;
    if case.delivery.standing == Standing::Stuck || case.delivery.owner.is_none() {
        return None;
    }
    let summary = format!("{object} is set by this release and by the release {other} as well");
    let mut finding = finding::base(case, Class("ownership.shared"), summary);
    finding.confidence = Confidence::Certain;
    finding.release = case.history.as_ref().and_then(|it| it.newest()).map(|it| finding::release(case, it));
    finding.evidence.extend(
        case.shared.iter().map(|(object, other)| {
            evidence(format!("manifest of release {other}"), format!("sets {object}"))
        }),
    );
    let (namespace, name) = other.split_once('/').unwrap_or(("", other));
    finding.ways_out.push(WayOut {
        title: format!("retire release {other} without deleting its objects: one tool per object"),
        risk: Risk::Destructive,
        who: "owner of the chart".into(),
        commands: shell::command([
            "kubectl",
            "-n",
            namespace,
            "delete",
            "secrets",
            "-l",
            &format!("owner=helm,name={name}"),
        ])
        .into_iter()
        .collect(),
        then: format!(
            "the objects stay and the record of {other} is gone; `helm uninstall {name}` in its place would \
             delete them under the other owner"
        ),
    });
    Some(finding)
}
