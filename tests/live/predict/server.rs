//! The writers' and the judge's way to the API server.

use helm_forensics::fields::Path;
use serde_json::{Map, Value, json};

use super::objects::Kind;
use crate::harness::api::{Answer, Api, HARNESS, Verb};

pub struct Server<'a> {
    api: &'a Api,
    namespace: &'a str,
}

/// What the server says to an apply.
#[derive(Debug)]
pub enum Verdict {
    Applied(Value),
    Conflict(String),
    Refused(String),
}

impl Verdict {
    /// Whether field management decided, not validation or admission.
    pub fn is_about_fields(&self) -> bool {
        self.name() != "refused otherwise"
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Applied(_) => "applied",
            Self::Conflict(_) => "conflict",
            Self::Refused(text) if text.contains("typed patch object") => "refused as malformed",
            Self::Refused(_) => "refused otherwise",
        }
    }
}

impl<'a> Server<'a> {
    pub fn new(api: &'a Api, namespace: &'a str) -> Self {
        Self { api, namespace }
    }

    pub fn define(&self, definition: &Value) {
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        let answer = self.api.send(HARNESS, Verb::Create, path, definition);
        assert!(answer.status == 201 || answer.status == 409, "{}", answer.body);
        let listed = format!("/apis/predict.example.com/v1/namespaces/{}/widgets", self.namespace);
        crate::harness::wait::expect("the new kind", std::time::Duration::from_secs(30), || {
            match self.api.get(&listed) {
                Answer { status: 200, .. } => Ok(()),
                Answer { status, .. } => Err(format!("status {status}")),
            }
        });
    }

    fn collection(&self, kind: &Kind) -> String {
        let root = if kind.api_version.contains('/') { "/apis" } else { "/api" };
        format!("{root}/{}/namespaces/{}/{}", kind.api_version, self.namespace, kind.plural)
    }

    fn object(&self, kind: &Kind, name: &str) -> String {
        format!("{}/{name}", self.collection(kind))
    }

    fn done(&self, verb: Verb, path: &str, body: &Value) -> bool {
        (200..300).contains(&self.api.send(HARNESS, verb, path, body).status)
    }

    pub fn create(&self, kind: &Kind, manager: &str, object: &Value) -> bool {
        let path = format!("{}?fieldManager={manager}", self.collection(kind));
        self.done(Verb::Create, &path, object)
    }

    pub fn apply(&self, kind: &Kind, name: &str, manager: &str, object: &Value) -> bool {
        let path = format!("{}?fieldManager={manager}&force=true", self.object(kind, name));
        self.done(Verb::Apply, &path, object)
    }

    pub fn update(&self, kind: &Kind, name: &str, manager: &str, part: &Value) -> bool {
        let verb = if kind.kind == "Widget" { Verb::Merge } else { Verb::Strategic };
        self.done(verb, &format!("{}?fieldManager={manager}", self.object(kind, name)), part)
    }

    pub fn scale(&self, kind: &Kind, name: &str, manager: &str, replicas: u64) -> bool {
        let path = format!("{}/scale?fieldManager={manager}", self.object(kind, name));
        self.done(Verb::Merge, &path, &json!({"spec": {"replicas": replicas}}))
    }

    pub fn get(&self, kind: &Kind, name: &str) -> Option<Value> {
        let answer = self.api.get(&self.object(kind, name));
        (answer.status == 200).then_some(answer.body)
    }

    pub fn dry_run(&self, kind: &Kind, name: &str, manager: &str, object: &Value) -> Verdict {
        let path = format!("{}?fieldManager={manager}&dryRun=All", self.object(kind, name));
        let answer = self.api.send(HARNESS, Verb::Apply, &path, object);
        let message = answer.body["message"].as_str().unwrap_or_default().to_owned();
        match answer.status {
            200..300 => Verdict::Applied(answer.body),
            409 if message.starts_with("Apply failed") => Verdict::Conflict(message),
            _ => Verdict::Refused(message),
        }
    }
}

/// Leaves of `before` that `after` lacks, by path.
pub fn gone(before: &Value, after: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    for top in ["spec", "data", "stringData", "binaryData", "rules", "secrets", "imagePullSecrets"] {
        collect(before.get(top), after.get(top), &mut Path::fields([top]), &mut paths);
    }
    for map in ["labels", "annotations", "finalizers"] {
        let at = |object: &Value| object["metadata"].get(map).cloned();
        let (before, after) = (at(before), at(after));
        collect(before.as_ref(), after.as_ref(), &mut Path::fields(["metadata", map]), &mut paths);
    }
    paths
}

/// Lists whose items are told apart by one of these.
const KEYS: &[&[&str]] = &[
    &["containerPort", "protocol"],
    &["port", "protocol"],
    &["mountPath"],
    &["name"],
    &["path"],
    &["ip"],
    &["topologyKey", "whenUnsatisfiable"],
];

fn collect(before: Option<&Value>, after: Option<&Value>, path: &mut Path, gone: &mut Vec<String>) {
    use helm_forensics::fields::Element;
    let Some(before) = before else { return };
    let nothing = match before {
        Value::Object(fields) if !fields.is_empty() => Value::Object(Map::new()),
        Value::Array(items) if !items.is_empty() && !is_atomic(path) => Value::Array(Vec::new()),
        _ => Value::Null,
    };
    if after.is_none() && nothing.is_null() {
        gone.push(path.to_string());
        return;
    }
    match (before, after.unwrap_or(&nothing)) {
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in before {
                path.0.push(Element::field(name.as_str()));
                collect(Some(value), after.get(name), path, gone);
                path.0.pop();
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            // Atomic lists are one value: only lists whose items carry keys are looked into.
            if is_atomic(path) {
                return;
            }
            for item in items {
                let keys = KEYS.iter().find(|keys| keys.iter().all(|key| item.get(key).is_some()));
                let element = match keys {
                    Some(keys) => Element::key(keys.iter().map(|key| (*key, item[*key].clone()))),
                    None if item.is_string() => Element::value(item.clone()),
                    None => continue,
                };
                let same = others.iter().find(|other| match keys {
                    Some(keys) => keys.iter().all(|key| other[*key] == item[*key]),
                    None => *other == item,
                });
                path.0.push(element);
                collect(Some(item), same, path, gone);
                path.0.pop();
            }
        }
        _ => {}
    }
}

fn is_atomic(path: &Path) -> bool {
    const ATOMIC: &[&str] = &[
        "args",
        "command",
        "tolerations",
        "rules",
        "tls",
        "ingress",
        "egress",
        "metrics",
        "policyTypes",
        "items",
        "accessModes",
        "matchExpressions",
        "policies",
        "clusterIPs",
        "ipFamilies",
        "envFrom",
    ];
    let last = path.0.last().and_then(|element| element.as_field());
    last.is_some_and(|name| ATOMIC.contains(&name))
}

/// Fields that go with another one, by the strategy of their kind: no apply decides on them.
pub fn depends(path: &str) -> bool {
    path == ".spec.externalTrafficPolicy" || path.ends_with(".nodePort")
}

/// Fields that the server fills in again by a default that our table need not know.
pub fn is_defaulted(path: &str) -> bool {
    const FILLED: &[&str] = &[
        "imagePullPolicy",
        "protocol",
        "scheme",
        "targetPort",
        "defaultMode",
        "restartPolicy",
        "type",
        "behavior",
        "securityContext",
        "resources",
        "schedulerName",
        "strategy",
        "updateStrategy",
        "sessionAffinity",
        "selectPolicy",
        "stabilizationWindowSeconds",
        "policies",
        "scaleUp",
        "scaleDown",
        "tolerance",
        "metrics",
        "policyTypes",
        "weight",
    ];
    path == ".rules"
        || path == ".spec.nested.mode"
        || FILLED.iter().any(|name| path.ends_with(&format!(".{name}")))
}
