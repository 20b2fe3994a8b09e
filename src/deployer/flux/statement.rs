//! Which of a HelmRelease's texts tells the reason.

use super::helm_release::HelmRelease;
use crate::deployer::Statement;
use crate::record::Condition;

/// Reasons of `Ready` False whose message is about the remediation that worked, not about the failure.
const REMEDIATED: [&str; 2] = ["RollbackSucceeded", "UninstallSucceeded"];

/// The condition types that speak, in the order in which they are trusted.
const SPEAKERS: [&str; 5] = ["Ready", "Released", "Remediated", "Stalled", "Drifted"];

/// The texts of a HelmRelease, the one with the cause first.
pub fn statements(helm_release: &HelmRelease) -> Vec<Statement> {
    let is_remediated = helm_release
        .condition("Ready")
        .is_some_and(|ready| ready.is_false() && REMEDIATED.contains(&ready.reason.as_str()));
    let mut statements: Vec<Statement> = SPEAKERS
        .into_iter()
        .filter_map(|kind| helm_release.condition(kind))
        .filter(|condition| !condition.message.is_empty())
        .map(|condition| Statement {
            text: condition.message.clone(),
            source: format!("{}, condition {}", helm_release.as_object(), condition.kind),
            is_current: tells_cause(condition, is_remediated, helm_release),
        })
        .collect();
    statements.sort_by_key(|statement| !statement.is_current);
    statements
}

/// Whether the condition's message is the present cause.
fn tells_cause(condition: &Condition, is_remediated: bool, helm_release: &HelmRelease) -> bool {
    match condition.kind.as_str() {
        "Ready" => condition.is_false() && !is_remediated,
        // What `Released` tells is the last finished action; after a remediation it is the only text with
        // the cause, in other states it repeats `Ready` or is older.
        "Released" => {
            condition.is_false()
                && (is_remediated
                    || helm_release.condition("Ready").is_some_and(|ready| ready.reason == condition.reason))
        }
        "Remediated" => condition.is_false(),
        _ => false,
    }
}
