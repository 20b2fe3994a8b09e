//! The recorded cases, and what no recording has.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Plain;
use crate::deployer::testing::{InMemory, cases, collect, deliveries, findings};
use crate::deployer::{Delivery, Standing};

#[test]
fn every_recorded_release_is_listed() {
    for case in cases("helm-") {
        let delivered = deliveries(&Plain, case);
        let found: BTreeSet<String> = delivered.iter().map(named).collect();
        for finding in findings(case).iter().filter(|finding| finding["release"].is_string()) {
            let release = finding["release"].as_str().expect("a release");
            assert!(found.contains(release), "{case}: {release} of {found:?}");
        }
    }
}

fn named(delivery: &Delivery) -> String {
    let release = delivery.release.as_ref().expect("a release");
    format!("{}/{}", release.namespace, release.name)
}

fn record(kind: &str, revision: u32, status: &str, created: &str) -> Value {
    json!({"apiVersion": "v1", "kind": kind, "type": "helm.sh/release.v1", "metadata": {
        "name": format!("sh.helm.release.v1.shop.v{revision}"), "namespace": "shop", "creationTimestamp": created,
        "labels": {"owner": "helm", "name": "shop", "version": revision.to_string(), "status": status}}})
}

#[test]
fn the_newest_record_decides() {
    let old = "2026-12-01T01:00:00Z";
    let young = "2026-12-01T01:58:00Z";
    let cases = [
        ("Secret", "deployed", old, Standing::Landed, ""),
        ("Secret", "failed", old, Standing::Stuck, ""),
        ("Secret", "pending-upgrade", young, Standing::Stuck, "work in progress"),
        ("Secret", "pending-upgrade", old, Standing::Stuck, "older than Helm waits"),
        ("ConfigMap", "pending-install", old, Standing::Stuck, "ConfigMap shop/"),
        ("Secret", "uninstalling", old, Standing::Stuck, "uninstalling"),
        ("Secret", "a word of a later Helm", old, Standing::Landed, ""),
    ];
    for (kind, status, created, standing, says) in cases {
        let records = vec![record(kind, 9, "deployed", old), record(kind, 10, status, created)];
        let mut found =
            collect(&Plain, InMemory::new("prod", records), "2026-12-01T02:00:00Z".parse().expect("a time"));
        let delivery = found.pop().expect("a release");
        assert!(found.is_empty() && delivery.owner.is_none());
        assert_eq!(delivery.standing, standing, "{status}");
        let evidence =
            delivery.evidence.first().map_or(String::new(), |it| format!("{} {}", it.source, it.says));
        assert!(evidence.contains(says), "{status}: {evidence}");
    }
}
