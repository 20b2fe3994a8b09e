//! Chart or source cannot be had: nothing is wrong on the cluster.

use regex::Captures;

use crate::failure::entities::Entities;
use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("chart pull error", "chart pull error: ").reading(source),
    opaque("helm chart download", "helm chart download: ").reading(source),
    opaque("failed to download", "failed to download(?: chart for remote reference| \"(?P<chart>[^\"]+)\")").reading(source),
    opaque("invalid chart reference", "invalid chart reference: ").reading(source),
    opaque("no chart name found", "no chart name found"),
    opaque("chart with version matching", "no '(?P<chart>[^']+)' chart with version matching '(?P<version>[^']+)' found"),
    opaque("no chart version found", "no chart version found for (?P<chart>[^ ]+)"),
    opaque(" not found in ", "chart \"(?P<chart>[^\"]+)\" (?:matching|version) \"?(?P<version>[^ \"]*)\"? not found in (?P<repository>[^ ]+)"),
    opaque("MANIFEST_UNKNOWN", "MANIFEST_UNKNOWN").reading(source),
    opaque("source.toolkit.fluxcd.io", r#"(?P<kind>HelmRepository|GitRepository|OCIRepository|Bucket|HelmChart)\.source\.toolkit\.fluxcd\.io "(?P<name>[^"]+)" not found"#),
    opaque("could not get Source object", "could not get Source object: "),
    opaque("no artifact available", "no artifact available(?: for (?P<kind>[A-Za-z]+) source '(?P<name>[^']+)')?"),
    opaque("artifact not found", "artifact not found"),
    opaque("is not ready: ", "(?P<kind>HelmChart|HelmRepository|GitRepository|OCIRepository|Bucket) '(?P<namespace>[^/']+)/(?P<name>[^']+)' is not ready").reading(source),
    opaque("integrity failure", "integrity failure: "),
    opaque("app path does not exist", "(?P<path>[^ :]+): app path does not exist"),
    opaque("to a commit SHA", "unable to resolve '(?P<revision_name>[^']+)' to a commit SHA"),
    opaque("failed to list refs", "failed to list refs: "),
    opaque("could not locate a version", "could not locate a version matching provided version string (?P<version>[^ ]+)"),
    opaque("failed to determine artifact digest", "failed to determine artifact digest: ").reading(source),
    opaque("failed to authorize", "failed to authorize: "),
    opaque("is not a valid chart repository", "looks like \"(?P<url>[^\"]+)\" is not a valid chart repository").reading(source),
    opaque("repository not found", "repository not found").likely(),
    opaque("failed to fetch", "failed to fetch (?:https?|oci)://(?P<url>[^ ]+)").reading(source),
    opaque("could not find protocol handler", "could not find protocol handler"),
    opaque("authentication required", "authentication required").likely(),
    opaque("failed to clone", "failed to (?:clone|checkout)").likely(),
    opaque("chart not found", "chart not found|chart metadata is missing").likely(),
    opaque("no cached repo found", "no cached repo found|no repository definition for").likely(),
    opaque("Could not load chart", "Could not load chart: "),
    opaque("failed with status code [", r"failed with status code \[manifests [^\]]+\]: ").reading(source),
    opaque("could not download chart", "could not download chart").reading(source),
    opaque("unexpected status", "unexpected status(?: code| from [A-Z]+ request to )").reading(source).likely(),
    opaque("failed to do request: ", "failed to do request: ").reading(source),
    opaque("failed to perform \"", "failed to perform \"(?:Fetch|Resolve|Pull)[A-Za-z]*\" on source").reading(source),
    opaque("path \"", "path \"(?P<path>[^\"]+)\" not found").likely(),
    opaque("repo ", "repo (?P<repository>[a-z0-9._-]+) not found").likely(),
    opaque("unable to clone", "unable to clone '(?P<url>[^']+)'"),
];

/// The address that was asked.
fn source(_: &Captures<'_>, error: &str, entities: &mut Entities) {
    let Some(at) = ["oci://", "https://", "http://"].iter().filter_map(|scheme| error.find(scheme)).min()
    else {
        return;
    };
    let url = error.get(at..).unwrap_or_default();
    let end =
        url.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '>' | ')')).unwrap_or(url.len());
    entities.put("url", url.get(..end).unwrap_or(url).trim_end_matches([':', ',', ';', '.']));
}
