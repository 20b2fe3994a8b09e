//! The rows.

use serde_json::{Value, json};

use super::scene::{Helm, Scene};
use super::{Case, Left};
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::kubelet::Fate;
use crate::harness::release::DAMAGED;

const BOTH: &[Helm] = &[Helm::Three, Helm::Four];
/// Server-side apply, and what only it says.
const FOUR: &[Helm] = &[Helm::Four];

pub const CASES: &[Case] = &[
    Case {
        name: "ssa-scale",
        helms: FOUR,
        make: scaled_by_hand,
        leaves: &[Left {
            class: "ssa.conflict",
            revision: 2,
            status: "failed",
            says: &["Upgrade \"shop\" failed: ", "conflict with \"Mozilla\" with subresource \"scale\""],
        }],
    },
    Case {
        name: "ssa-scale-rolled-back",
        helms: FOUR,
        make: scaled_by_hand_with_rollback_on_failure,
        leaves: &[
            Left {
                class: "ssa.conflict",
                revision: 2,
                // Not failed: the rollback that failed on apply too has overwritten it.
                status: "superseded",
                says: &["Upgrade \"shop\" failed: ", "conflict with \"Mozilla\""],
            },
            Left {
                class: "ssa.conflict",
                revision: 3,
                status: "failed",
                says: &["Rollback \"shop\" failed: ", "conflict with \"Mozilla\""],
            },
        ],
    },
    Case {
        name: "ssa-hpa",
        helms: FOUR,
        make: scaled_by_an_autoscaler,
        leaves: &[Left {
            class: "ssa.conflict",
            revision: 2,
            status: "failed",
            says: &["conflict with \"kube-controller-manager\" with subresource \"scale\""],
        }],
    },
    Case {
        name: "schema",
        helms: FOUR,
        make: unknown_field,
        leaves: &[Left {
            class: "ssa.schema",
            revision: 1,
            status: "failed",
            says: &[
                "failed to create typed patch object",
                ".data.nested: expected string, got &value.valueUnstructured",
            ],
        }],
    },
    Case {
        name: "ssa-options",
        helms: FOUR,
        make: clashing_options,
        leaves: &[Left {
            class: "ssa.options",
            revision: 2,
            status: "failed",
            says: &["invalid operation: cannot use server-side apply and force replace together"],
        }],
    },
    Case {
        name: "immutable",
        helms: BOTH,
        make: other_selector,
        leaves: &[Left {
            class: "immutable.field",
            revision: 2,
            status: "failed",
            says: &["Deployment.apps \"shop-web\" is invalid: spec.selector", "field is immutable"],
        }],
    },
    Case {
        name: "wait",
        helms: FOUR,
        make: image_that_cannot_be_pulled,
        leaves: &[Left {
            class: "wait.timeout",
            revision: 1,
            status: "failed",
            says: &[
                "Release \"shop\" failed: resource Deployment/",
                "not ready. status: InProgress",
                "context deadline exceeded",
            ],
        }],
    },
    Case {
        name: "wait",
        helms: &[Helm::Three],
        make: image_that_cannot_be_pulled,
        leaves: &[Left {
            class: "wait.timeout",
            revision: 1,
            status: "failed",
            says: &["Release \"shop\" failed: context deadline exceeded"],
        }],
    },
    Case {
        name: "hook",
        helms: BOTH,
        make: failing_hook,
        leaves: &[Left {
            class: "hook.failed",
            revision: 1,
            status: "failed",
            says: &["Release \"shop\" failed: failed pre-install"],
        }],
    },
    Case {
        name: "admission-policy",
        helms: BOTH,
        make: denied_by_a_policy,
        leaves: &[Left {
            class: "policy.denied",
            revision: 1,
            status: "failed",
            says: &["is forbidden: ValidatingAdmissionPolicy 'no-shops-", "denied request: no shops here"],
        }],
    },
    Case {
        name: "webhook",
        helms: BOTH,
        make: webhook_without_a_service,
        leaves: &[Left {
            class: "webhook.unreachable",
            revision: 1,
            status: "failed",
            says: &["failed calling webhook \"shops.example.com\"", "service \"nobody\" not found"],
        }],
    },
    Case {
        name: "rbac",
        helms: BOTH,
        make: deployer_without_rights,
        leaves: &[Left {
            class: "rbac.forbidden",
            revision: 1,
            status: "failed",
            says: &["User \"deployer\" cannot", "resource \"deployments\" in API group \"apps\""],
        }],
    },
    Case {
        name: "rbac-escalation",
        helms: BOTH,
        make: deployer_who_grants_more_than_it_has,
        leaves: &[Left {
            class: "rbac.escalation",
            revision: 1,
            status: "failed",
            says: &["user \"deployer\"", "is attempting to grant RBAC permissions not currently held"],
        }],
    },
    Case {
        name: "quota",
        helms: BOTH,
        make: more_services_than_the_quota_has,
        leaves: &[Left {
            class: "quota",
            revision: 1,
            status: "failed",
            says: &["is forbidden: exceeded quota: team-quota, requested: services=1"],
        }],
    },
    Case {
        name: "limitrange",
        helms: BOTH,
        make: more_memory_than_the_limit,
        leaves: &[Left {
            class: "limitrange",
            revision: 1,
            status: "failed",
            says: &["maximum memory usage per Container is 256Mi, but limit is 512Mi"],
        }],
    },
    Case {
        name: "podsecurity",
        helms: BOTH,
        make: pod_against_the_security_level,
        leaves: &[Left {
            class: "podsecurity",
            revision: 1,
            status: "failed",
            says: &["violates PodSecurity \"restricted:latest\""],
        }],
    },
    Case {
        name: "validation",
        helms: BOTH,
        make: port_out_of_range,
        leaves: &[Left {
            class: "validation",
            revision: 2,
            status: "failed",
            says: &["Service \"shop-extra\" is invalid: spec.ports[0].port: Invalid value: 99999"],
        }],
    },
    Case {
        name: "namespace",
        helms: BOTH,
        make: object_for_a_namespace_that_is_not_there,
        leaves: &[Left {
            class: "namespace",
            revision: 1,
            status: "failed",
            says: &["namespaces \"nowhere\" not found"],
        }],
    },
    Case {
        name: "killed-install",
        helms: BOTH,
        make: killed_in_an_install,
        leaves: &[Left {
            class: "pending",
            revision: 1,
            status: "pending-install",
            says: &["Initial install underway"],
        }],
    },
    Case {
        name: "killed-upgrade",
        helms: BOTH,
        make: killed_in_an_upgrade,
        leaves: &[Left {
            class: "pending",
            revision: 2,
            status: "pending-upgrade",
            says: &["Preparing upgrade"],
        }],
    },
    Case {
        name: "killed-rollback",
        helms: BOTH,
        make: killed_in_a_rollback,
        leaves: &[Left {
            class: "pending",
            revision: 3,
            status: "pending-rollback",
            says: &["Rollback to 1"],
        }],
    },
    Case {
        name: "hook-delete",
        helms: BOTH,
        make: failing_delete_hook,
        leaves: &[Left {
            class: "pending",
            revision: 1,
            status: "uninstalling",
            says: &["Deletion in progress (or silently failed)"],
        }],
    },
    Case {
        name: "interrupted",
        helms: BOTH,
        make: stopped_in_an_upgrade,
        leaves: &[Left {
            class: "interrupted",
            revision: 2,
            status: "failed",
            says: &["Upgrade \"shop\" failed: context canceled"],
        }],
    },
    Case {
        name: "damaged",
        helms: BOTH,
        make: damaged_record,
        leaves: &[Left {
            class: "storage",
            revision: 2,
            // By its label; an upgrade over it fails without a trace.
            status: "failed",
            says: &[DAMAGED],
        }],
    },
];

fn chart() -> Chart {
    Chart::new("1.0.0")
}

/// The chart with one more object.
fn chart_with(object: &Value) -> Chart {
    chart().file("templates/extra.yaml", &object.to_string())
}

fn installed(scene: &Scene) {
    scene.deploy(chart(), &[]).succeeded();
}

fn scaled_by_hand(scene: &Scene) {
    installed(scene);
    scene.scale_in_a_browser(4);
    scene.deploy(chart(), &["--set=replicas=3"]).failed();
}

fn scaled_by_hand_with_rollback_on_failure(scene: &Scene) {
    installed(scene);
    scene.scale_in_a_browser(4);
    scene.deploy(chart(), &["--set=replicas=3", "--rollback-on-failure", "--wait", "--timeout=10s"]).failed();
}

fn scaled_by_an_autoscaler(scene: &Scene) {
    installed(scene);
    // Without metrics it can still raise the Deployment to the minimum.
    scene.kubectl(&["autoscale", "deployment", DEPLOYMENT, "--min=3", "--max=6", "--cpu=80%"]).succeeded();
    scene.await_replicas(3);
    scene.deploy(chart(), &["--set=tag=2"]).failed();
}

fn unknown_field(scene: &Scene) {
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shop-extra"},
        "data": {"nested": {"a": "b"}},
    });
    scene.deploy(chart_with(&object), &[]).failed();
}

fn clashing_options(scene: &Scene) {
    installed(scene);
    scene.deploy(chart(), &["--set=tag=2", "--force-replace"]).failed();
}

fn other_selector(scene: &Scene) {
    installed(scene);
    let renamed = include_str!("renamed.yaml");
    scene.deploy(chart().file("templates/objects.yaml", renamed), &[]).failed();
}

fn image_that_cannot_be_pulled(scene: &Scene) {
    let _kubelet = scene.pods_become(Fate::ImagePullError);
    scene.deploy(chart(), &["--wait", "--timeout=3s"]).failed();
}

fn hook(event: &str) -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "shop-migrate", "annotations": {"helm.sh/hook": event}},
        "spec": {"backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never", "containers": [
            {"name": "migrate", "image": "registry.example.com/shop/migrate:1"},
        ]}}},
    })
}

fn failing_hook(scene: &Scene) {
    let _kubelet = scene.pods_become(Fate::Failed);
    scene.deploy(chart_with(&hook("pre-install")), &["--timeout=60s"]).failed();
}

fn failing_delete_hook(scene: &Scene) {
    scene.deploy(chart_with(&hook("pre-delete")), &[]).succeeded();
    let _kubelet = scene.pods_become(Fate::Failed);
    scene.helm(&["uninstall", RELEASE], &["--timeout=60s"]).failed();
}

/// What the admission rules below are tried with before Helm comes.
fn config_map() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "trial"}})
}

fn denied_by_a_policy(scene: &Scene) {
    let name = format!("no-shops-{}", scene.namespace);
    let only_here = json!({"matchLabels": {"kubernetes.io/metadata.name": scene.namespace}});
    scene.apply(&[
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name},
            "spec": {
                "matchConstraints": {"namespaceSelector": only_here, "resourceRules": [{
                    "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"],
                    "resources": ["configmaps"],
                }]},
                "validations": [{"expression": "false", "message": "no shops here"}],
            },
        }),
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]},
        }),
    ]);
    scene.await_refusal("configmaps", &config_map(), "no shops here");
    scene.deploy(chart(), &[]).failed();
}

fn webhook_without_a_service(scene: &Scene) {
    scene.apply(&[json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": format!("shops-{}", scene.namespace)},
        "webhooks": [{
            "name": "shops.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "clientConfig": {"service": {"namespace": scene.namespace, "name": "nobody"}},
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": scene.namespace}},
            "rules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
            }],
        }],
    })]);
    scene.await_refusal("configmaps", &config_map(), "failed calling webhook");
    scene.deploy(chart(), &[]).failed();
}

/// A user who may do all that Helm needs for its records, ConfigMaps and Services, and a little more.
fn deployer(scene: &Scene, more: &Value) {
    let everything =
        json!({"apiGroups": [""], "resources": ["secrets", "configmaps", "services"], "verbs": ["*"]});
    let reading = json!({"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]});
    scene.apply(&[
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "deployer"},
            "rules": [everything, reading, more],
        }),
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "deployer"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "deployer"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "deployer"}],
        }),
    ]);
}

fn deployer_without_rights(scene: &Scene) {
    deployer(scene, &json!({"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get"]}));
    scene.deploy(chart(), &["--kube-as-user=deployer"]).failed();
}

fn deployer_who_grants_more_than_it_has(scene: &Scene) {
    let roles = json!({
        "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"],
        "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"],
    });
    deployer(scene, &roles);
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "shop-extra"},
        "rules": [{"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["delete"]}],
    });
    let alone = chart().file("templates/objects.yaml", &role.to_string());
    scene.deploy(alone, &["--kube-as-user=deployer"]).failed();
}

fn service(port: u32) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "shop-extra"},
        "spec": {"ports": [{"port": port, "targetPort": 8080}]},
    })
}

fn more_services_than_the_quota_has(scene: &Scene) {
    scene.apply(&[json!({
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team-quota"},
        "spec": {"hard": {"services": "0"}},
    })]);
    scene.await_refusal("services", &service(80), "exceeded quota");
    scene.deploy(chart(), &[]).failed();
}

fn pod(memory: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "shop-extra"},
        "spec": {"containers": [{
            "name": "web", "image": "registry.example.com/shop/web:1", "resources": {"limits": {"memory": memory}},
        }]},
    })
}

fn more_memory_than_the_limit(scene: &Scene) {
    scene.apply(&[json!({
        "apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "limits"},
        "spec": {"limits": [{"type": "Container", "max": {"memory": "256Mi"}}]},
    })]);
    scene.await_refusal("pods", &pod("512Mi"), "maximum memory usage");
    scene.deploy(chart_with(&pod("512Mi")), &[]).failed();
}

fn pod_against_the_security_level(scene: &Scene) {
    let label = "pod-security.kubernetes.io/enforce=restricted";
    scene.kubectl(&["label", "namespace", &scene.namespace, label]).succeeded();
    scene.await_refusal("pods", &pod("1Mi"), "violates PodSecurity");
    scene.deploy(chart_with(&pod("1Mi")), &[]).failed();
}

fn port_out_of_range(scene: &Scene) {
    scene.deploy(chart_with(&service(80)), &[]).succeeded();
    scene.deploy(chart_with(&service(99999)), &[]).failed();
}

fn object_for_a_namespace_that_is_not_there(scene: &Scene) {
    let mut object = config_map();
    object["metadata"]["namespace"] = "nowhere".into();
    scene.deploy(chart_with(&object), &[]).failed();
}

/// Nobody plays kubelet here, so a Helm that waits waits until it is stopped.
const WAITING: [&str; 3] = ["--wait", "--timeout=60s", "--set=tag=2"];

fn killed_in_an_install(scene: &Scene) {
    let chart = chart().write(scene.plane);
    scene.helm_until("KILL", &["install", RELEASE, &chart], &WAITING, || {
        scene.await_status("pending-install")
    });
}

fn killed_in_an_upgrade(scene: &Scene) {
    installed(scene);
    let chart = chart().write(scene.plane);
    scene.helm_until("KILL", &["upgrade", RELEASE, &chart], &WAITING, || {
        scene.await_status("pending-upgrade")
    });
}

fn killed_in_a_rollback(scene: &Scene) {
    installed(scene);
    scene.deploy(chart(), &["--set=tag=2"]).succeeded();
    let flags = ["--wait", "--timeout=60s"];
    scene.helm_until("KILL", &["rollback", RELEASE, "1"], &flags, || scene.await_status("pending-rollback"));
}

fn stopped_in_an_upgrade(scene: &Scene) {
    installed(scene);
    let chart = chart().write(scene.plane);
    scene.helm_until("TERM", &["upgrade", RELEASE, &chart], &WAITING, || {
        scene.await_status("pending-upgrade");
        // Only a Helm that has come to waiting takes the signal as a cancelled wait.
        scene.await_generation(2);
    });
    scene.await_status("failed");
}

fn damaged_record(scene: &Scene) {
    port_out_of_range(scene);
    // Looks like Helm's base64 of gzip until the second byte.
    let patch = json!({"data": {"release": "SDRzSUFBQUFBQUFDL3h4LWRhbWFnZWQ="}}).to_string();
    let secret = "sh.helm.release.v1.shop.v2";
    scene.kubectl(&["patch", "secret", secret, "--type=merge", "--patch", &patch]).succeeded();
    let refused = scene.deploy(chart_with(&service(80)), &[]).failed();
    assert!(refused.stderr.contains("already exists"), "{refused}");
}
