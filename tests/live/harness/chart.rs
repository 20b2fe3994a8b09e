//! A small chart, written where the test wants it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use super::control_plane::ControlPlane;

/// The release's name, which the objects carry too.
pub const RELEASE: &str = "shop";
pub const DEPLOYMENT: &str = "shop-web";

const OBJECTS: &str = r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: {{ .Release.Name }}-web}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}-web}
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:{{ .Values.tag }}
          ports: [{name: http, containerPort: 8080}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  greeting: hello from {{ .Values.tag }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-web
spec:
  selector: {app: {{ .Release.Name }}-web}
  ports: [{name: http, port: 80, targetPort: http}]
"#;

/// A Deployment, a ConfigMap and a Service; values `replicas` (2) and `tag` (6.14.0).
pub struct Chart {
    version: &'static str,
    annotations: BTreeMap<String, String>,
    files: BTreeMap<String, String>,
}

impl Chart {
    pub fn new(version: &'static str) -> Self {
        Self {
            version,
            annotations: BTreeMap::new(),
            files: BTreeMap::from([("templates/objects.yaml".to_owned(), OBJECTS.to_owned())]),
        }
    }

    /// What Fleet's agent writes into a chart before it installs it, the only link from a release to Fleet.
    pub fn deployed_by_fleet(mut self, bundle_deployment: &str, commit: &str) -> Self {
        self.annotations = [
            ("agent-namespace", "cattle-fleet-system"),
            ("bundle-id", bundle_deployment),
            ("commit", commit),
            ("keep-resources", "false"),
            ("service-account", ""),
        ]
        .into_iter()
        .map(|(name, value)| (format!("fleet.cattle.io/{name}"), value.to_owned()))
        .collect();
        self
    }

    /// One more file, or another text for one that is there; hooks and the like.
    pub fn file(mut self, path: &str, content: &str) -> Self {
        self.files.insert(path.to_owned(), content.to_owned());
        self
    }

    /// Gives the folder, for Helm's command line.
    #[track_caller]
    pub fn write(self, plane: &ControlPlane) -> String {
        let folder = plane.scratch("chart");
        let metadata = json!({
            "apiVersion": "v2",
            "name": "shop",
            "version": self.version,
            "appVersion": self.version,
            "annotations": self.annotations,
        });
        let values = json!({"replicas": 2, "tag": "6.14.0"});
        let generated =
            [("Chart.yaml".to_owned(), metadata.to_string()), ("values.yaml".to_owned(), values.to_string())];
        for (name, content) in generated.into_iter().chain(self.files) {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder of the chart");
            fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        folder.to_str().expect("a temporary folder in UTF-8").to_owned()
    }
}
