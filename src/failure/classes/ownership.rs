//! The object exists and belongs to another release or to nobody. Helm `pkg/action/validate.go`.

use regex::Captures;
use serde_json::Value;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong("exists and cannot be imported", "exists and cannot be imported into the current release")
        .reading(owners),
    strong("existing resource conflict", "existing resource conflict: (?:namespace|kind): "),
    strong("with the name", r#"no [A-Z][A-Za-z0-9]* with the name "[^"]+" found"#),
    strong("invalid ownership metadata", "invalid ownership metadata").reading(owners),
    strong("ation validation error: ", "(?:annotation|label) validation error: (?:missing )?key ")
        .reading(owners),
    weak(
        "that already exists. Unable to continue",
        "rendered manifests contain a (?:new )?resource that already exists",
    )
    .likely(),
    weak("nable to continue with", "[Uu]nable to continue with (?:install|update): ").likely(),
];

/// Whose it is and whose it should be, as `namespace/name`; a half that the text does not give stays empty.
fn owners(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    let after = |key: &str, word: &str| {
        let from = error.find(key)? + key.len();
        let rest = error.get(from..)?;
        // Each key has its own sentence, up to the next one.
        let rest = rest.split("; ").next().unwrap_or(rest);
        let said = rest.get(rest.find(word)? + word.len()..)?.strip_prefix('"')?;
        Some(said.split('"').next().unwrap_or(said).to_owned())
    };
    const NAME: &str = "\"meta.helm.sh/release-name\"";
    const NAMESPACE: &str = "\"meta.helm.sh/release-namespace\"";
    let side = |words: &[&str]| {
        let said = |key: &str| words.iter().find_map(|word| after(key, word)).unwrap_or_default();
        format!("{}/{}", said(NAMESPACE), said(NAME))
    };
    for (entity, words) in [
        ("owner_wanted", &["must equal ", "must be set to "][..]),
        ("owner_current", &["current value is "][..]),
    ] {
        let owner = side(words);
        if owner != "/" {
            entities.put(entity, &owner);
        }
    }
    for label in ["\"app.kubernetes.io/managed-by\"", NAME, NAMESPACE] {
        if error.contains(label) {
            entities.add("keys", Value::from(label.trim_matches('"')));
        }
    }
}
