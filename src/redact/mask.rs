//! Markers in place of values: equal values get equal markers, and nothing else is left of them.

use std::collections::{BTreeMap, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What a removed value was, as the list of a capture calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Removed {
    /// `data` and `stringData` of Secrets.
    SecretValues,
    /// `data` and `binaryData` of ConfigMaps.
    ConfigMapValues,
    /// Values of environment variables.
    EnvironmentValues,
    /// Arguments and commands of containers.
    Arguments,
    /// Helm values, of releases and of the deployers' objects.
    HelmValues,
    /// `info.notes` of releases.
    Notes,
    /// Annotations that say nothing about delivery, and those that repeat the whole object.
    Annotations,
    /// Digests of values, which a short value can be guessed from.
    Digests,
    /// Fields whose name says that they hold a secret, certificates, tokens, kubeconfigs.
    Credentials,
    /// Words in texts that are no known name.
    Words,
}

impl Removed {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::SecretValues => "values of Secrets",
            Self::ConfigMapValues => "values of ConfigMaps",
            Self::EnvironmentValues => "values of environment variables",
            Self::Arguments => "arguments and commands of containers",
            Self::HelmValues => "Helm values",
            Self::Notes => "release notes",
            Self::Annotations => "values of annotations",
            Self::Digests => "digests of values",
            Self::Credentials => "credentials and certificates",
            Self::Words => "words in texts that are no known name",
        }
    }
}

/// Hands out markers.
#[derive(Debug, Default)]
pub struct Masker {
    numbers: HashMap<Box<str>, usize>,
    removed: BTreeMap<Removed, usize>,
    /// Environment variables of the object at hand that stay.
    pub(super) variables: &'static [&'static str],
}

/// What every marker starts with.
const START: &str = "<redacted-";

impl Masker {
    /// The marker of a value: the same for the same value, numbered in the order of first use. What is
    /// empty or a marker already stays.
    pub fn mask(&mut self, what: Removed, value: &str) -> String {
        if value.is_empty() || is_marker(value) {
            return value.to_owned();
        }
        *self.removed.entry(what).or_default() += 1;
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(value.into()).or_insert(next);
        format!("{START}{number}>")
    }

    /// The same for a value in base64, as `data` of a Secret holds it: equal to the marker of the plain
    /// value, in base64.
    pub fn mask_base64(&mut self, what: Removed, value: &str) -> String {
        let Ok(bytes) = STANDARD.decode(value) else { return STANDARD.encode(self.mask(what, value)) };
        STANDARD.encode(self.mask(what, &String::from_utf8_lossy(&bytes)))
    }

    /// Counts something that was taken out whole.
    pub fn count(&mut self, what: Removed) {
        *self.removed.entry(what).or_default() += 1;
    }

    /// How much of what was removed.
    pub fn removed(&self) -> &BTreeMap<Removed, usize> {
        &self.removed
    }

    /// Every value that a marker stands for.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().map(AsRef::as_ref)
    }
}

/// Whether this is a marker of a capture.
pub fn is_marker(text: &str) -> bool {
    let number = text.strip_prefix(START).and_then(|rest| rest.strip_suffix('>'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text holds a mask in the place of a value: a marker of a capture, or one of a report.
pub fn holds_mask(text: &str) -> bool {
    text.contains("<redacted") || text.contains(r#"{"redacted":true}"#)
}

/// The same in base64, as it stands in `data` of a Secret.
pub fn is_marker_base64(text: &str) -> bool {
    // The beginning of every marker, as far as it fills whole groups of three bytes.
    text.starts_with("PHJlZGFjdGVk")
        && STANDARD.decode(text).is_ok_and(|bytes| is_marker(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_mask_is_seen_in_a_patch() {
        let marker = Masker::default().mask(Removed::EnvironmentValues, "a-secret");
        for value in [Value::from(marker), super::super::hidden(), super::super::text::REDACTED.into()] {
            let patch = serde_json::json!([{"op": "replace", "path": "/a", "value": {"deep": [value]}}]);
            assert!(holds_mask(&patch.to_string()), "{patch}");
        }
        assert!(!holds_mask(r#"[{"op":"replace","path":"/spec/replicas","value":2}]"#));
    }

    #[test]
    fn equal_values_have_equal_markers_in_every_form() {
        let mut masker = Masker::default();
        let first = masker.mask(Removed::EnvironmentValues, "a-secret");
        assert_eq!(first, "<redacted-1>");
        assert_eq!(masker.mask(Removed::SecretValues, "another"), "<redacted-2>");
        assert_eq!(
            masker.mask_base64(Removed::SecretValues, &STANDARD.encode("a-secret")),
            STANDARD.encode(&first)
        );
        assert!(is_marker(&first) && is_marker_base64(&STANDARD.encode(&first)) && !is_marker_base64(&first));
        assert_eq!(masker.mask(Removed::SecretValues, ""), "");
        assert_eq!(masker.mask(Removed::SecretValues, &first), first);
        assert_eq!(masker.removed()[&Removed::SecretValues], 2);
    }
}
