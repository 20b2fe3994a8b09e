//! `why` over living servers: what it says of the incident, and that asking changes nothing.

use serde_json::json;

use crate::harness::chart::{DEPLOYMENT, RELEASE};
use crate::program::AGENT;
use crate::shop::Shop;

#[test]
fn the_conflict_is_named_and_nothing_but_reads_is_asked() {
    let Some(shop) = Shop::refused("why") else { return };

    let (findings, asked) = shop.plane.audit().during(shop.plane.api(), || shop.why());

    let finding = findings.only();
    let [conflict] = finding["conflicts"].as_array().expect("conflicts").as_slice() else {
        panic!("one conflict: {finding:#}");
    };
    let told = json!({
        "class": finding["class"],
        "confidence": finding["confidence"],
        "release": [finding["release"]["namespace"], finding["release"]["name"]],
        "revision": [finding["release"]["revision"], finding["release"]["status"]],
        "object": conflict["object"],
        "path": conflict["path"],
        "manager": [conflict["manager"], conflict["operation"], conflict["subresource"]],
        "wanted": conflict["wanted"],
        "live": conflict["live"],
    });
    assert_eq!(
        told,
        json!({
            "class": "ssa.conflict",
            "confidence": "certain",
            "release": [shop.namespace, RELEASE],
            "revision": [2, "failed"],
            "object": {
                "apiVersion": "apps/v1", "kind": "Deployment", "namespace": shop.namespace, "name": DEPLOYMENT,
            },
            "path": ".spec.replicas",
            "manager": ["Mozilla", "Update", "scale"],
            "wanted": 3,
            "live": 4,
        })
    );

    // Other tests ask this plane too, some of them with the same program: it only ever reads.
    let ours: Vec<_> = asked.iter().filter(|request| request.agent.starts_with(AGENT)).collect();
    assert!(ours.iter().any(|request| request.uri.contains(&shop.namespace)), "{ours:#?}");
    let written: Vec<_> =
        ours.iter().filter(|request| !["get", "list"].contains(&request.verb.as_str())).collect();
    assert!(written.is_empty(), "{written:#?}");
}

#[test]
fn a_release_that_landed_has_no_finding() {
    let Some(shop) = Shop::installed("landed") else { return };

    let findings = shop.why().current().len();

    assert_eq!(findings, 0);
}
