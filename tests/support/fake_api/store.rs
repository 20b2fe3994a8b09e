//! One saved cluster in memory.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::OnceLock;

use helm_forensics::source::resources;
use serde_json::{Value, json};

/// Groups that every API server has; others exist where the saved cluster has objects of them.
const BUILT_IN: &[(&str, &str, &str, &str, bool)] = &[
    ("", "v1", "secrets", "Secret", true),
    ("", "v1", "configmaps", "ConfigMap", true),
    ("", "v1", "events", "Event", true),
    ("", "v1", "pods", "Pod", true),
    ("", "v1", "services", "Service", true),
    ("", "v1", "namespaces", "Namespace", false),
    ("", "v1", "serviceaccounts", "ServiceAccount", true),
    ("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true),
    ("", "v1", "limitranges", "LimitRange", true),
    ("", "v1", "resourcequotas", "ResourceQuota", true),
    ("apps", "v1", "deployments", "Deployment", true),
    ("apps", "v1", "replicasets", "ReplicaSet", true),
    ("apps", "v1", "statefulsets", "StatefulSet", true),
    ("apps", "v1", "daemonsets", "DaemonSet", true),
    ("batch", "v1", "jobs", "Job", true),
    ("batch", "v1", "cronjobs", "CronJob", true),
    ("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", true),
    ("networking.k8s.io", "v1", "ingresses", "Ingress", true),
    ("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true),
    ("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true),
    ("rbac.authorization.k8s.io", "v1", "roles", "Role", true),
    ("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true),
];

/// Case, cluster and file name.
type Place = (String, String, String);

/// The recorded files; unpacked once per test binary.
fn archive() -> &'static BTreeMap<Place, String> {
    static FILES: OnceLock<BTreeMap<Place, String>> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recorded.tar.gz");
        let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(file));
        let mut files = BTreeMap::new();
        for entry in tar.entries().expect("an archive") {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a path").into_owned();
            let path = path.strip_prefix(".").unwrap_or(&path);
            let parts: Vec<String> =
                path.iter().filter_map(|part| part.to_str()).map(str::to_owned).collect();
            if let [case, clusters, cluster, file] = parts.as_slice()
                && clusters == "clusters"
            {
                let mut text = String::new();
                entry.read_to_string(&mut text).expect("text");
                files.insert((case.clone(), cluster.clone(), file.clone()), text);
            }
        }
        files
    })
}

/// A kind that the cluster serves.
#[derive(Clone, Debug)]
pub struct Kind {
    pub version: String,
    pub kind: String,
    pub namespaced: bool,
    pub is_built_in: bool,
    pub objects: Vec<Value>,
}

/// A cluster's kinds by group and plural.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) kinds: BTreeMap<(String, String), Kind>,
}

impl Default for Store {
    /// A cluster without objects or CRDs.
    fn default() -> Self {
        let kinds = BUILT_IN.iter().map(|(group, version, plural, kind, namespaced)| {
            let key = ((*group).to_owned(), (*plural).to_owned());
            let kind = Kind {
                version: (*version).into(),
                kind: (*kind).into(),
                namespaced: *namespaced,
                is_built_in: true,
                objects: Vec::new(),
            };
            (key, kind)
        });
        Self { kinds: kinds.collect() }
    }
}

impl Store {
    /// All clusters of one recorded case, by name, from `fixtures/recorded.tar.gz`.
    pub fn recorded(case: &str) -> BTreeMap<String, Self> {
        let mut clusters: BTreeMap<String, Self> = BTreeMap::new();
        for ((_, cluster, file), text) in archive().iter().filter(|((of, _, _), _)| of == case) {
            clusters.entry(cluster.clone()).or_default().read(file, text);
        }
        assert!(!clusters.is_empty(), "no case {case} was recorded");
        clusters
    }

    /// A cluster that holds these objects, of kinds that the program knows.
    pub fn of(objects: &[Value]) -> Self {
        let mut store = Self::default();
        for object in objects {
            let (api_version, kind) = (object["apiVersion"].as_str(), object["kind"].as_str());
            let (api_version, kind) = api_version.zip(kind).expect("an object");
            let known = resources::ALL.iter().find(|known| known.kind == kind);
            let plural = known.unwrap_or_else(|| panic!("{kind} is not known")).plural.clone();
            let group = api_version.split_once('/').map_or("", |(group, _)| group);
            store.add(group, &plural, object.clone());
        }
        store
    }

    /// Writes one recorded case as it was saved.
    pub fn unpack(case: &str, folder: &Path) {
        for ((_, cluster, file), text) in archive().iter().filter(|((of, _, _), _)| of == case) {
            let place = folder.join("clusters").join(cluster);
            std::fs::create_dir_all(&place).expect("a folder");
            std::fs::write(place.join(file), text).expect("a file");
        }
    }

    /// Takes in one saved file, `deployments.apps.json`.
    fn read(&mut self, file: &str, text: &str) {
        let resource = file.strip_suffix(".json").expect("a JSON file");
        let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
        let list: Value = serde_json::from_str(text).expect("JSON");
        let items = list["items"].as_array().expect("a List").clone();
        for item in &items {
            self.kind_of(group, plural, item);
        }
        if items.is_empty() && !self.kinds.contains_key(&(group.to_owned(), plural.to_owned())) {
            let empty = json!({"apiVersion": format!("{group}/v1alpha1"), "kind": plural,
                "metadata": {"namespace": "x"}});
            self.kind_of(group, plural, &empty);
        }
        for item in items {
            self.add(group, plural, item);
        }
    }

    fn kind_of(&mut self, group: &str, plural: &str, object: &Value) -> &mut Kind {
        let api_version = object["apiVersion"].as_str().expect("an apiVersion");
        self.kinds.entry((group.to_owned(), plural.to_owned())).or_insert_with(|| Kind {
            version: api_version.rsplit('/').next().unwrap_or_default().into(),
            kind: object["kind"].as_str().expect("a kind").into(),
            namespaced: object["metadata"]["namespace"].is_string(),
            is_built_in: false,
            objects: Vec::new(),
        })
    }

    /// Takes all objects of a kind away; the kind stays served.
    pub fn take(&mut self, group: &str, plural: &str) -> Vec<Value> {
        let kind = self.kinds.get_mut(&(group.to_owned(), plural.to_owned()));
        kind.map(|kind| std::mem::take(&mut kind.objects)).unwrap_or_default()
    }

    /// Adds an object, in the place of one with the same name.
    pub fn add(&mut self, group: &str, plural: &str, object: Value) {
        let identity = |object: &Value| {
            let metadata = &object["metadata"];
            (metadata["namespace"].clone(), metadata["name"].clone())
        };
        let kind = self.kind_of(group, plural, &object);
        kind.objects.retain(|known| identity(known) != identity(&object));
        kind.objects.push(object);
        // An API server lists in the order of etcd's keys.
        kind.objects.sort_by_key(|object| {
            let metadata = &object["metadata"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&metadata["namespace"]), text(&metadata["name"]))
        });
    }

    /// Adds a Secret with one key.
    pub fn add_secret(&mut self, namespace: &str, name: &str, key: &str, value: &str) {
        let value = base64_simd::STANDARD.encode_to_string(value);
        self.add(
            "",
            "secrets",
            json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
                "metadata": {"namespace": namespace, "name": name}, "data": {key: value}}),
        );
    }
}
