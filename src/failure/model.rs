//! What a failure text says, as data.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::report::Confidence;

/// A class of failure-guide's vocabulary: `ssa.conflict`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Class(pub &'static str);

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A lead-in around the cause. It tells who said it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrapper {
    /// The corpus' name for it: `release-description`, `hooks`, `fleet-not-ready`.
    pub name: &'static str,
    /// The text that was peeled, redacted.
    pub text: String,
}

/// One failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The innermost real cause.
    pub class: Class,
    /// `Certain` where a grammar or a format string matched whole, `Possible` where several classes fit.
    pub confidence: Confidence,
    /// Other classes in the same text: of further objects, of a rollback that failed too, of a state that stands beside.
    pub also: Vec<Class>,
    /// From the outermost inwards.
    pub wrappers: Vec<Wrapper>,
    /// Server-side apply conflicts, in text order.
    pub conflicts: Vec<Conflict>,
    /// Objects that the text names, in text order.
    pub objects: Vec<NamedObject>,
    /// Everything else that it names, by the guide's keys: `webhook`, `policy`, `quota`, `hook`, `verb`, `resource`, `user`, `timeout`, `field`, …
    pub entities: BTreeMap<&'static str, Value>,
    /// The text ends before its end.
    pub truncated: bool,
    /// The cause without its wrappers, redacted: this may be printed.
    pub text: String,
}

impl Failure {
    /// A text that no rule fits; it must be redacted.
    pub fn unknown(text: String) -> Self {
        Self {
            class: Class("unknown"),
            confidence: Confidence::Possible,
            also: Vec::new(),
            wrappers: Vec::new(),
            conflicts: Vec::new(),
            objects: Vec::new(),
            entities: BTreeMap::new(),
            truncated: false,
            text,
        }
    }
}

/// An object as a text names it; what the text does not say is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedObject {
    /// `apps/v1`, where printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_version: Option<String>,
    /// As printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `Some("")` is cluster-scoped, `None` is not in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// As printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How a field manager wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Operation {
    /// Server-side apply.
    Apply,
    /// Anything else: create, update, patch.
    Update,
}

/// One field that somebody else holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Index into [`Failure::objects`], where the text names the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_index: Option<usize>,
    /// The other manager, Go-unquoted. Treat as hostile.
    pub manager: String,
    /// `Update` if `using` is there.
    pub operation: Operation,
    /// `scale`, or `""`.
    pub subresource: String,
    /// apiVersion after `using`, or `""`.
    pub api_version: String,
    /// RFC 3339 after `at`, where printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// As the API server printed it. Not split: field names are not escaped.
    pub field: String,
}
