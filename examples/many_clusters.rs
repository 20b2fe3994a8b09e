//! Generates a saved fleet of any size from the recorded incident: `many_clusters FOLDER CLUSTERS`.
//!
//! Fifty GitRepos per cluster. The first of them, `shop`, is stuck on every tenth cluster by the recorded
//! conflict; the others are healthy copies of it. For measuring only; the output is not committed.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

const REPOS: usize = 50;
const STUCK_EVERY: usize = 10;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("usage: many_clusters FOLDER CLUSTERS".into());
    };
    let count: usize = count.parse()?;
    let recorded = Path::new("fixtures/fleet-scale-conflict/clusters");
    let out = Path::new(&folder).join("clusters");
    let upstream = Upstream::read(&recorded.join("upstream"))?;
    write(
        &out.join("upstream"),
        "gitrepos.fleet.cattle.io",
        (0..REPOS).map(|repo| upstream.git_repo(repo)).collect(),
    )?;
    let ids: Vec<String> = (0..count).map(|index| format!("c-{index:05}")).collect();
    write(
        &out.join("upstream"),
        "clusters.fleet.cattle.io",
        ids.iter().map(|id| upstream.cluster(id)).collect(),
    )?;
    let mut deployments = Vec::with_capacity(count * REPOS);
    for (index, id) in ids.iter().enumerate() {
        let is_stuck = index % STUCK_EVERY == 0;
        deployments.extend((0..REPOS).map(|repo| upstream.deployment(id, repo, is_stuck && repo == 0)));
        let from = recorded.join(if is_stuck { "c-prod" } else { "c-stage" });
        for resource in ["secrets", "deployments.apps", "replicasets.apps", "events"] {
            write(&out.join(id), resource, items(&from.join(format!("{resource}.json")))?)?;
        }
    }
    write(&out.join("upstream"), "bundledeployments.fleet.cattle.io", deployments)
}

/// The recorded objects that the others are made from.
struct Upstream {
    git_repo: Value,
    cluster: Value,
    stuck: Value,
    healthy: Value,
}

impl Upstream {
    fn read(folder: &Path) -> Outcome<Self> {
        let one = |resource: &str, is_it: &dyn Fn(&Value) -> bool| -> Outcome<Value> {
            let found = items(&folder.join(format!("{resource}.json")))?.into_iter().find(|it| is_it(it));
            found.ok_or_else(|| format!("no {resource} to copy").into())
        };
        let of = |cluster: &'static str| {
            move |it: &Value| {
                it["metadata"]["name"] == "shop-shop"
                    && it["metadata"]["labels"]["fleet.cattle.io/cluster"] == cluster
            }
        };
        Ok(Self {
            git_repo: one("gitrepos.fleet.cattle.io", &|_| true)?,
            cluster: one("clusters.fleet.cattle.io", &|it| it["metadata"]["name"] == "c-prod")?,
            stuck: one("bundledeployments.fleet.cattle.io", &of("c-prod"))?,
            healthy: one("bundledeployments.fleet.cattle.io", &of("c-stage"))?,
        })
    }

    fn git_repo(&self, repo: usize) -> Value {
        let mut made = self.git_repo.clone();
        made["metadata"]["name"] = json!(repo_name(repo));
        made
    }

    fn cluster(&self, id: &str) -> Value {
        let mut made = self.cluster.clone();
        made["metadata"]["name"] = json!(id);
        made["metadata"]["labels"]["management.cattle.io/cluster-display-name"] = json!(format!("edge-{id}"));
        made["status"]["namespace"] = json!(namespace(id));
        made
    }

    fn deployment(&self, id: &str, repo: usize, is_stuck: bool) -> Value {
        let mut made = if is_stuck { self.stuck.clone() } else { self.healthy.clone() };
        let name = repo_name(repo);
        made["metadata"]["name"] = json!(format!("{name}-{name}"));
        made["metadata"]["namespace"] = json!(namespace(id));
        made["metadata"]["labels"]["fleet.cattle.io/cluster"] = json!(id);
        made["metadata"]["labels"]["fleet.cattle.io/repo-name"] = json!(name);
        made["metadata"]["labels"]["fleet.cattle.io/bundle-name"] = json!(format!("{name}-{name}"));
        made
    }
}

fn repo_name(repo: usize) -> String {
    if repo == 0 { "shop".into() } else { format!("shop-{repo:02}") }
}

fn namespace(id: &str) -> String {
    format!("cluster-fleet-default-{id}")
}

fn items(file: &Path) -> Outcome<Vec<Value>> {
    let list: Value = serde_json::from_slice(&fs::read(file)?)?;
    Ok(list["items"].as_array().cloned().unwrap_or_default())
}

fn write(folder: &Path, resource: &str, items: Vec<Value>) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    Ok(fs::write(folder.join(format!("{resource}.json")), serde_json::to_vec(&list)?)?)
}
