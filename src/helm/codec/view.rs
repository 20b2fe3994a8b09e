//! A release that borrows from the inflated JSON: the hot path allocates only where JSON has escapes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::helm::release::{self, ChartMetadata, Hook, HookRun, Info, Release};

/// A JSON string, borrowed where it has no escapes. `Option<Cow<str>>` and maps of `Cow` would copy
/// silently; wrapped in this they borrow.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

impl Text<'_> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A release without the chart's templates and files, as fast as it can be had. Fields as in
/// [`Release`]; `null` and absent are the same, as they are for Helm.
#[derive(Clone, Debug, Deserialize)]
pub struct ReleaseView<'a> {
    /// The release's name.
    #[serde(borrow, default)]
    pub name: Option<Text<'a>>,
    /// When, what state, why.
    #[serde(borrow, default)]
    pub info: Option<InfoView<'a>>,
    /// The chart's metadata.
    #[serde(borrow, default)]
    pub chart: Option<ChartView<'a>>,
    /// Values, not parsed.
    #[serde(borrow, default)]
    pub config: Option<&'a RawValue>,
    /// Rendered objects. Helm's newlines are escapes, so this one is always a copy.
    #[serde(borrow, default)]
    pub manifest: Option<Text<'a>>,
    /// Hooks, not parsed.
    #[serde(borrow, default)]
    pub hooks: Option<&'a RawValue>,
    /// The revision's number.
    #[serde(default)]
    pub version: Option<u32>,
    /// The namespace that it was installed into.
    #[serde(borrow, default)]
    pub namespace: Option<Text<'a>>,
    /// `ssa`, `csa`, absent in Helm 3.
    #[serde(borrow, default)]
    pub apply_method: Option<Text<'a>>,
}

/// `info`, times as text.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct InfoView<'a> {
    /// RFC 3339, may be empty.
    #[serde(borrow, default)]
    pub first_deployed: Option<Text<'a>>,
    /// RFC 3339, may be empty.
    #[serde(borrow, default)]
    pub last_deployed: Option<Text<'a>>,
    /// RFC 3339; Helm 3 writes `""`.
    #[serde(borrow, default)]
    pub deleted: Option<Text<'a>>,
    /// What happened.
    #[serde(borrow, default)]
    pub description: Option<Text<'a>>,
    /// Helm's word.
    #[serde(borrow, default)]
    pub status: Option<Text<'a>>,
    /// Helm 4 only.
    #[serde(default)]
    pub rollback_revision: Option<u32>,
    /// Rendered NOTES.txt.
    #[serde(borrow, default)]
    pub notes: Option<Text<'a>>,
}

/// `chart`, of which only the metadata is read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ChartView<'a> {
    /// Name, versions, annotations.
    #[serde(borrow, default)]
    pub metadata: Option<MetadataView<'a>>,
}

/// `chart.metadata`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetadataView<'a> {
    /// Chart name.
    #[serde(borrow, default)]
    pub name: Option<Text<'a>>,
    /// Chart version.
    #[serde(borrow, default)]
    pub version: Option<Text<'a>>,
    /// Version of what the chart installs.
    #[serde(borrow, default)]
    pub app_version: Option<Text<'a>>,
    /// Chart's and deployer's annotations.
    #[serde(borrow, default)]
    pub annotations: Option<BTreeMap<Text<'a>, Text<'a>>>,
}

impl ReleaseView<'_> {
    /// The same as an owned record; what was copied already is moved.
    ///
    /// # Errors
    /// `config` or `hooks` do not have the shape that Helm gives them.
    pub fn into_release(self) -> serde_json::Result<Release> {
        let config: Option<Value> = self.config.map(|raw| serde_json::from_str(raw.get())).transpose()?;
        let hooks: Option<Vec<HookRecord>> =
            self.hooks.map(|raw| serde_json::from_str(raw.get())).transpose()?;
        Ok(Release {
            name: text(self.name),
            namespace: text(self.namespace),
            version: self.version.unwrap_or_default(),
            info: self.info.map(InfoView::into_info).unwrap_or_default(),
            chart: self
                .chart
                .and_then(|chart| chart.metadata)
                .map(MetadataView::into_metadata)
                .unwrap_or_default(),
            config: config.filter(|config| !config.is_null()),
            manifest: text(self.manifest),
            hooks: hooks.unwrap_or_default().into_iter().map(Hook::from).collect(),
            apply_method: self.apply_method.map(|text| text.0.into_owned()),
        })
    }
}

impl InfoView<'_> {
    /// The same as an owned record; what was copied already is moved.
    pub fn into_info(self) -> Info {
        let time = |text: &Option<Text<'_>>| text.as_ref().and_then(|text| release::time(text.as_str()));
        Info {
            first_deployed: time(&self.first_deployed),
            last_deployed: time(&self.last_deployed),
            deleted: time(&self.deleted),
            description: text(self.description),
            status: self.status.as_ref().map(|word| word.as_str().into()).unwrap_or_default(),
            rollback_revision: self.rollback_revision,
            notes: text(self.notes),
        }
    }
}

impl MetadataView<'_> {
    /// The same as an owned record; what was copied already is moved.
    pub fn into_metadata(self) -> ChartMetadata {
        ChartMetadata {
            name: text(self.name),
            version: text(self.version),
            app_version: text(self.app_version),
            annotations: self
                .annotations
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.0.into_owned(), value.0.into_owned()))
                .collect(),
        }
    }
}

/// One entry of `hooks`.
#[derive(Deserialize, Default)]
#[serde(default)]
struct HookRecord {
    name: Option<String>,
    kind: Option<String>,
    path: Option<String>,
    manifest: Option<String>,
    events: Option<Vec<String>>,
    weight: Option<i64>,
    delete_policies: Option<Vec<String>>,
    last_run: Option<HookRunRecord>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct HookRunRecord {
    started_at: Option<String>,
    completed_at: Option<String>,
    phase: Option<String>,
}

impl From<HookRecord> for Hook {
    fn from(record: HookRecord) -> Self {
        let run = record.last_run.unwrap_or_default();
        let time = |text: Option<String>| text.and_then(|text| release::time(&text));
        Self {
            name: record.name.unwrap_or_default(),
            kind: record.kind.unwrap_or_default(),
            path: record.path.unwrap_or_default(),
            manifest: record.manifest.unwrap_or_default(),
            events: record.events.unwrap_or_default(),
            weight: record.weight.unwrap_or_default(),
            delete_policies: record.delete_policies.unwrap_or_default(),
            last_run: HookRun {
                started_at: time(run.started_at),
                completed_at: time(run.completed_at),
                phase: run.phase.unwrap_or_default(),
            },
        }
    }
}

fn text(text: Option<Text<'_>>) -> String {
    text.map(|text| text.0.into_owned()).unwrap_or_default()
}
