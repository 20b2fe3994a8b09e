//! What a file's place says: which cluster it is of, and of which resource it is a list.

use crate::source::Resource;
use crate::source::resources;

/// Folders below which `clusters` is the plural of some Cluster kind and not a list of clusters.
const NOT_ABOVE_CLUSTERS: [&str; 4] =
    ["namespaces", "cluster-scoped-resources", "resources", "custom-resources"];

/// The cluster whose folder a file stands in: `c-prod` of `dump/clusters/c-prod/secrets.json`.
pub(super) fn cluster_of(path: &str) -> Option<&str> {
    let mut folders = path.split('/').peekable();
    while let Some(folder) = folders.next() {
        if NOT_ABOVE_CLUSTERS.contains(&folder) {
            return None;
        }
        if folder == "clusters" {
            let name = folders.next()?;
            // The last part is a file: `clusters/NAME.yaml` is an object of some kind Cluster.
            return folders.peek().is_some().then_some(name);
        }
    }
    None
}

/// The resource that a file or its folder is named after: `deployments.apps.json`, `deployments/shop.json`,
/// sonobuoy's `core_v1_pods.json` and `Pods.json`, `events_fleet-default` of `fleet dump`.
pub(super) fn resource_of(path: &str) -> Option<&'static Resource> {
    path.rsplit('/').take(2).find_map(|part| {
        let part = part.to_ascii_lowercase();
        let stem = [".json", ".yaml", ".yml", ".txt"].iter().find_map(|ending| part.strip_suffix(ending));
        let stem = stem.unwrap_or(&part);
        let is_it = |resource: &&Resource| resource.to_string() == stem;
        let is_its_plural = |resource: &&Resource| resource.plural == stem;
        let is_at_an_end = |resource: &&Resource| {
            stem.split('_').next() == Some(&resource.plural)
                || stem.rsplit('_').next() == Some(&resource.plural)
        };
        let all = || resources::ALL.iter();
        all().find(is_it).or_else(|| all().find(is_its_plural)).or_else(|| all().find(is_at_an_end))
    })
}

/// The file's name without the endings that data and archives carry: the name of a cluster that has none.
pub(super) fn stem(name: &str) -> &str {
    const ENDINGS: [&str; 9] =
        [".tar.gz", ".tgz", ".tar", ".zip", ".json.gz", ".yaml.gz", ".json", ".yaml", ".yml"];
    ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .filter(|stem| !stem.is_empty())
        .unwrap_or(name)
}

/// Whether a file's name is that of an archive. Only its cluster's name hangs on that.
pub(super) fn is_archive_name(name: &str) -> bool {
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file's name promises objects. Only such a file is missed when it holds none.
pub(super) fn promises_objects(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    [".json", ".yaml", ".yml", ".json.gz", ".yaml.gz"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_folders_below_clusters() {
        for (path, want) in [
            ("clusters/c-prod/secrets.json", Some("c-prod")),
            ("dump/x/clusters/up/a/b.yaml", Some("up")),
            ("clusters/prod.yaml", None),
            ("secrets.json", None),
            ("namespaces/fleet-default/fleet.cattle.io/clusters/a/b.yaml", None),
            ("resources/clusters/namespaces/a.json", None),
        ] {
            assert_eq!(cluster_of(path), want, "{path}");
        }
    }

    #[test]
    fn resources_are_named_by_files_and_folders() {
        for (path, want) in [
            ("clusters/c/deployments.apps.json", Some("deployments.apps")),
            ("namespaces/shop/core/pods.yaml", Some("pods")),
            ("cluster-resources/deployments/shop.json", Some("deployments.apps")),
            ("resources/ns/shop/core_v1_pods.json", Some("pods")),
            ("resources/ns/shop/ConfigMaps.json", Some("configmaps")),
            ("events_fleet-default", Some("events")),
            ("notes.json", None),
        ] {
            assert_eq!(resource_of(path).map(ToString::to_string).as_deref(), want, "{path}");
        }
    }

    #[test]
    fn a_cluster_without_a_name_is_called_after_its_file() {
        for (name, want) in [("prod.tar.gz", "prod"), ("a.b.yaml", "a.b"), (".zip", ".zip"), ("dump", "dump")]
        {
            assert_eq!(stem(name), want);
        }
    }
}
