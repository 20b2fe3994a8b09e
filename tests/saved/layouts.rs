//! The dumps that other programs make, by hand-made examples.

use helm_forensics::source::saved::FromSpec;
use helm_forensics::source::{Resource, Source as _, resources};

use crate::dump::{cluster, names, open, paths, troubles};

const LAYOUTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/layouts");

#[test]
fn every_layout_is_read() {
    let web: (&Resource, &[&str]) = (&resources::DEPLOYMENTS, &["shop/web"]);
    let web_1: (&Resource, &[&str]) = (&resources::PODS, &["shop/web-1"]);
    let event: (&Resource, &[&str]) = (&resources::EVENTS, &["shop/web.1"]);
    let shop: (&Resource, &[&str]) = (&resources::NAMESPACES, &["/shop"]);
    let git_repo: (&Resource, &[&str]) = (&resources::GIT_REPOS, &["fleet-default/shop"]);
    let bundle_deployment: (&Resource, &[&str]) =
        (&resources::BUNDLE_DEPLOYMENTS, &["cluster-fleet-default-c-prod/shop-shop"]);
    for (layout, want) in [
        ("kubectl", &[web, web_1, event, shop][..]),
        ("cluster-info-dump", &[web, web_1, event, (&resources::REPLICA_SETS, &[])]),
        ("cluster-info-dump.log", &[web, web_1]),
        ("crust-gather", &[web, web_1, shop, git_repo]),
        ("must-gather", &[web, web_1, shop, (&resources::SECRETS, &["shop/sh.helm.release.v1.web.v2"])]),
        ("fleet-dump", &[git_repo, bundle_deployment, (&resources::EVENTS, &["shop/web.1", "shop/web.2"])]),
        ("rancher-collector", &[web, web_1, bundle_deployment]),
        ("troubleshoot", &[web, web_1, event, shop, git_repo]),
        ("velero", &[web, web_1, shop, git_repo, (&resources::FLEET_CLUSTERS, &["fleet-default/c-prod"])]),
        ("sonobuoy", &[web, web_1, shop]),
    ] {
        let saved = open(&[FromSpec::named("x", format!("{LAYOUTS}/{layout}"))]);
        assert_eq!(names(&saved), ["x"], "{layout}");
        let x = cluster(&saved, "x");
        for (resource, want) in want {
            assert_eq!(paths(&x, (*resource).clone()), *want, "{resource} in {layout}");
        }
        let want: &[&str] = match layout {
            "rancher-collector" => &[
                "the objects in rke2/kubectl/pods: a table as kubectl prints it for people holds neither fields nor owners",
            ],
            _ => &[],
        };
        assert_eq!(troubles(&saved), want, "{layout}");
    }
}

#[test]
fn the_layout_tells_whether_owners_were_saved() {
    for (layout, want) in [("kubectl", true), ("crust-gather", true), ("velero", true), ("sonobuoy", false)] {
        let saved = open(&[FromSpec::named("x", format!("{LAYOUTS}/{layout}"))]);
        let query = helm_forensics::source::Query::all(resources::DEPLOYMENTS);
        let objects = crate::dump::list(&cluster(&saved, "x"), &query);
        assert_eq!(objects[0].json.contains("managedFields"), want, "{layout}");
        assert!(saved.troubles().is_empty());
    }
}
