//! Random objects of the kinds that charts hold, in the forms that charts write.

use serde_json::{Value, json};

use super::seeded::Seeded;

/// One kind and the things that a chart sets on it.
pub struct Kind {
    pub api_version: &'static str,
    pub kind: &'static str,
    pub plural: &'static str,
    pub has_scale: bool,
    base: fn() -> Value,
    aspects: &'static [Aspect],
}

/// A part of an object, as a chart writes it.
type Aspect = fn(&mut Seeded) -> Value;

impl Kind {
    /// An object with each of its aspects in `chances` of ten.
    pub fn object(&self, seeded: &mut Seeded, name: &str, chances: u64) -> Value {
        let mut object = (self.base)();
        object["apiVersion"] = self.api_version.into();
        object["kind"] = self.kind.into();
        lay(&mut object, json!({"metadata": {"name": name}}));
        for aspect in self.aspects.iter().chain(METADATA) {
            let part = aspect(seeded);
            if seeded.below(10) < chances {
                lay(&mut object, part);
            }
        }
        object
    }
}

/// Lays a part over an object; lists of named items are joined.
fn lay(object: &mut Value, part: Value) {
    match (object, part) {
        (Value::Object(object), Value::Object(part)) => {
            for (name, value) in part {
                lay(object.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(items), Value::Array(parts)) if parts.iter().all(|part| part.get("name").is_some()) => {
            for part in parts {
                match items.iter_mut().find(|item| item["name"] == part["name"]) {
                    Some(item) => lay(item, part),
                    None => items.push(part),
                }
            }
        }
        (object, part) => *object = part,
    }
}

macro_rules! one_of {
    ($seeded:expr; $($value:tt),* $(,)?) => {{
        let choices = [$(json!($value)),*];
        choices[$seeded.below(choices.len() as u64) as usize].clone()
    }};
}

fn container(fields: Value) -> Value {
    let mut web = json!({"name": "web"});
    lay(&mut web, fields);
    json!({"spec": {"template": {"spec": {"containers": [web]}}}})
}

fn pod(fields: Value) -> Value {
    json!({"spec": {"template": {"spec": fields}}})
}

const METADATA: &[Aspect] = &[
    |s| json!({"metadata": {"labels": {"app.kubernetes.io/name": one_of!(s; "a", "b")}}}),
    |s| json!({"metadata": {"labels": one_of!(s; {"tier": "x"}, {"tier": "y"}, {"a": ""}, {}, null)}}),
    |s| {
        json!({"metadata": {"annotations": one_of!(s; {"example.com/team.owner": "x"}, {"example.com/team.owner": "y"},
        {"b": "1"}, {"c": "\"q\""}, {}, null)}})
    },
    |s| json!({"metadata": {"finalizers": one_of!(s; ["example.com/a"], ["example.com/a", "example.com/b"], [], ["example.com/b"])}}),
];

const POD: &[Aspect] = &[
    |s| container(json!({"image": one_of!(s; "r/web:1", "r/web:2", "r/web")})),
    |s| container(json!({"imagePullPolicy": one_of!(s; "Always", "IfNotPresent", null)})),
    |s| {
        container(
            json!({"env": one_of!(s; [{"name": "A", "value": "1"}], [{"name": "A", "value": "2"}, {"name": "feature.flag", "value": "on"}],
        [{"name": "B"}], [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
        [{"name": "C", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}], [{"name": "A", "value": ""}], [], null)}),
        )
    },
    |s| {
        container(
            json!({"ports": one_of!(s; [{"containerPort": 80}], [{"containerPort": 80, "protocol": "TCP", "name": "http"}],
        [{"containerPort": 80, "name": "web"}], [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}], [])}),
        )
    },
    |s| {
        container(
            json!({"resources": one_of!(s; {"limits": {"cpu": "500m"}}, {"limits": {"cpu": "0.5"}}, {"limits": {"cpu": 0.5}},
        {"limits": {"cpu": 1, "memory": "1Gi"}}, {"limits": {"cpu": "1", "memory": "1024Mi"}}, {"requests": {"memory": "64Mi"}},
        {"limits": {"memory": "1Gi", "nvidia.com/gpu": 1}}, {}, null)}),
        )
    },
    |s| container(json!({"args": one_of!(s; ["a"], ["a", "b"], [], null)})),
    |s| {
        container(
            json!({"livenessProbe": one_of!(s; {"httpGet": {"path": "/", "port": 80}}, {"httpGet": {"path": "/", "port": "http"}},
        {"httpGet": {"path": "/x", "port": 80, "scheme": "HTTP"}, "periodSeconds": 5}, {"exec": {"command": ["a"]}}, null)}),
        )
    },
    |s| {
        container(
            json!({"volumeMounts": one_of!(s; [{"name": "v", "mountPath": "/v"}], [{"name": "v", "mountPath": "/v", "readOnly": true}],
        [{"name": "v", "mountPath": "/etc/x/config.yaml", "subPath": "a"}], [])}),
        )
    },
    |s| {
        container(
            json!({"securityContext": one_of!(s; {"runAsNonRoot": true}, {"runAsUser": 1, "capabilities": {"drop": ["ALL"]}}, {}, null)}),
        )
    },
    |s| {
        pod(
            json!({"volumes": one_of!(s; [{"name": "v", "emptyDir": {}}], [{"name": "v", "emptyDir": {"sizeLimit": "1Gi"}}],
        [{"name": "v", "emptyDir": {"sizeLimit": "1024Mi"}}], [{"name": "v", "configMap": {"name": "c", "items": [{"key": "a", "path": "b"}]}}],
        [{"name": "v", "secret": {"secretName": "s"}}])}),
        )
    },
    |s| pod(json!({"containers": [{"name": "side", "image": one_of!(s; "r/side:1", "r/side:2")}]})),
    |s| {
        pod(
            json!({"initContainers": one_of!(s; [{"name": "init", "image": "i:1"}], [{"name": "init", "image": "i:2"}], [])}),
        )
    },
    |s| {
        pod(
            json!({"nodeSelector": one_of!(s; {"kubernetes.io/os": "linux"}, {"a": "b", "c": "d"}, {}, null)}),
        )
    },
    |s| {
        pod(
            json!({"tolerations": one_of!(s; [{"key": "a", "operator": "Exists"}], [{"key": "b", "operator": "Exists"}], [], null)}),
        )
    },
    |s| pod(json!({"imagePullSecrets": one_of!(s; [{"name": "a"}], [{"name": "a"}, {"name": "b"}], [])})),
    |s| pod(json!({"terminationGracePeriodSeconds": one_of!(s; 10, 30, 60)})),
    |s| pod(json!({"securityContext": one_of!(s; {"fsGroup": 1}, {"fsGroup": 2}, {}, null)})),
    |s| {
        pod(json!({"topologySpreadConstraints": one_of!(s;
        [{"topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "maxSkew": 1}],
        [{"topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "maxSkew": 1, "labelSelector": {"matchLabels": {"app": "x"}}}])}))
    },
    |s| {
        pod(
            json!({"hostAliases": one_of!(s; [{"ip": "1.2.3.4", "hostnames": ["a"]}], [{"ip": "1.2.3.4", "hostnames": ["b"]}])}),
        )
    },
    |s| {
        pod(
            json!({"affinity": one_of!(s; {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 1, "podAffinityTerm": {"topologyKey": "h", "labelSelector": {"matchLabels": {"app": "x"}}}}]}}, {}, null)}),
        )
    },
    |s| json!({"spec": {"template": {"metadata": {"annotations": one_of!(s; {"checksum/config": "1"}, {"checksum/config": "2"}, null)}}}}),
    |s| json!({"spec": {"template": {"metadata": {"creationTimestamp": one_of!(s; null)}}}}),
];

const DEPLOYMENT: &[Aspect] = &[
    |s| json!({"spec": {"replicas": one_of!(s; 0, 1, 2, 3, 2, 3, null)}}),
    |s| {
        json!({"spec": {"strategy": one_of!(s; {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
        {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}}, {"type": "Recreate"}, {})}})
    },
    |s| json!({"spec": {"revisionHistoryLimit": one_of!(s; 2, 10, 3)}}),
    |s| json!({"spec": {"minReadySeconds": one_of!(s; 0, 5)}}),
    POD[0],
    POD[1],
    POD[2],
    POD[3],
    POD[4],
    POD[5],
    POD[6],
    POD[7],
    POD[8],
    POD[9],
    POD[10],
    POD[11],
    POD[12],
    POD[13],
    POD[14],
    POD[15],
    POD[16],
    POD[17],
    POD[18],
    POD[19],
    POD[20],
    POD[21],
];

const STATEFUL_SET: &[Aspect] = &[
    |s| json!({"spec": {"updateStrategy": one_of!(s; {"type": "OnDelete"}, {"rollingUpdate": {"partition": 1}}, {})}}),
    POD[0],
    POD[1],
    POD[2],
    POD[3],
    POD[4],
    POD[5],
    POD[6],
    POD[7],
    POD[9],
    POD[10],
    POD[12],
    POD[14],
    POD[20],
];

const SERVICE: &[Aspect] = &[
    |s| {
        json!({"spec": {"ports": one_of!(s; [{"port": 80, "name": "http"}], [{"port": 80, "name": "http", "targetPort": 8080}],
        [{"port": 80, "name": "web", "targetPort": "web", "protocol": "TCP"}], [{"port": 80, "name": "a"}, {"port": 53, "protocol": "UDP", "name": "dns"}],
        [{"port": 53, "name": "t", "protocol": "TCP"}, {"port": 53, "protocol": "UDP", "name": "u"}, {"port": 80, "name": "http"}])}})
    },
    |s| json!({"spec": {"selector": one_of!(s; {"app": "x"}, {"app": "y"}, {"app": "x", "b": "c"}, {}, null)}}),
    |s| json!({"spec": {"sessionAffinity": one_of!(s; "None", "ClientIP")}}),
    |s| json!({"spec": {"type": one_of!(s; "ClusterIP", "NodePort")}}),
    |s| json!({"spec": {"publishNotReadyAddresses": one_of!(s; true, false)}}),
    |s| json!({"spec": {"externalIPs": one_of!(s; ["1.2.3.4"], ["1.2.3.5"], [])}}),
];

const CONFIG_MAP: &[Aspect] = &[
    |s| json!({"data": {"homeserver.yaml": one_of!(s; "a", "b", "")}}),
    |s| json!({"data": {"app.properties": one_of!(s; "mode=fast", "mode=slow")}}),
    |s| json!({"data": one_of!(s; {"promo": "summer"}, {"promo": "winter"}, {"x": "1", "y": "2"}, {}, null)}),
    |s| json!({"binaryData": one_of!(s; {"blob": "YQ=="}, {"blob": "Yg=="}, {}, null)}),
];

const SECRET: &[Aspect] = &[
    |s| json!({"data": {"password": one_of!(s; "YQ==", "Yg==", "")}}),
    |s| json!({"data": one_of!(s; {".dockerconfigjson": "YQ=="}, {"token": "YQ=="}, {"token": "Yg=="}, {}, null)}),
    |s| json!({"stringData": one_of!(s; {"plain": "a"}, {"plain": "b"}, {"password": "c"}, {}, null)}),
];

const AUTOSCALER: &[Aspect] = &[
    |s| json!({"spec": {"minReplicas": one_of!(s; 1, 2, null)}}),
    |s| json!({"spec": {"maxReplicas": one_of!(s; 5, 10)}}),
    |s| {
        json!({"spec": {"metrics": one_of!(s; [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}],
        [{"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1024Mi"}}}],
        [{"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"}}}])}})
    },
    |s| json!({"spec": {"behavior": one_of!(s; {"scaleDown": {"stabilizationWindowSeconds": 60}}, {"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]}})}}),
];

const INGRESS: &[Aspect] = &[
    |s| {
        json!({"spec": {"rules": one_of!(s; [{"host": "a.example"}], [{"host": "b.example", "http": {"paths": [{"path": "/", "pathType": "Prefix",
        "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}])}})
    },
    |s| json!({"spec": {"tls": one_of!(s; [{"hosts": ["a.example"], "secretName": "t"}], [{"secretName": "u"}], [])}}),
    |s| json!({"spec": {"ingressClassName": one_of!(s; "nginx", "traefik")}}),
    |s| json!({"spec": {"defaultBackend": one_of!(s; {"service": {"name": "s", "port": {"number": 80}}}, {"service": {"name": "s", "port": {"name": "http"}}})}}),
];

const POLICY: &[Aspect] = &[
    |s| json!({"spec": {"podSelector": one_of!(s; {"matchLabels": {"app": "x"}}, {"matchLabels": {"app": "y"}}, {})}}),
    |s| json!({"spec": {"ingress": one_of!(s; [{}], [{"from": [{"podSelector": {}}], "ports": [{"port": 80}]}], [])}}),
    |s| json!({"spec": {"policyTypes": one_of!(s; ["Ingress"], ["Ingress", "Egress"])}}),
];

const ROLE: &[Aspect] = &[
    |s| json!({"rules": one_of!(s; [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}], [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}], [], null)}),
];

const ACCOUNT: &[Aspect] = &[
    |s| json!({"imagePullSecrets": one_of!(s; [{"name": "a"}], [{"name": "b"}], [])}),
    |s| json!({"secrets": one_of!(s; [{"name": "a"}], [{"name": "a", "kind": "Secret"}], [])}),
    |s| json!({"automountServiceAccountToken": one_of!(s; true, false)}),
];

const BUDGET: &[Aspect] = &[
    |s| json!({"spec": {"minAvailable": one_of!(s; 1, "50%", "1")}}),
    |s| json!({"spec": {"selector": one_of!(s; {"matchLabels": {"app": "x"}}, {"matchLabels": {"app": "y"}})}}),
    |s| json!({"spec": {"unhealthyPodEvictionPolicy": one_of!(s; "AlwaysAllow", "IfHealthyBudget")}}),
];

const QUOTA: &[Aspect] = &[
    |s| json!({"spec": {"hard": one_of!(s; {"cpu": "1"}, {"cpu": "1000m"}, {"cpu": 1}, {"memory": "1Gi", "cpu": "2"}, {"memory": "1024Mi"}, {})}}),
    |s| json!({"spec": {"scopes": one_of!(s; ["BestEffort"], [])}}),
];

const CRON_JOB: &[Aspect] = &[
    |s| json!({"spec": {"schedule": one_of!(s; "0 0 1 1 *", "0 0 2 1 *")}}),
    |s| json!({"spec": {"concurrencyPolicy": one_of!(s; "Allow", "Forbid")}}),
    |s| json!({"spec": {"successfulJobsHistoryLimit": one_of!(s; 1, 3)}}),
    |s| json!({"spec": {"jobTemplate": {"spec": {"backoffLimit": one_of!(s; 1, 6)}}}}),
    |s| {
        json!({"spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [{"name": "job",
        "env": one_of!(s; [{"name": "A", "value": "1"}], [{"name": "A", "value": "2"}], [{"name": "B", "value": "1"}])}]}}}}}})
    },
    |s| json!({"spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [{"name": "job", "image": one_of!(s; "j:1", "j:2")}]}}}}}}),
];

const WIDGET: &[Aspect] = &[
    |s| json!({"spec": {"size": one_of!(s; 1, 2, 3, null)}}),
    |s| json!({"spec": {"mounts": one_of!(s; [{"path": "/a"}], [{"path": "/a", "mode": "rw"}], [{"path": "/etc/x/config.yaml", "mode": "rx"}, {"path": "/a", "mode": "ro"}], [])}}),
    |s| json!({"spec": {"ports": one_of!(s; [{"port": 1}], [{"port": 1, "protocol": "TCP", "name": "x"}], [{"port": 1, "protocol": "UDP"}], [])}}),
    |s| json!({"spec": {"tags": one_of!(s; ["a"], ["b", "a"], [], ["c"])}}),
    |s| json!({"spec": {"args": one_of!(s; ["a"], ["b"], [], ["a", "b"])}}),
    |s| json!({"spec": {"ref": one_of!(s; {"name": "x"}, {"name": "y"}, {"name": "x", "kind": "K"}, {})}}),
    |s| json!({"spec": {"free": one_of!(s; {"a": "1"}, {"a": "2", "b.c": "3"}, {}, {"d": ""})}}),
    |s| json!({"spec": {"any": one_of!(s; {"a": {"b": 1}}, {"a": {"b": 2, "c": [1]}}, {"a": 1}, {"a": {}}, {})}}),
    |s| json!({"spec": {"nested": one_of!(s; {"mode": "fast"}, {"level": 1}, {"mode": "slow", "level": 2}, {})}}),
    |s| json!({"spec": {"groups": one_of!(s; {"g": {"x": 1}}, {"g": {"y": 2}}, {"h": {"x": 1, "y": 1}}, {})}}),
    |s| json!({"spec": {"port": one_of!(s; 80, "http", "80")}}),
];

pub const KINDS: &[&Kind] = &[
    &Kind {
        api_version: "apps/v1",
        kind: "Deployment",
        plural: "deployments",
        has_scale: true,
        aspects: DEPLOYMENT,
        base: || {
            json!({"spec": {"paused": true, "selector": {"matchLabels": {"app": "x"}},
            "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "web", "image": "r/web:0"}]}}}})
        },
    },
    &Kind {
        api_version: "apps/v1",
        kind: "Deployment",
        plural: "deployments",
        has_scale: true,
        aspects: DEPLOYMENT,
        base: || {
            json!({"spec": {"paused": true, "selector": {"matchLabels": {"app": "x"}},
            "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "web"}],
            "volumes": [{"name": "v"}]}}}})
        },
    },
    &Kind {
        api_version: "apps/v1",
        kind: "StatefulSet",
        plural: "statefulsets",
        has_scale: true,
        aspects: STATEFUL_SET,
        base: || {
            json!({"spec": {"replicas": 0, "serviceName": "x", "selector": {"matchLabels": {"app": "x"}},
            "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "web", "image": "r/web:0"}]}}}})
        },
    },
    &Kind {
        api_version: "v1",
        kind: "Service",
        plural: "services",
        has_scale: false,
        aspects: SERVICE,
        base: || json!({"spec": {"ports": [{"port": 80, "name": "http"}]}}),
    },
    &Kind {
        api_version: "v1",
        kind: "ConfigMap",
        plural: "configmaps",
        has_scale: false,
        aspects: CONFIG_MAP,
        base: || json!({}),
    },
    &Kind {
        api_version: "v1",
        kind: "Secret",
        plural: "secrets",
        has_scale: false,
        aspects: SECRET,
        base: || json!({"type": "Opaque"}),
    },
    &Kind {
        api_version: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        plural: "horizontalpodautoscalers",
        has_scale: false,
        aspects: AUTOSCALER,
        base: || json!({"spec": {"maxReplicas": 4, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "none"}}}),
    },
    &Kind {
        api_version: "networking.k8s.io/v1",
        kind: "Ingress",
        plural: "ingresses",
        has_scale: false,
        aspects: INGRESS,
        base: || json!({"spec": {"rules": [{"host": "z.example"}]}}),
    },
    &Kind {
        api_version: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        plural: "networkpolicies",
        has_scale: false,
        aspects: POLICY,
        base: || json!({"spec": {}}),
    },
    &Kind {
        api_version: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        plural: "roles",
        has_scale: false,
        aspects: ROLE,
        base: || json!({}),
    },
    &Kind {
        api_version: "v1",
        kind: "ServiceAccount",
        plural: "serviceaccounts",
        has_scale: false,
        aspects: ACCOUNT,
        base: || json!({}),
    },
    &Kind {
        api_version: "policy/v1",
        kind: "PodDisruptionBudget",
        plural: "poddisruptionbudgets",
        has_scale: false,
        aspects: BUDGET,
        base: || json!({"spec": {}}),
    },
    &Kind {
        api_version: "v1",
        kind: "ResourceQuota",
        plural: "resourcequotas",
        has_scale: false,
        aspects: QUOTA,
        base: || json!({"spec": {}}),
    },
    &Kind {
        api_version: "batch/v1",
        kind: "CronJob",
        plural: "cronjobs",
        has_scale: false,
        aspects: CRON_JOB,
        base: || {
            json!({"spec": {"suspend": true, "schedule": "0 0 3 1 *", "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never",
            "containers": [{"name": "job", "image": "j:0"}]}}}}}})
        },
    },
    &Kind {
        api_version: "predict.example.com/v1",
        kind: "Widget",
        plural: "widgets",
        has_scale: false,
        aspects: WIDGET,
        base: || json!({"spec": {}}),
    },
    &Kind {
        api_version: "predict.example.com/v1",
        kind: "Widget",
        plural: "widgets",
        has_scale: false,
        aspects: WIDGET,
        base: || json!({}),
    },
];

/// The custom kind: every way in which its lists and maps can merge.
pub const DEFINITION: &str = r#"{
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.predict.example.com"},
  "spec": {"group": "predict.example.com", "scope": "Namespaced",
    "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
    "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
          "size": {"type": "integer", "nullable": true},
          "mounts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["path"],
            "items": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}, "mode": {"type": "string"}}}},
          "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
            "items": {"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"},
              "protocol": {"type": "string", "default": "TCP"}, "name": {"type": "string"}}}},
          "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
          "args": {"type": "array", "items": {"type": "string"}},
          "ref": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"name": {"type": "string"}, "kind": {"type": "string"}}},
          "free": {"type": "object", "additionalProperties": {"type": "string"}},
          "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
          "nested": {"type": "object", "properties": {"mode": {"type": "string", "default": "fast"}, "level": {"type": "integer"}}},
          "groups": {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}},
          "port": {"x-kubernetes-int-or-string": true}}},
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}
}"#;
