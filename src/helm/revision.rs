//! One stored revision: what its Secret's or ConfigMap's metadata tells, and the decoded payload.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{DecodeError, Release, Status};

/// Where Helm keeps its records (`HELM_DRIVER`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Driver {
    /// Secrets of type `helm.sh/release.v1`; the default.
    Secret,
    /// ConfigMaps with label `owner=helm`.
    ConfigMap,
}

impl Driver {
    /// The kind of object that holds a record.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Secret => "Secret",
            Self::ConfigMap => "ConfigMap",
        }
    }
}

/// What the metadata of a release record tells without its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionMeta {
    /// Secret or ConfigMap.
    pub driver: Driver,
    /// The namespace of the record; the release's own one may be another under Flux.
    pub namespace: String,
    /// `sh.helm.release.v1.NAME.vN`.
    pub object_name: String,
    /// The release's name (label `name`, else from the object's name).
    pub release: String,
    /// The revision's number (label `version`, else from the object's name).
    pub revision: u32,
    /// Label `status`.
    pub status: Status,
    /// `metadata.creationTimestamp`: start of the try, within 2 s of `info.last_deployed` (field-guide 4).
    pub created: Option<Timestamp>,
    /// Newest time in managedFields: the last write, by whomever.
    pub last_write: Option<Timestamp>,
    /// Manager of the last write: `Helm`, `helm-controller`, or the person who changed it by hand.
    pub last_writer: Option<String>,
    /// All labels. `createdAt`, `modifiedAt` are here too: `modifiedAt` is not the time of an upgrade.
    pub labels: BTreeMap<String, String>,
    /// All annotations.
    pub annotations: BTreeMap<String, String>,
}

impl RevisionMeta {
    /// From a Secret, a ConfigMap or a `PartialObjectMetadata` of one (then the driver must be told, as
    /// its `kind` does not). `None` where the metadata is no Helm record's: neither the label `owner=helm`
    /// nor Helm's object name, or no revision number.
    pub fn from_object(object: &Value, driver: Driver) -> Option<Self> {
        let metadata = ObjectMetadata::deserialize(object.get("metadata")?).ok()?;
        Self::from_metadata(metadata, driver)
    }

    /// The same from typed metadata.
    pub fn from_metadata(metadata: ObjectMetadata, driver: Driver) -> Option<Self> {
        let labels = metadata.labels.unwrap_or_default();
        let named = parse_object_name(&metadata.name);
        if labels.get("owner").map(String::as_str) != Some("helm") && named.is_none() {
            return None;
        }
        let label = |key: &str| labels.get(key).map(String::as_str).filter(|value| !value.is_empty());
        let release = label("name").or(named.map(|(name, _)| name))?.to_owned();
        let revision = label("version")
            .and_then(|version| version.parse().ok())
            .or(named.map(|(_, revision)| revision))?;
        let status = label("status").unwrap_or_default().into();
        let writes = metadata.managed_fields.unwrap_or_default();
        let last = writes.into_iter().filter(|write| write.time.is_some()).max_by_key(|write| write.time);
        Some(Self {
            driver,
            namespace: metadata.namespace.unwrap_or_default(),
            object_name: metadata.name,
            release,
            revision,
            status,
            created: metadata.creation_timestamp,
            last_write: last.as_ref().and_then(|write| write.time),
            last_writer: last.and_then(|write| write.manager),
            labels,
            annotations: metadata.annotations.unwrap_or_default(),
        })
    }

    /// `NAMESPACE/NAME` of the release, as the storage has it.
    pub fn key(&self) -> (&str, &str) {
        (&self.namespace, &self.release)
    }

    /// k3s: hash of the HelmChart that this revision was made from (label
    /// `helmcharts.helm.cattle.io/configHash`, 63 characters; neighbours-guide 3).
    pub fn k3s_config_hash(&self) -> Option<&str> {
        self.labels.get("helmcharts.helm.cattle.io/configHash").map(String::as_str)
    }

    /// Whether the last write came from something that is no Helm (`helm-controller`, `Helm`).
    pub fn was_changed_by_hand(&self) -> bool {
        self.last_writer.as_deref().is_some_and(|writer| !matches!(writer, "Helm" | "helm-controller"))
    }

    /// Where it is stored, for evidence: `Secret shop/sh.helm.release.v1.shop.v14`.
    pub fn source(&self) -> String {
        format!("{} {}/{}", self.driver.kind(), self.namespace, self.object_name)
    }
}

/// `metadata` of a record, as far as it is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMetadata {
    /// The object's name.
    #[serde(default)]
    pub name: String,
    /// The object's namespace.
    #[serde(default)]
    pub namespace: Option<String>,
    /// When it was created.
    #[serde(default)]
    pub creation_timestamp: Option<Timestamp>,
    /// Labels.
    #[serde(default)]
    pub labels: Option<BTreeMap<String, String>>,
    /// Annotations.
    #[serde(default)]
    pub annotations: Option<BTreeMap<String, String>>,
    /// Who wrote, when.
    #[serde(default)]
    pub managed_fields: Option<Vec<ManagedWrite>>,
}

/// One managedFields entry, without its fields.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ManagedWrite {
    /// Field manager.
    #[serde(default)]
    pub manager: Option<String>,
    /// When.
    #[serde(default)]
    pub time: Option<Timestamp>,
}

/// Release and revision of `sh.helm.release.v1.NAME.vN` (Helm 3 and 4: `makeKey`).
fn parse_object_name(name: &str) -> Option<(&str, u32)> {
    let (release, revision) = name.strip_prefix("sh.helm.release.v1.")?.rsplit_once(".v")?;
    (!release.is_empty()).then_some(())?;
    Some((release, revision.parse().ok()?))
}

/// `Upgrade "x" failed: …`, `Release "x" failed: …`, `Rollback "x" failed: …`: Helm 3 and 4 write
/// `fmt.Sprintf("Upgrade %q failed: %s", …)` and its like.
fn tells_failure(description: &str) -> bool {
    ["Upgrade \"", "Release \"", "Rollback \""]
        .iter()
        .any(|lead| description.strip_prefix(lead).is_some_and(|rest| rest.contains("\" failed: ")))
}

/// One stored revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Revision {
    /// What its metadata tells; right even if the payload is damaged.
    pub meta: RevisionMeta,
    /// The payload. `None`: not fetched, or not in this dump.
    pub payload: Option<Result<Release, DecodeError>>,
}

impl Revision {
    /// A revision of which only the metadata was read.
    pub fn without_payload(meta: RevisionMeta) -> Self {
        Self { meta, payload: None }
    }

    /// The revision's number.
    pub fn number(&self) -> u32 {
        self.meta.revision
    }

    /// The decoded release.
    pub fn release(&self) -> Option<&Release> {
        self.payload.as_ref()?.as_ref().ok()
    }

    /// Why the payload does not decode.
    pub fn damage(&self) -> Option<&DecodeError> {
        self.payload.as_ref()?.as_ref().err()
    }

    /// The label's status, else the payload's.
    pub fn status(&self) -> &Status {
        match (&self.meta.status, self.release()) {
            (Status::Unknown, Some(release)) => &release.info.status,
            (status, _) => status,
        }
    }

    /// Helm's text, from the payload or from what was saved of it.
    pub fn description(&self) -> Option<&str> {
        let info = match self.payload.as_ref()? {
            Ok(release) => &release.info,
            Err(damage) => &damage.saved.as_ref()?.info,
        };
        Some(info.description.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether Helm wrote down a failure: status `failed`, or a failure's text under any status (a failed
    /// upgrade becomes `superseded` after its rollback failed too, or after the next good upgrade;
    /// field-guide 4). Needs the payload for the second.
    pub fn has_failed(&self) -> bool {
        self.status().failed() || self.description().is_some_and(tells_failure)
    }

    /// Whether what this revision wanted was applied at its time. Without a payload the status decides.
    pub fn landed(&self) -> bool {
        matches!(self.status(), Status::Deployed | Status::Superseded) && !self.has_failed()
    }

    /// Whether this is a rollback, whatever came of it. Helm 3 tells no target of one that failed, and
    /// calls one whose wait failed `Release "x" failed: …`, as an install: but installs are first.
    pub fn is_rollback(&self) -> bool {
        let failed_as =
            |lead| self.description().is_some_and(|text| text.starts_with(lead) && tells_failure(text));
        *self.status() == Status::PendingRollback
            || self.release().is_some_and(|release| release.info.rolled_back_to().is_some())
            || failed_as("Rollback \"")
            || (self.number() > 1 && failed_as("Release \""))
    }

    /// Start of the try: creationTimestamp, else `info.last_deployed`.
    pub fn started(&self) -> Option<Timestamp> {
        self.meta.created.or_else(|| self.release()?.info.last_deployed)
    }
}
