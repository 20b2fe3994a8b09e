//! Another bundle must be ready first: which one, and how it stands on this cluster.

use super::Seen;
use crate::deployer::fleet::State;
use crate::deployer::fleet::records::{BundleDeployment, Dependency};
use crate::deployer::{Sign, evidence};
use crate::failure::Class;
use crate::record::condition;
use crate::report::{Confidence, Evidence, Risk, WayOut};

pub fn sign(seen: Seen<'_>) -> Option<Sign> {
    let state = State::of(seen.deployment);
    let says_so = condition(&seen.deployment.status.conditions, "Deployed")
        .is_some_and(|it| it.status == "False" && it.message.contains("bundle"));
    if seen.deployment.spec.depends_on.is_empty() || !(state == State::WaitApplied || says_so) {
        return None;
    }
    let (mut waits_for, mut says) = (Vec::new(), Vec::new());
    for dependency in &seen.deployment.spec.depends_on {
        let candidates = candidates(seen, dependency);
        if candidates.is_empty() {
            waits_for.push(format!("{}, which names no bundle on this cluster", words(dependency)));
            says.push(named(seen, format!("dependsOn {} matches nothing", words(dependency))));
        }
        for other in candidates {
            let other_state = State::of(other);
            let name = other.metadata.label("fleet.cattle.io/bundle-name");
            if other_state != State::Ready {
                waits_for.push(format!("bundle {name}, which is {other_state} on this cluster"));
            }
            says.push(evidence(
                format!("BundleDeployment {}/{}", other.metadata.namespace, other.metadata.name),
                format!("bundle {name} is {other_state}"),
            ));
        }
    }
    let first = waits_for.first()?;
    Some(Sign {
        class: Class("dependency"),
        confidence: Confidence::Certain,
        outranks_texts: false,
        summary: format!("waits for {first}"),
        evidence: says,
        ways_out: vec![WayOut {
            title: format!("see to {}", waits_for.join("; ")),
            risk: Risk::Safe,
            who: "owner of that bundle".into(),
            commands: Vec::new(),
            then: "once it is Ready, Fleet tries this one by itself; a name that matches nothing must be corrected in \
                   fleet.yaml (dependsOn)"
                .into(),
        }],
        gaps: Vec::new(),
    })
}

/// The BundleDeployments on the same cluster that a dependency means.
fn candidates<'a>(seen: Seen<'a>, dependency: &Dependency) -> Vec<&'a BundleDeployment> {
    let own = &seen.deployment.metadata;
    seen.workspace
        .deployments
        .iter()
        .filter(|it| it.metadata.namespace == own.namespace && it.metadata.name != own.name)
        .filter(|it| {
            let by_name = it.metadata.label("fleet.cattle.io/bundle-name") == dependency.name;
            let by_label = dependency.selector.as_ref().is_some_and(|it_| it_.matches(&it.metadata.labels));
            (!dependency.name.is_empty() && by_name) || by_label
        })
        .collect()
}

fn words(dependency: &Dependency) -> String {
    match dependency.name.as_str() {
        "" => "a label selector".into(),
        name => format!("bundle {name}"),
    }
}

fn named(seen: Seen<'_>, says: String) -> Evidence {
    let metadata = &seen.deployment.metadata;
    evidence(format!("BundleDeployment {}/{}", metadata.namespace, metadata.name), says)
}
