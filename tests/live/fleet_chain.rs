//! Fleet's chain over three control planes: recorded upstream objects, and downstream clusters made alive by
//! real Helm with the annotations that Fleet's agent writes.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::api::{Api, BROWSER};
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::ControlPlane;
use crate::harness::tools::{Outcome, Tools};
use crate::harness::{fleet, planes, release};
use crate::program::{self, Findings};

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

    /// What a person asks upstream.
    #[track_caller]
    fn why(&self) -> Findings {
        program::why(&self.tools, &["gitrepo/shop", "--namespace=fleet-default"])
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
}

#[test]
fn why_crosses_three_planes_and_its_way_out_lands_the_agents_next_try() {
    let Some(chain) = Chain::stuck() else { return };

    let findings = chain.why();

    let finding = findings.only();
    let conflict = &finding["conflicts"][0];
    let told = json!({
        "owner": finding["owner"],
        "cluster": finding["cluster"],
        "class": finding["class"],
        "release": [finding["release"]["namespace"], finding["release"]["name"]],
        "revision": [finding["release"]["revision"], finding["release"]["status"]],
        "conflicts": finding["conflicts"].as_array().map(Vec::len),
        "object": [conflict["object"]["kind"], conflict["object"]["namespace"], conflict["object"]["name"]],
        "path": conflict["path"],
        "manager": [conflict["manager"], conflict["subresource"]],
        "wanted": conflict["wanted"],
        "live": conflict["live"],
    });
    assert_eq!(
        told,
        json!({
            "owner": {
                "apiVersion": "fleet.cattle.io/v1alpha1", "kind": "GitRepo", "namespace": "fleet-default",
                "name": "shop",
            },
            "cluster": "c-prod",
            "class": "ssa.conflict",
            "release": [NAMESPACE, RELEASE],
            "revision": [2, "failed"],
            "conflicts": 1,
            "object": ["Deployment", NAMESPACE, DEPLOYMENT],
            "path": ".spec.replicas",
            "manager": ["Mozilla", "scale"],
            "wanted": 2,
            "live": 4,
        })
    );

    let ways = findings.safe_ways();
    let give_back = ways.first().expect("a safe way with commands");
    assert_eq!(
        *give_back,
        [format!("kubectl --context prod-eu -n {NAMESPACE} scale deployment/{DEPLOYMENT} --replicas=2")]
    );
    for command in give_back {
        chain.tools.shell(command).succeeded();
    }
    Chain::agent_tries(&chain.production).succeeded();
    let landed = release::newest(chain.production.api(), NAMESPACE, RELEASE);
    assert_eq!((landed.number, landed.status.as_str()), (3, "deployed"));
}
