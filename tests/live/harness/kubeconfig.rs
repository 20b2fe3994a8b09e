//! Kubeconfigs over one or more control planes.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::failure::StartFailure;

pub const ADMIN_TOKEN: &str = "admintoken";

/// How a client reaches one control plane as an administrator.
#[derive(Clone, Debug)]
pub struct Access {
    url: String,
    authority: String,
}

impl Access {
    /// The server makes its own certificate at its first start; the file holds the leaf and the authority.
    pub fn read(url: &str, certificate: &Path) -> Result<Self, StartFailure> {
        let pem = fs::read(certificate).map_err(|source| StartFailure::io(certificate, source))?;
        Ok(Self { url: url.to_owned(), authority: STANDARD.encode(pem) })
    }
}

/// One context per entry, the first one current. The certificate is inside, so that the text works from a
/// Secret too.
pub fn kubeconfig(contexts: &[(&str, &Access)]) -> Value {
    let entries = |make: &dyn Fn(&str, &Access) -> Value| -> Vec<Value> {
        contexts.iter().map(|(name, access)| make(name, access)).collect()
    };
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": contexts.first().map(|(name, _)| name),
        "clusters": entries(&|name, access| json!({
            "name": name,
            "cluster": {"server": access.url, "certificate-authority-data": access.authority},
        })),
        "users": entries(&|name, _| json!({"name": name, "user": {"token": ADMIN_TOKEN}})),
        "contexts": entries(&|name, _| json!({"name": name, "context": {"cluster": name, "user": name}})),
    })
}
