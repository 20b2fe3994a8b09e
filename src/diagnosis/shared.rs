//! Two releases on the same objects, without an error.

use crate::deployer::evidence;
use crate::evidence::Case;
use crate::failure::Class;
use crate::report::{Confidence, Finding, Risk, WayOut};

use super::finding;

/// The finding of a case whose objects another release sets too.
pub fn finding(case: &Case) -> Option<Finding> {
    let rival = case.rivals.first()?;
    let (release, count) = (&rival.release, rival.objects.len());
    let objects = if count == 1 { "one object".to_owned() } else { format!("{count} objects") };
    let summary = format!("release {}/{} sets {objects} of this one too", release.namespace, release.name);
    let mut finding = finding::base(case, Class("ownership.shared"), summary);
    finding.release = case.history.as_ref().and_then(|it| it.newest()).map(|it| finding::release(case, it));
    finding.confidence = Confidence::Certain;
    finding.evidence = rival
        .objects
        .iter()
        .map(|object| {
            evidence(
                format!("manifest of release {}/{}", release.namespace, release.name),
                format!("it holds {object}"),
            )
        })
        .collect();
    finding.ways_out = vec![WayOut {
        title: "take the objects out of one of the two".into(),
        risk: Risk::Destructive,
        who: "owners of both".into(),
        commands: Vec::new(),
        then: format!(
            "do not run `helm uninstall {}`: it would delete the objects under the other release; annotate them with \
             helm.sh/resource-policy=keep, or delete only that release's Secrets",
            release.name
        ),
    }];
    Some(finding)
}
