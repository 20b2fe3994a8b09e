//! Texts that programs wrote about objects: conditions, events, descriptions. Any word of them may be a
//! value, so only words that can be told to be none are kept where a text leaves the house.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::mask::{Masker, Removed, is_marker};

/// Names that may be said: of objects, namespaces, labels, images, managers, revisions.
#[derive(Debug, Default)]
pub struct Names(HashSet<Box<str>>);

/// Keys whose texts are names.
const NAMING: [&str; 23] = [
    "name",
    "namespace",
    "kind",
    "apiVersion",
    "uid",
    "image",
    "manager",
    "reason",
    "type",
    "key",
    "commit",
    "revision",
    "version",
    "host",
    "nodeName",
    "chart",
    "resourceVersion",
    "url",
    "repo",
    "repoURL",
    "deploymentID",
    "appliedDeploymentID",
    "stagedDeploymentID",
];

impl Names {
    /// Learns the names of an object.
    pub fn learn(&mut self, object: &Value) {
        match object {
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(text) if is_naming(key) && !text.contains(char::is_whitespace) => {
                            self.add(text);
                        }
                        Value::Object(labels) if matches!(key.as_str(), "labels" | "matchLabels") => {
                            labels.values().filter_map(Value::as_str).for_each(|label| self.add(label));
                        }
                        _ => self.learn(value),
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, name: &str) {
        if name.len() >= SHORTEST && !is_marker(name) && !self.0.contains(name) {
            self.0.insert(name.into());
        }
        for part in name.split(['/', ':', '@']).filter(|part| part.len() >= SHORTEST) {
            if !self.0.contains(part) {
                self.0.insert(part.into());
            }
        }
    }

    /// Whether the word is a name, or a name with what controllers append to it (`web-7776cc9446`).
    fn knows(&self, word: &str) -> bool {
        self.0.contains(word)
            || word.match_indices('-').any(|(at, _)| at >= 3 && self.0.contains(&word[..at]))
            || word.match_indices('.').any(|(at, _)| self.0.contains(&word[..at]))
    }
}

fn is_naming(key: &str) -> bool {
    NAMING.contains(&key) || ["Name", "Namespace", "Revision", "Version"].iter().any(|end| key.ends_with(end))
}

/// Words shorter than this hold no secret worth the name.
const SHORTEST: usize = 6;

/// Values that were taken out elsewhere, plain, in base64 and in base64 twice.
#[derive(Debug, Default)]
pub struct Known(Vec<Box<str>>, HashSet<Box<str>>);

impl Known {
    /// Everything that the masker took out, but what is a name as well.
    pub fn of(masker: &Masker, names: &Names) -> Self {
        let mut known = Self::default();
        for value in masker.values().map(str::trim) {
            let is_telling = value.len() >= SHORTEST && value.len() <= 512 && !names.knows(value);
            if is_telling && !is_common(value) {
                let once = STANDARD.encode(value);
                let twice = STANDARD.encode(&once);
                // `=` ends a word, so that padding is never part of one.
                let bare = |encoded: &str| encoded.trim_end_matches('=').to_owned();
                for form in [value.to_owned(), bare(&once), bare(&twice), once, twice] {
                    known.0.push(form.as_str().into());
                    known.1.insert(form.into());
                }
            }
        }
        // The longest first, so that no part of a value stays behind.
        known.0.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known
    }

    fn is_one(&self, word: &str) -> bool {
        self.1.contains(word)
    }
}

/// One lower-case word is as likely to be said by chance.
fn is_common(value: &str) -> bool {
    value.len() < 12 && value.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The text with every word masked that is a known value, or that no rule tells to be harmless.
pub fn redact(text: &str, names: &Names, known: &Known, masker: &mut Masker) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.find(|c: char| !is_separator(c)).unwrap_or(rest.len());
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        let bare = word.trim_end_matches(['.', ':']);
        if bare.is_empty() || (is_harmless(bare, names) && !known.is_one(bare)) {
            out.push_str(word);
        } else {
            // Inside a text a marker has no angle brackets: they would end a quotation in Markdown.
            out.push_str(&masker.mask(Removed::Words, bare));
            out.push_str(&word[bare.len()..]);
        }
    }
    out
}

/// A single word, as a field holds it: only a known value is masked.
pub fn redact_word(word: &str, names: &Names, known: &Known, masker: &mut Masker) -> Option<String> {
    if known.is_one(word) && !names.knows(word) {
        return Some(masker.mask(Removed::Words, word));
    }
    None
}

/// A key of a map with known values inside of it masked.
pub fn redact_key(key: &str, known: &Known, masker: &mut Masker) -> Option<String> {
    if key.len() < SHORTEST {
        return None;
    }
    let words = || key.split(|c: char| is_separator(c) || c == ':').filter(|word| known.is_one(word));
    if known.is_one(key) {
        return Some(masker.mask(Removed::Words, key));
    }
    let mut out = None;
    for word in words() {
        let marker = masker.mask(Removed::Words, word);
        out = Some(out.unwrap_or_else(|| key.to_owned()).replace(word, &marker));
    }
    out
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "\"'`=,;()[]{}<>|\\".contains(c)
}

fn is_harmless(word: &str, names: &Names) -> bool {
    if word.len() < SHORTEST || names.knows(word) || is_time(word) || is_marker(&format!("<{word}>")) {
        return true;
    }
    let parts = || word.split(['/', ':', '@']);
    let is_spelled = |part: &str| {
        part.len() < SHORTEST || names.knows(part) || part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    if looks_encoded(word) && !parts().all(is_spelled) {
        return false;
    }
    parts().all(|part| part.len() < SHORTEST || names.knows(part) || is_pieced_together(part))
}

/// Made of pieces each of which is a word, a number, or too short to hold anything: `no-latest-h3`.
fn is_pieced_together(part: &str) -> bool {
    part.split(['.', '-', '_', '#', '?', '&', '+', '~', '*', '%', '$', '!', '^'])
        .all(|piece| piece.len() <= 3 || is_wording(piece))
}

/// Words of prose, of field paths and of versions: letters only, or digits only, or a few of both as in
/// `v1beta1` and `5m30s`.
fn is_wording(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    digits == 0 || (letters == 0 && digits <= 10) || is_version(part) || is_duration(part)
}

/// `v1beta1`, `v2alpha1`.
fn is_version(part: &str) -> bool {
    let Some(rest) = part.strip_prefix('v') else { return false };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix("alpha")
        .or_else(|| rest.strip_prefix("beta"))
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `1h2m3.5s`, `10m0s`.
fn is_duration(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
        && part.bytes().all(|byte| byte.is_ascii_digit() || b"hmsnu-".contains(&byte))
}

/// `2026-12-01T00:45:24Z`.
fn is_time(word: &str) -> bool {
    word.parse::<jiff::Timestamp>().is_ok()
}

/// Long runs of upper case, lower case and digits: base64, tokens.
fn looks_encoded(word: &str) -> bool {
    let has = |test: fn(&u8) -> bool| word.bytes().any(|byte| test(&byte));
    word.len() >= 16
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(text: &str) -> String {
        let mut names = Names::default();
        names.learn(
            &json!({"metadata": {"name": "shop-podinfo", "namespace": "shop", "labels": {"a": "team-4711"}},
            "image": "ghcr.io/stefanprodan/podinfo:6.15.0"}),
        );
        let mut masker = Masker::default();
        masker.mask(Removed::SecretValues, "correct horse");
        masker.mask(Removed::SecretValues, "battery-staple");
        let known = Known::of(&masker, &names);
        redact(text, &names, &known, &mut masker)
    }

    #[test]
    fn what_failures_are_told_by_stays() {
        for text in [
            "Upgrade \"shop\" failed: conflict occurred while applying object shop/shop-podinfo apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with \"Mozilla\" with subresource \"scale\" using apps/v1: .spec.replicas",
            "Scaled up replica set shop-podinfo-7776cc9446 from 2 to 4",
            "Modified(1) [Cluster fleet-default/c-kqgtk]; deployment.apps shop/shop-podinfo modified {\"spec\":{\"replicas\":2}}",
            "Get \"https://10.43.0.1:443/api/v1/namespaces\": dial tcp 10.43.0.1:443: i/o timeout after 1m30s at 2026-12-01T00:45:24Z",
            "no matches for kind \"Widget\" in version \"ssa.example.com/v1beta1\"",
            "failed to pull image \"ghcr.io/stefanprodan/podinfo:6.15.0\": not found",
            "ValidatingAdmissionPolicy 'no-latest-h3' denied; regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'",
            "resource Deployment/shop/crash-web not ready. status: InProgress, message: Available: 0/1",
            "stalled resources: [Job/shop-hook2/shop-migrate status: 'Failed']",
            "admission webhook \"validate.kyverno.svc-fail\" denied the request: team-4711",
        ] {
            assert_eq!(said(text), text);
        }
    }

    #[test]
    fn values_go() {
        for (text, want) in [
            ("password pl4nted-value-17 is too weak", "password <redacted-3> is too weak"),
            ("value: battery-staple, value: battery-staple.", "value: <redacted-2>, value: <redacted-2>."),
            ("bad token aGVsbG8gd29ybGQx/Zm9vYmFy9", "bad token <redacted-3>"),
            ("https://x.invalid/?key=q1w2e3r4t5", "https://x.invalid/?key=<redacted-3>"),
            ("YmF0dGVyeS1zdGFwbGU=", "<redacted-3>="),
        ] {
            assert_eq!(said(text), want);
        }
    }
}
