//! `owners` and `predict` over a living server, held against its own objects and its answer to a real upgrade.

use serde_json::{Value, json};

use crate::harness::chart::{DEPLOYMENT, RELEASE};
use crate::program::record;
use crate::shop::Shop;

fn ask(shop: &Shop, command: &[&str]) -> Value {
    let (context, _) = shop.plane.context();
    let asked = [command, &["--context", context, "--namespace", &shop.namespace]].concat();
    record(shop.plane.tools(), &asked)
}

#[test]
fn owners_are_those_that_the_server_keeps() {
    let Some(shop) = Shop::refused("owners") else { return };
    let object = format!("deployment/{DEPLOYMENT}");

    let told = ask(&shop, &["owners", &object, "--field", ".spec.replicas"]);

    let owner = &told["fields"][0]["owners"][0];
    assert_eq!(
        json!([told["fields"][0]["path"], owner["manager"], owner["operation"], owner["subresource"]]),
        json!([".spec.replicas", "Mozilla", "Update", "scale"]),
        "{told:#}"
    );
    let entry =
        &shop.deployment()["metadata"]["managedFields"][owner["index"].as_u64().expect("a place") as usize];
    assert_eq!(entry["manager"], "Mozilla", "the place is the one that a patch would name");
    assert_eq!(told["fields"][0]["standsOut"], "foreign", "the release sets it and another holds it");
}

#[test]
fn a_failed_revision_is_foretold_to_fail_until_the_value_is_given_back() {
    let Some(shop) = Shop::refused("foretold") else { return };
    let release = format!("release/{}/{RELEASE}", shop.namespace);
    let conflicts = || {
        let told = ask(&shop, &["predict", &release]);
        let objects = told["objects"].as_array().cloned().unwrap_or_default();
        let all = objects.iter().flat_map(|it| it["conflicts"].as_array().cloned().unwrap_or_default());
        all.map(|it| format!("{} {} {} {}", it["path"], it["manager"], it["wanted"], it["live"]))
            .collect::<Vec<_>>()
    };

    assert_eq!(conflicts(), [r#"".spec.replicas" "Mozilla" 3 4"#]);
    shop.upgrade(3).failed();

    shop.plane.api().scale("Mozilla/5.0 (X11)", &shop.namespace, DEPLOYMENT, 3);
    assert_eq!(conflicts(), [""; 0]);
    shop.upgrade(3).succeeded();
}

#[test]
fn a_rendered_chart_is_foretold_through_a_pipe() {
    let Some(shop) = Shop::refused("piped") else { return };
    let (context, _) = shop.plane.context();
    let program = env!("CARGO_BIN_EXE_kubectl-helm_forensics");

    let pipe = format!(
        "helm4 template {RELEASE} {} --namespace {} --set replicas=3 | {program} predict - --context {context} --namespace {}",
        shop.chart, shop.namespace, shop.namespace
    );
    let told = shop.plane.tools().shell(&pipe).succeeded().stdout;

    assert!(
        told.contains("would be refused: somebody else holds it with another value\n    .spec.replicas\n"),
        "{told}"
    );
    assert!(
        told.contains("wanted 3, cluster has 4")
            && told.contains("held by Mozilla (Update, subresource scale)"),
        "{told}"
    );
    assert!(!told.contains("meta.helm.sh"), "what Helm adds by itself is no difference: {told}");
}
