//! The Secret that carries a BundleDeployment's Helm options. Its values never leave this file.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::record::null_is_default;
use crate::source::{Record, Resource, resources};

/// A Secret of type `fleet.cattle.io/bundle-deployment/v1alpha1`.
#[derive(Deserialize)]
pub struct OptionsSecret {
    #[serde(default, deserialize_with = "null_is_default")]
    data: BTreeMap<String, Option<String>>,
}

impl OptionsSecret {
    /// What `spec.valuesHash` must be: sha256 of `values`, then `stagedValues` (Fleet's
    /// `helmvalues.HashOptions`). `None` where a dump has no values.
    pub fn hash(&self) -> Option<String> {
        let mut hasher = Sha256::new();
        let mut is_empty = true;
        for key in ["values", "stagedValues"] {
            let text = self.data.get(key).and_then(Option::as_deref).unwrap_or_default();
            let bytes = STANDARD.decode(text).ok()?;
            is_empty &= bytes.is_empty();
            hasher.update(bytes);
        }
        (!is_empty).then(|| hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Record for OptionsSecret {
    const RESOURCE: Resource = resources::SECRETS;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fleets() {
        let secret: OptionsSecret =
            serde_json::from_str(r#"{"data": {"values": "YWJj", "stagedValues": ""}}"#).unwrap();
        // sha256("abc"), FIPS 180-2.
        assert_eq!(
            secret.hash().unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let redacted: OptionsSecret = serde_json::from_str(r#"{"data": {"values": null}}"#).unwrap();
        assert_eq!(redacted.hash(), None);
    }
}
