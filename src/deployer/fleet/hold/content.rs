//! The Content object, which carries the chart to the agent, is absent.

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::report::{Confidence, Risk, WayOut};
use crate::shell;

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    if State::of(seen.deployment) != State::WaitApplied {
        return None;
    }
    let contents = seen.workspace.contents.as_ref()?;
    let (content, _) = seen.deployment.spec.deployment_id.split_once(':')?;
    if contents.contains(content) {
        return None;
    }
    let metadata = &seen.deployment.metadata;
    let force = shell::command([
        "kubectl",
        "-n",
        metadata.label("fleet.cattle.io/bundle-namespace"),
        "annotate",
        "bundles.fleet.cattle.io",
        metadata.label("fleet.cattle.io/bundle-name"),
        "--overwrite",
        &format!("helm-forensics/touched={}", seen.now.as_second()),
    ]);
    Some(Sign {
        class: Class("chart.fetch"),
        confidence: if seen.workspace.is_complete { Confidence::Certain } else { Confidence::Likely },
        outranks_texts: false,
        summary: format!("the Content object {content}, which carries the chart, is absent"),
        evidence: vec![evidence(
            format!("BundleDeployment {}/{}", metadata.namespace, metadata.name),
            format!(
                "spec.deploymentID names Content {content}; other Content objects are there, that one is not"
            ),
        )],
        ways_out: vec![WayOut {
            title: "make Fleet's controller write it again by touching the Bundle".into(),
            risk: Risk::Safe,
            who: "on call".into(),
            commands: force.into_iter().collect(),
            then: "the controller makes the Content anew; the agent's next try finds it".into(),
        }],
        gaps: Vec::new(),
    })
}
