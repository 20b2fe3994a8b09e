//! The incident that this tool exists for, on real servers with real Helm: somebody scales by hand, the next
//! upgrade that sets the field is refused, and each way out does what we say about it.

use crate::harness::api::{BROWSER, HARNESS, Verb};
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::managed_fields::{Owner, drop_entry_patch};
use crate::harness::planes;
use crate::shop::{CONFLICT, Shop, browser, helm};

#[test]
fn the_reason_stands_in_the_failed_revision() {
    let Some(shop) = Shop::refused("reason") else { return };

    let revision = shop.newest();
    let deployment = shop.deployment();

    assert_eq!((revision.number, revision.status.as_str()), (2, "failed"));
    assert_eq!(
        revision.description,
        format!(
            "Upgrade \"shop\" failed: conflict occurred while applying object {}/{DEPLOYMENT} apps/v1, \
             Kind=Deployment: Apply failed with 1 conflict: {CONFLICT}",
            shop.namespace
        )
    );
    assert_eq!(deployment["spec"]["replicas"], 4, "the refused object is untouched");
    assert_eq!(shop.replicas_owners(), [browser()], "Helm lost the field to the browser at once");
}

#[test]
fn setting_the_value_back_lands_the_next_upgrade_and_leaves_a_co_owner() {
    let Some(shop) = Shop::refused("set-back") else { return };

    shop.plane.api().scale(BROWSER, &shop.namespace, DEPLOYMENT, 3);
    shop.upgrade(3).succeeded();

    let revision = shop.newest();
    assert_eq!((revision.number, revision.status.as_str()), (3, "deployed"));
    assert_eq!(shop.replicas_owners(), [browser(), helm()]);

    shop.upgrade(5).failed();

    let revision = shop.newest();
    assert_eq!((revision.number, revision.status.as_str()), (4, "failed"));
    assert!(revision.description.ends_with(CONFLICT), "{}", revision.description);
}

#[test]
fn dropping_the_browsers_entry_lands_the_next_upgrade_and_leaves_helm_alone() {
    let Some(shop) = Shop::refused("drop-entry") else { return };

    shop.patch(&drop_entry_patch(&shop.deployment(), &browser())).succeeded();

    shop.assert_helms_alone_after_the_drop();
}

#[test]
fn the_guarded_patch_is_refused_when_the_object_moved_on() {
    let Some(shop) = Shop::refused("moved-on") else { return };
    let patch = drop_entry_patch(&shop.deployment(), &browser());
    // k9s takes the field over, and with it the place in the list that the patch names.
    shop.plane.api().scale("k9s/0.50", &shop.namespace, DEPLOYMENT, 6);
    shop.await_quiet(6);
    let before = shop.deployment();

    let refused = shop.patch(&patch).failed();

    // Kubernetes 1.37 says no more than this about a JSON patch whose test does not hold.
    let words = "The request is invalid: the server rejected our request due to an error in our request";
    assert_eq!(refused.stderr.trim_end(), words, "{refused}");
    assert_eq!(shop.deployment(), before, "a refused patch changes nothing at all");
    assert_eq!(shop.replicas_owners(), [Owner::new("k9s", "Update", "scale")]);
}

#[test]
fn forcing_once_makes_helm_the_only_owner() {
    let Some(shop) = Shop::refused("force") else { return };

    shop.plane
        .tools()
        .helm4(&[
            "upgrade",
            RELEASE,
            &shop.chart,
            "--namespace",
            &shop.namespace,
            "--set=replicas=3",
            "--force-conflicts",
        ])
        .succeeded();

    assert_eq!(shop.replicas_owners(), [helm()]);
    shop.upgrade(5).succeeded();
}

#[test]
fn another_appliers_value_conflicts_without_a_subresource() {
    let Some(shop) = Shop::installed("applier") else { return };
    let path = format!(
        "/apis/apps/v1/namespaces/{}/deployments/{DEPLOYMENT}?fieldManager=terraform&force=true",
        shop.namespace
    );
    let wish = serde_json::json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": DEPLOYMENT}, "spec": {"replicas": 4},
    });
    shop.plane.api().send(HARNESS, Verb::Apply, &path, &wish).ok();

    shop.upgrade(3).failed();

    let description = shop.newest().description;
    assert!(description.ends_with("conflict with \"terraform\": .spec.replicas"), "{description}");
}

#[test]
fn putting_the_live_value_into_the_chart_leaves_a_co_owner_too() {
    let Some(shop) = Shop::refused("adopt") else { return };

    shop.upgrade(4).succeeded();

    assert_eq!(shop.replicas_owners(), [browser(), helm()]);
    shop.upgrade(5).failed();
    let description = shop.newest().description;
    assert!(description.ends_with(CONFLICT), "{description}");
}

#[test]
fn a_release_of_helm_3_never_conflicts_and_overwrites_silently() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("csa");
    let chart = Chart::new("6.14.0").write(plane);
    let shop = Shop { plane, namespace, chart };
    plane.tools().helm3(&["install", RELEASE, &shop.chart, "--namespace", &shop.namespace]).succeeded();
    plane.api().scale(BROWSER, &shop.namespace, DEPLOYMENT, 4);

    // By Helm 4, which follows the revision before.
    shop.upgrade(3).succeeded();

    assert_eq!(shop.deployment()["spec"]["replicas"], 3);
    assert_eq!(shop.newest().payload["apply_method"], "csa");
    assert_eq!(shop.replicas_owners(), [Owner::new("helm", "Update", "")]);
}
