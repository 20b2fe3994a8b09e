//! One release as Helm stored it, without the chart's templates and files.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::Status;

/// A decoded release. `config`, `manifest`, `hooks` and `info.notes` carry secrets, descriptions may:
/// print nothing of them but through `redact` or [`super::mask`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Release {
    /// The release's name.
    pub name: String,
    /// The namespace it was installed into. The record itself may lie elsewhere (Flux'
    /// `storageNamespace`).
    pub namespace: String,
    /// The revision's number.
    pub version: u32,
    /// When, what state, why.
    pub info: Info,
    /// `chart.metadata`.
    pub chart: ChartMetadata,
    /// The values that a user or deployer gave (`config`); `None` without any.
    pub config: Option<Value>,
    /// The rendered objects, YAML documents.
    pub manifest: String,
    /// The chart's hooks with the result of their last run.
    pub hooks: Vec<Hook>,
    /// `ssa` or `csa`; `None` means that Helm 3 wrote it.
    pub apply_method: Option<String>,
}

impl Release {
    /// `NAME VERSION` of the chart.
    pub fn chart_title(&self) -> String {
        self.chart.title()
    }

    /// Hooks whose last run did not end well: `Failed`, or `Running` in a record that is finished or
    /// stuck (a failed rollback or delete hook is left so, field-guide 4).
    pub fn unfinished_hooks(&self) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().filter(|hook| matches!(hook.last_run.phase.as_str(), "Failed" | "Running"))
    }
}

/// `info` of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Info {
    /// Install of revision 1.
    pub first_deployed: Option<Timestamp>,
    /// Start of this try.
    pub last_deployed: Option<Timestamp>,
    /// Set by an uninstall that keeps history.
    pub deleted: Option<Timestamp>,
    /// What happened, in Helm's words. Several lines under several conflicts.
    pub description: String,
    /// The state.
    pub status: Status,
    /// The revision that a rollback went to (Helm 4; Helm 3 says it in the description alone).
    pub rollback_revision: Option<u32>,
    /// Rendered NOTES.txt. Holds what the chart's author put there, secrets included.
    pub notes: String,
}

impl Info {
    /// The revision that this one rolled back to: `rollback_revision`, else read from `Rollback to N`.
    pub fn rolled_back_to(&self) -> Option<u32> {
        self.rollback_revision.or_else(|| rollback_target(&self.description))
    }
}

/// N of Helm's own description `Rollback to N` (Helm 3 and 4, `pkg/action/rollback.go`).
pub(super) fn rollback_target(description: &str) -> Option<u32> {
    description.trim().strip_prefix("Rollback to ")?.parse().ok()
}

/// `chart.metadata` of a release, as far as it helps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartMetadata {
    /// Chart name.
    pub name: String,
    /// Chart version.
    pub version: String,
    /// Version of what the chart installs; often empty.
    pub app_version: String,
    /// Fleet writes its ids here: `fleet.cattle.io/bundle-id`, `…/commit`, `…/agent-namespace`.
    pub annotations: BTreeMap<String, String>,
}

impl ChartMetadata {
    /// `NAME VERSION`.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim().to_owned()
    }

    /// BundleDeployment that this release belongs to (`fleet.cattle.io/bundle-id`, written by Fleet's agent).
    pub fn fleet_bundle_id(&self) -> Option<&str> {
        self.annotations.get("fleet.cattle.io/bundle-id").map(String::as_str)
    }
}

/// One hook of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hook {
    /// The object's name.
    pub name: String,
    /// The object's kind, mostly Job.
    pub kind: String,
    /// Template file, `shop/templates/migrate.yaml`.
    pub path: String,
    /// The rendered object.
    pub manifest: String,
    /// `pre-upgrade`, `post-install`, …
    pub events: Vec<String>,
    /// Smaller runs first.
    pub weight: i64,
    /// `before-hook-creation`, `hook-succeeded`, `hook-failed`.
    pub delete_policies: Vec<String>,
    /// The last run; all empty if there was none.
    pub last_run: HookRun,
}

/// When a hook ran last and how it went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HookRun {
    /// `None` if it never ran; Helm 3 writes an empty text.
    pub started_at: Option<Timestamp>,
    /// `None` while it runs, and for ever if Helm died.
    pub completed_at: Option<Timestamp>,
    /// `Unknown`, `Running`, `Succeeded`, `Failed`; empty if it never ran.
    pub phase: String,
}

/// A time as Helm wrote it. Empty texts and Go's zero time mean "never".
pub(super) fn time(text: &str) -> Option<Timestamp> {
    let time: Timestamp = text.parse().ok()?;
    (time.as_second() > GO_ZERO_TIME).then_some(time)
}

/// 0001-01-01T00:00:00Z.
const GO_ZERO_TIME: i64 = -62_135_596_800;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollback_is_read_from_helm3_descriptions() {
        for (description, want) in [
            ("Rollback to 19", Some(19)),
            ("Rollback to 19 please", None),
            ("Rollback \"x\" failed: y", None),
            ("Upgrade complete", None),
            ("Rollback to 99999999999", None),
        ] {
            let info = Info { description: description.into(), ..Info::default() };
            assert_eq!(info.rolled_back_to(), want, "{description}");
        }
        let info = Info { rollback_revision: Some(1), description: "my own words".into(), ..Info::default() };
        assert_eq!(info.rolled_back_to(), Some(1));
    }

    #[test]
    fn absent_times_are_none() {
        for text in ["", "0001-01-01T00:00:00Z", "yesterday"] {
            assert_eq!(time(text), None, "{text}");
        }
        assert_eq!(
            time("2026-12-01T02:11:32.60686899+01:00").map(|t| t.to_string()).as_deref(),
            Some("2026-12-01T01:11:32.60686899Z")
        );
    }
}
