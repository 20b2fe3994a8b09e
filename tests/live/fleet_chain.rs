//! Fleet's chain over three control planes: recorded upstream objects, and downstream clusters made alive by
//! real Helm with the annotations that Fleet's agent writes.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::harness::api::{Api, BROWSER};
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::ControlPlane;
use crate::harness::tools::{Outcome, Tools};
use crate::harness::{fleet, planes, release};

const NAMESPACE: &str = "shop";
const RECORDED: &str = "fixtures/fleet-scale-conflict/clusters/upstream";
/// The commits of the recording.
const BEFORE: &str = "4e7ac62dffb1e18b8f9f31cbf7d6b53d3db8972e";
const COMMIT: &str = "3e876b916516048f89effd01731de9dcf9fb5f1f";
const FLEET: &str = "/apis/fleet.cattle.io/v1alpha1";

/// The incident of `fixtures/fleet-scale-conflict`, happening now: production refuses the promotion, staging
/// has it.
struct Chain {
    upstream: ControlPlane,
    production: ControlPlane,
    staging: ControlPlane,
    /// Knows all three, by the names that a person would give the contexts.
    tools: Tools,
}

impl Chain {
    fn stuck() -> Option<Self> {
        let [upstream, production, staging] = planes::own(["upstream", "prod-eu", "stage-eu"])?;
        fleet::install_kinds(&upstream);
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDED);
        fleet::load(&upstream, &recorded);
        for (cluster, plane) in [("c-prod", &production), ("c-stage", &staging)] {
            fleet::connect(&upstream, cluster, plane.access());
            plane.create_namespace(NAMESPACE);
            let chart = Chart::new("6.14.0").deployed_by_fleet("shop-shop", BEFORE).write(plane);
            plane.tools().helm4(&["install", RELEASE, &chart, "--namespace", NAMESPACE]).succeeded();
        }
        production.api().scale(BROWSER, NAMESPACE, DEPLOYMENT, 4);
        let contexts = [&upstream, &production, &staging].map(ControlPlane::context);
        let tools = upstream.tools_for(&contexts);
        let chain = Self { upstream, production, staging, tools };
        Chain::agent_tries(&chain.production).failed();
        Chain::agent_tries(&chain.staging).succeeded();
        Some(chain)
    }

    /// What Fleet's agent does at every try.
    fn agent_tries(plane: &ControlPlane) -> Outcome {
        let chart = Chart::new("6.15.0").deployed_by_fleet("shop-shop", COMMIT).write(plane);
        plane.tools().helm4(&["upgrade", RELEASE, &chart, "--namespace", NAMESPACE])
    }

    fn listed(&self, plural: &str) -> Vec<Value> {
        let list = self.upstream.api().get(&format!("{FLEET}/{plural}")).ok();
        list["items"].as_array().cloned().expect("a list")
    }

    /// A downstream cluster, reached by nothing but what upstream holds.
    fn through_secret(&self, cluster: &str) -> Api {
        let path = format!("{FLEET}/namespaces/fleet-default/clusters/{cluster}");
        let object = self.upstream.api().get(&path).ok();
        let name = object["spec"]["kubeConfigSecret"].as_str().expect("a Secret's name");
        let secret =
            self.upstream.api().get(&format!("/api/v1/namespaces/fleet-default/secrets/{name}")).ok();
        let value = STANDARD.decode(secret["data"]["value"].as_str().expect("a kubeconfig")).expect("base64");
        Api::connect(&serde_json::from_slice(&value).expect("JSON")).expect("a way there")
    }
}

#[test]
fn recorded_upstream_and_live_downstream_make_one_chain() {
    let Some(chain) = Chain::stuck() else { return };

    let gitrepo = &chain.listed("gitrepos")[0];
    let shop: Vec<_> = chain
        .listed("bundledeployments")
        .into_iter()
        .filter(|deployment| deployment["metadata"]["labels"]["fleet.cattle.io/repo-name"] == "shop")
        .collect();
    let counts = ["helmops", "bundles", "clusters", "clustergroups", "contents"]
        .map(|plural| chain.listed(plural).len());
    let refused = release::newest(chain.production.api(), NAMESPACE, RELEASE);
    let landed = release::newest(chain.staging.api(), NAMESPACE, RELEASE);

    assert_eq!(gitrepo["status"]["commit"], COMMIT);
    assert_eq!(counts, [0, 3, 3, 1, 2]);
    assert_eq!(shop.len(), 2, "one for each cluster");
    for deployment in &shop {
        assert!(deployment["status"]["conditions"].is_array(), "the status came along: {deployment}");
        for revision in [&refused, &landed] {
            let annotations = &revision.payload["chart"]["metadata"]["annotations"];
            assert_eq!(annotations["fleet.cattle.io/bundle-id"], deployment["metadata"]["name"]);
        }
    }
    assert_eq!((refused.number, refused.status.as_str()), (2, "failed"));
    assert!(
        refused.description.contains("\"Mozilla\" with subresource \"scale\""),
        "{}",
        refused.description
    );
    assert_eq!((landed.number, landed.status.as_str()), (2, "deployed"));
    let behind = |cluster: &str| release::newest(&chain.through_secret(cluster), NAMESPACE, RELEASE).status;
    assert_eq!((behind("c-prod"), behind("c-stage")), ("failed".to_owned(), "deployed".to_owned()));

    // The way out as a person would paste it, and the agent's next try.
    let scale = "kubectl --context prod-eu -n shop scale deployment/shop-web --replicas=2";
    chain.tools.shell(scale).succeeded();
    Chain::agent_tries(&chain.production).succeeded();
    assert_eq!(behind("c-prod"), "deployed");
}
