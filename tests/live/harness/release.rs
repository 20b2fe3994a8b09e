//! What Helm stored about a release, decoded by hand: the crate under test decodes too, and must not be its
//! own witness.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::api::Api;

/// Stands for the description of a payload that does not decode; the labels are all that such a revision has.
pub const DAMAGED: &str = "(damaged)";

#[derive(Debug)]
pub struct Revision {
    pub number: u64,
    pub status: String,
    pub description: String,
    pub payload: Value,
}

/// Oldest first.
#[track_caller]
pub fn history(api: &Api, namespace: &str, release: &str) -> Vec<Revision> {
    let path =
        format!("/api/v1/namespaces/{namespace}/secrets?labelSelector=owner%3Dhelm%2Cname%3D{release}");
    let list = api.get(&path).ok();
    let mut revisions: Vec<Revision> =
        list["items"].as_array().expect("a list of Secrets").iter().map(revision).collect();
    revisions.sort_by_key(|revision| revision.number);
    revisions
}

#[track_caller]
pub fn newest(api: &Api, namespace: &str, release: &str) -> Revision {
    history(api, namespace, release).pop().expect("at least one revision")
}

fn revision(secret: &Value) -> Revision {
    let label = |name: &str| secret["metadata"]["labels"][name].as_str().unwrap_or_default().to_owned();
    let number = label("version").parse().expect("a revision number");
    let Some(payload) = decode(secret["data"]["release"].as_str().expect("a payload")) else {
        return Revision {
            number,
            status: label("status"),
            description: DAMAGED.to_owned(),
            payload: Value::Null,
        };
    };
    let info = |name: &str| payload["info"][name].as_str().unwrap_or_default().to_owned();
    Revision { number, status: info("status"), description: info("description"), payload }
}

fn decode(data: &str) -> Option<Value> {
    let outer = STANDARD.decode(data).ok()?;
    let inner = STANDARD.decode(outer).ok()?;
    let mut json = Vec::new();
    MultiGzDecoder::new(inner.as_slice()).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}
