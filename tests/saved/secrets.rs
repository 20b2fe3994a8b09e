//! Nothing secret leaves: secrets are planted everywhere, and the capture is searched in every form.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use helm_forensics::capture::{File, Package, Taken, package};
use helm_forensics::helm::{Limit, Payload, encode};
use helm_forensics::source::resources;
use serde_json::{Value, json};

use crate::dump::{Dump, cluster, open, paths};
use helm_forensics::source::saved::FromSpec;

/// Hands out secrets, each with its own letters.
#[derive(Default)]
struct Planter {
    planted: Vec<String>,
}

impl Planter {
    fn next(&mut self) -> String {
        let number = self.planted.len() as u64;
        let mut state = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut letters = String::new();
        for _ in 0..10 {
            state ^= state >> 29;
            state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
            letters.push(char::from(b'a' + (state >> 33) as u8 % 26));
        }
        let secret = format!("s3cr3t-planted-{number}-{letters}");
        self.planted.push(secret.clone());
        secret
    }

    fn encoded(&mut self) -> String {
        STANDARD.encode(self.next())
    }

    fn twice(&mut self) -> String {
        STANDARD.encode(self.encoded())
    }
}

/// A namespace full of secrets. Called again and again until there are enough.
fn objects(p: &mut Planter, n: usize) -> Vec<Value> {
    let container = |p: &mut Planter| {
        json!({"name": "web", "image": "web:1", "env": [
            {"name": "DB_PASSWORD", "value": p.next()}, {"name": "MODE", "value": format!("x {} y", p.next())},
            {"name": "ENCODED", "value": p.encoded()}],
            "args": [format!("--token={}", p.next()), p.next()], "command": ["sh", "-c", format!("login {}", p.next())],
            "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": p.next()}]}}})
    };
    let last_applied =
        json!({"kind": "Secret", "data": {"a": p.encoded()}, "stringData": {"b": p.next()}}).to_string();
    let manifest = format!(
        "---\n# Source: web/templates/secret.yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: web-{n}\nstringData:\n  password: {}\ndata:\n  key: {}\n---\n# Source: web/templates/deployment.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{n}\n  annotations:\n    note: {}\nspec:\n  replicas: 2\n  template:\n    spec:\n      containers:\n      - name: web\n        image: web:1\n        env:\n        - name: TOKEN\n          value: {}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web-{n}\ndata:\n  app.yaml: |\n    password: {}\n",
        p.next(),
        p.encoded(),
        p.next(),
        p.next(),
        p.next()
    );
    let release = json!({"name": "web", "namespace": "shop", "version": n, "apply_method": "ssa",
        "config": {"db": {"password": p.next(), "encoded": p.encoded()}},
        "chart": {"metadata": {"name": "web", "version": "1.2.3", "description": p.next(),
            "annotations": {"fleet.cattle.io/bundle-id": "web", "note": p.next()}},
            "values": {"default": p.next()}, "templates": [{"name": "a", "data": p.encoded()}], "files": [{"name": "f", "data": p.encoded()}]},
        "manifest": manifest,
        "hooks": [{"name": "h", "kind": "Job", "manifest": format!("kind: Job\nmetadata:\n  name: h\nspec:\n  template:\n    spec:\n      containers:\n      - name: h\n        env:\n        - name: A\n          value: {}\n", p.next()), "last_run": {"phase": "Failed"}}],
        "info": {"status": "failed", "notes": format!("Your password is {}", p.next()),
            "description": format!("Upgrade \"web\" failed: admission webhook \"policy.example.com\" denied the request: env DB_PASSWORD={} is not allowed", p.next())}});
    let webhook = format!(
        "admission webhook \"policy.example.com\" denied the request: value {} of {} is weak",
        p.next(),
        p.encoded()
    );
    let kubeconfig =
        format!("apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    token: {}\n", p.next());
    let managed = json!([{"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {
        "f:spec": {"f:args": {format!("v:{}", json!(p.next())): {}}, "f:env": {format!("k:{}", json!({"name": "X", "value": p.next()})): {}}}}}]);
    vec![
        json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": {"name": format!("db-{n}"), "namespace": "shop",
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": last_applied}},
            "data": {"password": p.encoded(), "double": p.twice()}, "stringData": {"plain": p.next()}}),
        json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": {"name": format!("kubeconfig-{n}"), "namespace": "fleet-default"},
            "data": {"value": STANDARD.encode(kubeconfig)}}),
        json!({"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": {"name": format!("sh.helm.release.v1.web.v{n}"),
            "namespace": "shop", "labels": {"owner": "helm", "name": "web", "status": "failed", "version": n.to_string()}},
            "data": {"release": encode::secret_data(release.to_string().as_bytes())}}),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("app-{n}"), "namespace": "shop"},
            "data": {"application.yaml": format!("spring:\n  password: {}\n", p.next())}, "binaryData": {"b": p.encoded()}}),
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": format!("web-{n}"), "namespace": "shop", "managedFields": managed,
            "annotations": {"example.com/note": p.next(), "objectset.rio.cattle.io/applied": p.twice(), "checksum/secret": p.encoded()}},
            "spec": {"replicas": 2, "template": {"metadata": {"annotations": {"vault.example.com/token": p.next()}}, "spec": {"containers": [container(p)]}}},
            "status": {"conditions": [{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": webhook}]}}),
        json!({"apiVersion": "v1", "kind": "Event", "metadata": {"name": format!("web.{n}"), "namespace": "shop"}, "reason": "FailedCreate",
            "message": format!("Error creating: environment PASSWORD={} rejected", p.next()), "involvedObject": {"kind": "Deployment", "name": format!("web-{n}")}}),
        json!({"apiVersion": "fleet.cattle.io/v1alpha1", "kind": "BundleDeployment", "metadata": {"name": format!("web-{n}"), "namespace": "cluster-a"},
            "spec": {"deploymentID": "s-1:2", "valuesHash": p.next(), "options": {"helm": {"values": {"a": p.next()}, "templateValues": {"b": p.next()}}}},
            "status": {"conditions": [{"type": "Ready", "message": format!("deployment.apps shop/web modified {{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"web\",\"env\":[{{\"name\":\"A\",\"value\":\"{}\"}}]}}]}}}}}}}}", p.next())}]}}),
        json!({"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": format!("web-{n}"), "namespace": "shop"},
            "spec": {"values": {"password": p.next()}, "postRenderers": [{"kustomize": {"patches": [{"patch": p.next()}]}}]},
            "status": {"lastAttemptedConfigDigest": format!("sha256:{}", p.next()), "history": [{"configDigest": p.next()}]}}),
        json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": {"name": format!("cluster-{n}"), "namespace": "argocd",
            "labels": {"argocd.argoproj.io/secret-type": "cluster"}},
            "data": {"name": STANDARD.encode(format!("edge-{n}")), "server": STANDARD.encode("https://edge.invalid"),
                "config": STANDARD.encode(json!({"bearerToken": p.next(), "password": p.next()}).to_string())}}),
        json!({"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": format!("web-{n}"), "namespace": "shop"},
            "spec": {"url": format!("https://user:{}@git.invalid/web", p.next())},
            "status": {"conditions": [{"type": "Ready", "status": "False", "reason": "GitOperationFailed",
                "message": format!("failed to list https://bot:{}@git.invalid/web: Authorization: Bearer {}", p.next(), p.next())}]}}),
        json!({"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": format!("web-{n}"), "namespace": "argocd"},
            "spec": {"source": {"repoURL": format!("https://user:{}@git.invalid/x", p.next()), "helm": {"values": p.next(), "valuesObject": {"a": p.next()}, "parameters": [{"name": "a", "value": p.next()}]}}}}),
        json!({"apiVersion": "helm.cattle.io/v1", "kind": "HelmChart", "metadata": {"name": format!("web-{n}"), "namespace": "kube-system"},
            "spec": {"valuesContent": format!("a: {}\n", p.next()), "set": {"b": p.next()}, "chartContent": p.encoded(), "repoCA": p.next()}}),
    ]
}

/// Everything that a reader of these bytes can get at: the text, each JSON string in it, what is base64
/// in those (twice), and what release payloads hold.
fn readable(bytes: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    decoded(&String::from_utf8_lossy(bytes), 4, &mut texts);
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        strings(&value, &mut texts);
    }
    texts
}

fn strings(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => decoded(text, 4, texts),
        Value::Array(items) => items.iter().for_each(|item| strings(item, texts)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            texts.push(key.clone());
            strings(value, texts);
        }),
        _ => {}
    }
}

fn decoded(text: &str, depth: usize, texts: &mut Vec<String>) {
    texts.push(text.to_owned());
    if depth == 0 {
        return;
    }
    for payload in [Payload::from_secret_data(text), Payload::from_config_map_data(text)] {
        if let Ok(release) = payload.json(Limit::default()) {
            strings(&release, texts);
        }
    }
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c))) {
        if let Some(bytes) = (word.len() >= 12).then(|| STANDARD.decode(word).ok()).flatten() {
            decoded(&String::from_utf8_lossy(&bytes), depth - 1, texts);
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(text)
        && !value.is_string()
    {
        strings(&value, texts);
    }
}

pub fn found<'p>(planted: &'p [String], content: &[Vec<u8>]) -> BTreeSet<&'p str> {
    let texts: Vec<String> = content.iter().flat_map(|bytes| readable(bytes)).collect();
    let all = texts.join("\n");
    planted.iter().map(String::as_str).filter(|secret| all.contains(secret)).collect()
}

fn contents(package: &Package) -> Vec<Vec<u8>> {
    package.files.iter().map(|file| file.content.clone()).collect()
}

pub fn planted() -> (Vec<String>, Vec<Value>) {
    let mut planter = Planter::default();
    let mut all = Vec::new();
    let mut n = 1;
    while planter.planted.len() < 200 {
        all.extend(objects(&mut planter, n));
        n += 1;
    }
    (planter.planted, all)
}

#[test]
fn no_planted_secret_is_in_a_capture_and_every_one_was_in_the_input() {
    let (planted, objects) = planted();
    let input = json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string();
    assert!(planted.len() >= 200);
    let there = found(&planted, &[input.clone().into_bytes()]);
    let overlooked: Vec<&String> = planted.iter().filter(|secret| !there.contains(secret.as_str())).collect();
    assert!(overlooked.is_empty(), "the search itself finds every planted secret: {overlooked:?}");

    let dump = Dump::new().file("all.json", &input);
    let saved = open(&[FromSpec::named("prod", dump.root())]);
    let redacted = package(&Taken::all_of(&saved), false);
    assert_eq!(found(&planted, &contents(&redacted)), BTreeSet::new());

    let shown = package(&Taken::all_of(&saved), true);
    assert_eq!(found(&planted, &contents(&shown)).len(), planted.len(), "--show-values leaves all in");
}

#[test]
fn hashes_agree_after_redaction_where_they_agreed_before() {
    use sha2::{Digest as _, Sha256};
    let hash = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let secret = |name: &str| {
        json!({"apiVersion": "v1", "kind": "Secret", "type": "fleet.cattle.io/bundle-deployment/v1alpha1",
            "metadata": {"name": name, "namespace": "a"}, "data": {"values": STANDARD.encode("secret: 1"), "stagedValues": ""}})
    };
    let deployment = |name: &str, hash: &str| {
        json!({"apiVersion": "fleet.cattle.io/v1alpha1", "kind": "BundleDeployment",
            "metadata": {"name": name, "namespace": "a"}, "spec": {"valuesHash": hash}})
    };
    let items =
        [secret("x"), secret("y"), deployment("x", &hash("secret: 1")), deployment("y", &hash("other"))];
    let dump = Dump::new().file("all.json", json!({"kind": "List", "items": items}).to_string());
    let package = package(&Taken::all_of(&open(&[FromSpec::named("x", dump.root())])), false);
    let file = |part: &str| {
        let file = package.files.iter().find(|file| file.path.contains(part)).expect(part);
        serde_json::from_slice::<Value>(&file.content).unwrap()["items"].clone()
    };
    let values = file("secrets")[0]["data"]["values"].as_str().unwrap().to_owned();
    let redacted = hash(&String::from_utf8(STANDARD.decode(values).unwrap()).unwrap());
    let deployments = file("bundledeployments");
    assert_eq!(deployments[0]["spec"]["valuesHash"], redacted);
    assert_ne!(deployments[1]["spec"]["valuesHash"], redacted);
}

#[test]
fn a_redacted_dump_still_tells_its_story() {
    let (_, objects) = planted();
    let count = objects.len();
    let input = json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string();
    let dump = Dump::new().file("all.json", &input);
    let saved = open(&[FromSpec::named("prod", dump.root())]);
    let first = package(&Taken::all_of(&saved), false);
    assert!(contents(&first) == contents(&package(&Taken::all_of(&saved), false)), "same input, same bytes");

    let mut again = Dump::new();
    for file in &first.files {
        again = again.file(&file.path, &file.content);
    }
    let saved = again.open().unwrap();
    let prod = cluster(&saved, "prod");
    assert_eq!(saved.everything().count(), count);
    assert!(paths(&prod, resources::DEPLOYMENTS).contains(&"shop/web-1".to_owned()));

    let query = helm_forensics::source::Query::all(resources::SECRETS).labelled("owner=helm");
    for object in crate::dump::list(&prod, &query) {
        let secret: Value = object.parse().unwrap();
        let release = Payload::from_secret_data(secret["data"]["release"].as_str().unwrap());
        let release = release.release(Limit::default()).expect("it still decodes");
        assert_eq!(release.config, None);
        assert_eq!(release.chart.title(), "web 1.2.3");
        assert!(release.info.description.starts_with("Upgrade \"web\" failed: admission webhook"));
        assert!(release.manifest.contains("replicas: 2") && release.manifest.contains("# Source: web/"));
    }
    // Redacting what is redacted changes nothing but the note of where it came from.
    let second = package(&Taken::all_of(&saved), false);
    for (first, second) in first.files.iter().zip(&second.files).skip(1) {
        let lines = |file: &File| {
            String::from_utf8_lossy(&file.content).lines().map(str::to_owned).collect::<Vec<_>>()
        };
        for (first, second) in lines(first).into_iter().zip(lines(second)) {
            assert_eq!(first, second);
        }
    }
}
