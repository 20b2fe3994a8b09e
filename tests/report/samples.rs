//! Reports built by hand after recorded incidents.

use helm_forensics::object::ObjectRef;
use helm_forensics::report::{
    ClusterSeen, Confidence, Conflict, Earlier, Evidence, Finding, Gap, Instant, Moment, Owned, Release,
    Report, Risk, Running, WayOut,
};
use jiff::Timestamp;
use serde_json::{Value, json};

pub fn at(time: &str) -> Timestamp {
    format!("2026-11-30T{time}Z").parse().expect("a time")
}

pub fn report(findings: Vec<Finding>) -> Report {
    let mut report = Report::new(at("00:45:40"));
    report.clusters = vec![seen("c-prod", Some("prod-eu")), seen("c-stage", None)];
    report.findings = findings;
    report
}

pub fn seen(name: &str, display_name: Option<&str>) -> ClusterSeen {
    ClusterSeen { name: name.into(), display_name: display_name.map(Into::into), reached: true }
}

pub fn deployment(namespace: &str, name: &str) -> ObjectRef {
    ObjectRef::new("apps/v1", "Deployment", namespace, name)
}

pub fn gitrepo(name: &str) -> ObjectRef {
    ObjectRef::new("fleet.cattle.io/v1alpha1", "GitRepo", "fleet-default", name)
}

pub fn claim(source: &str, says: &str) -> Evidence {
    Evidence { source: source.into(), says: says.into() }
}

pub fn way(risk: Risk, title: &str, commands: &[&str], then: &str) -> WayOut {
    WayOut {
        title: title.into(),
        risk,
        who: "on call".into(),
        commands: commands.iter().map(|command| (*command).into()).collect(),
        then: then.into(),
    }
}

pub fn conflict(
    object: ObjectRef,
    path: &str,
    manager: &str,
    who: &str,
    wanted: Value,
    live: Value,
) -> Conflict {
    Conflict {
        object,
        path: path.into(),
        manager: manager.into(),
        operation: "Update".into(),
        subresource: String::new(),
        who: who.into(),
        since: Some(at("00:41:10")),
        since_from: Some("managedFields".into()),
        wanted,
        live,
        owners: Vec::new(),
    }
}

/// A finding without a Helm revision.
pub fn told(owner: &str, cluster: &str, state: &str, class: &str, summary: &str, message: &str) -> Finding {
    Finding {
        owner: Some(gitrepo(owner)),
        cluster: Some(cluster.into()),
        state: json!(state),
        release: None,
        class: class.into(),
        also: Vec::new(),
        summary: summary.into(),
        message: Some(message.into()),
        conflicts: Vec::new(),
        entities: Value::Null.into(),
        wanted: Some("commit 3e876b9".into()),
        tries_lost: None,
        running: Vec::new(),
        earlier: Vec::new(),
        chain: vec![gitrepo(owner)],
        heals_itself: false,
        overtaken_by: None,
        confidence: Confidence::Likely,
        evidence: vec![claim(
            &format!("BundleDeployment cluster-fleet-default-{cluster}/{owner}, condition Deployed"),
            "the agent's own text, of the present try",
        )],
        timeline: Vec::new(),
        ways_out: vec![way(Risk::Safe, "Repair it in Git.", &[], "Fleet tries the next commit at once.")],
        gaps: Vec::new(),
    }
}

/// fixtures/fleet-scale-conflict: the incident that this tool exists for.
pub fn scale_conflict() -> Report {
    let object = deployment("shop", "shop-podinfo");
    let replicas = Conflict {
        subresource: "scale".into(),
        since: None,
        since_from: Some(
            "the API keeps no time for the scale subresource; event ScalingReplicaSet at 00:45:24".into(),
        ),
        owners: vec![Owned {
            manager: "Mozilla".into(),
            operation: "Update".into(),
            subresource: "scale".into(),
            since: None,
        }],
        ..conflict(
            object.clone(),
            ".spec.replicas",
            "Mozilla",
            "a person in a web browser",
            json!(2),
            json!(4),
        )
    };
    let text = "Upgrade \"shop\" failed: conflict occurred while applying object shop/shop-podinfo apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with \"Mozilla\" with subresource \"scale\" using apps/v1: .spec.replicas";
    let finding = Finding {
        release: Some(Release {
            namespace: "shop".into(),
            name: "shop".into(),
            revision: Some(16),
            status: Some("failed".into()),
            description: Some(text.into()),
            chart: Some("podinfo 6.15.0".into()),
            deployed_revision: Some(1),
            started: Some(at("00:45:36")),
cause_revision: None,
        }),
        summary: "Mozilla (a person in a web browser) holds .spec.replicas of Deployment shop/shop-podinfo: Git wants 2, the cluster has 4.".into(),
        message: None,
        conflicts: vec![replicas],
        wanted: Some("commit 3e876b9, 35 s ago".into()),
        tries_lost: Some(14),
        running: vec![Running { object: object.clone(), says: "4 of 4 ready".into() }],
        earlier: vec![Earlier {
            revision: 15,
            status: "failed".into(),
            class: "ssa.conflict".into(),
            description: text.into(),
            conflicts: Vec::new(),
        }],
        confidence: Confidence::Certain,
        evidence: vec![
            claim("Secret shop/sh.helm.release.v1.shop.v16 on c-prod, info.description", text),
            claim("Deployment shop/shop-podinfo on c-prod, managedFields", "Mozilla owns .spec.replicas through scale"),
            claim(
                "BundleDeployment cluster-fleet-default-c-prod/shop-shop",
                "Fleet shows no reason because its agent drops conflict errors; its drift message dates from before the commit.",
            ),
        ],
        timeline: vec![
            Moment { at: Instant::Exact(at("00:45:05")), what: "commit 3e876b9 wanted".into(), source: "GitRepo fleet-default/shop, status.commit".into() },
            Moment {
                at: Instant::Between { after: Some(at("00:45:05")), before: Some(at("00:45:16")) },
                what: "first refused try".into(),
                source: "Secret shop/sh.helm.release.v1.shop.v2 is gone".into(),
            },
            Moment { at: Instant::Exact(at("00:45:24")), what: "scaled up replica set from 2 to 4".into(), source: "event ScalingReplicaSet on c-prod".into() },
            Moment { at: Instant::Exact(at("00:45:36")), what: "revision 16 refused".into(), source: "Secret shop/sh.helm.release.v1.shop.v16, creationTimestamp".into() },
        ],
        ways_out: vec![
            way(
                Risk::Safe,
                "Give the field back: set it to what Git wants.",
                &["kubectl --context prod-eu -n shop scale deployment/shop-podinfo --replicas=2"],
                "Fleet's next try lands by itself (backoff: up to minutes). Mozilla stays co-owner: the next commit that changes replicas conflicts again.",
            ),
            way(
                Risk::Safe,
                "End the shared ownership: drop Mozilla's one entry, no value changes.",
                &[r#"kubectl --context prod-eu -n shop patch deployment/shop-podinfo --type=json -p '[{"op":"test","path":"/metadata/managedFields/2/manager","value":"Mozilla"},{"op":"test","path":"/metadata/managedFields/2/operation","value":"Update"},{"op":"test","path":"/metadata/managedFields/2/subresource","value":"scale"},{"op":"test","path":"/metadata/managedFields/2/fieldsV1","value":{"f:spec":{"f:replicas":{}}}},{"op":"remove","path":"/metadata/managedFields/2"}]'"#],
                "The next try lands and sets 2. A patch whose tests no longer hold is refused and changes nothing.",
            ),
            WayOut { who: "owner of the chart".into(), ..way(Risk::Safe, "Keep 4: commit replicas: 4 for this cluster.", &[], "The ownership stays shared; 2 still applies.") },
            way(
                Risk::Restarts,
                "Make Fleet try at once: restart its agent.",
                &["kubectl --context prod-eu -n cattle-fleet-system rollout restart deployment/fleet-agent"],
                "Landed in 4 s when measured. All bundles of that cluster are looked at again.",
            ),
        ],
        gaps: vec![Gap {
            missing: "who scaled it".into(),
            why: "managedFields names the client, never the person".into(),
            fill: None,
        }],
        ..told("shop", "c-prod", "WaitApplied", "ssa.conflict", "", "")
    };
    report(vec![finding])
}

/// Several fields, objects and managers in one text (fleet-many, checkout).
pub fn checkout() -> Finding {
    let map = ObjectRef::new("v1", "ConfigMap", "checkout", "checkout-config");
    let app = deployment("checkout", "checkout");
    let person = "a person or a script";
    Finding {
        release: Some(Release {
            namespace: "checkout".into(),
            name: "checkout".into(),
            revision: Some(13),
            status: Some("failed".into()),
            description: Some("Upgrade \"checkout\" failed: conflict occurred while applying object checkout/checkout-config /v1, Kind=ConfigMap: Apply failed with 1 conflict: conflict with \"kubectl-patch\" using v1: .data.mode".into()),
            chart: Some("checkout 1.1.0".into()),
            deployed_revision: Some(2),
            started: Some(at("00:44:00")),
cause_revision: None,
        }),
        message: None,
        conflicts: vec![
            conflict(map, ".data.mode", "kubectl-patch", person, json!("fast"), json!("degraded")),
            conflict(app.clone(), ".spec.template.spec.containers[name=\"app\"].image", "kubectl-set", person, json!("registry.example.com/checkout:1.1.0"), json!("registry.example.com/checkout:1.0.0-hotfix")),
            conflict(app, ".spec.template.spec.containers[name=\"app\"].env[name=\"LOG_LEVEL\"].value", "kubectl-set", person, json!("info"), json!("debug")),
        ],
        ..told("checkout", "c-prod", "WaitApplied", "ssa.conflict", "3 fields of 2 objects were changed by hand with kubectl patch and kubectl set.", "")
    }
}

/// A short fleet-many: several owners, one cause on two clusters, one that only looks ready.
pub fn many() -> Report {
    let mut findings = scale_conflict().findings;
    findings.push(checkout());
    for (cluster, revision) in [("c-prod", 12), ("c-stage", 14)] {
        let text = "Upgrade \"ledger\" failed: server-side apply failed for object ledger/ledger apps/v1, Kind=Deployment: Deployment.apps \"ledger\" is invalid: spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"ledger-v2\"}}: field is immutable";
        findings.push(Finding {
            release: Some(Release {
                namespace: "ledger".into(),
                name: "ledger".into(),
                revision: Some(revision),
                status: Some("failed".into()),
                description: Some(text.into()),
                chart: None,
                deployed_revision: Some(2),
                started: Some(at("00:43:00")),
                cause_revision: None,
            }),
            ways_out: vec![way(
                Risk::Destructive,
                "Recreate the Deployment; its pods are kept.",
                &[&format!(
                    "kubectl --context {cluster} -n ledger delete deployment/ledger --cascade=orphan"
                )],
                "The old ReplicaSet's pods stay without an owner: delete them when the new ones are ready.",
            )],
            ..told(
                "ledger",
                cluster,
                "ErrApplied",
                "immutable.field",
                "spec.selector of Deployment ledger/ledger cannot be changed.",
                text,
            )
        });
    }
    findings.push(told(
        "quote",
        "c-stage",
        "ErrApplied",
        "template",
        "quote/templates/configmap.yaml line 5 reads .Values.pricing.mode, and no values set pricing.",
        "quote/templates/configmap.yaml:5:18\n  executing \"quote/templates/configmap.yaml\" at <.Values.pricing.mode>:\n    nil pointer evaluating interface {}.mode",
    ));
    findings.push(told(
        "stock",
        "c-prod",
        "Ready",
        "suspended",
        "The cluster is paused: what Git wants is not deployed, and drift stays unseen.",
        "paused",
    ));
    findings.push(Finding { cluster: None, state: Value::Null, ..told("badyaml", "", "", "yaml", "fleet.yaml of commit 3e876b9 is no YAML (line 2).", "failed to process bundle: reading fleet.yaml: error converting YAML to JSON: yaml: line 2: did not find expected ',' or ']'") });
    let mut report = report(findings);
    report.healthy = 31;
    report.clusters.push(ClusterSeen { reached: false, ..seen("c-edge-7", Some("edge-lisbon")) });
    report.gaps.push(Gap {
        missing: "everything on edge-lisbon (c-edge-7)".into(),
        why: "no context, kubeconfig Secret or Rancher proxy leads there".into(),
        fill: Some("kubectl helm-forensics why --downstream c-edge-7=CONTEXT".into()),
    });
    report
}

/// Three hundred findings: forty owners on some of thirty clusters.
pub fn fleet_of(owners: usize, clusters: usize) -> Report {
    let findings = (0..owners)
        .flat_map(|owner| {
            (0..clusters).map(move |cluster| {
                let name = format!("a-service-with-a-long-name-{owner:02}");
                told(
                    &name,
                    &format!("c-m-{cluster:05x}"),
                    "ErrApplied",
                    "webhook.unreachable",
                    &format!("Webhook check.{name}.example.com does not answer."),
                    &format!("failed calling webhook \"check.{name}.example.com\": no endpoints available"),
                )
            })
        })
        .collect();
    let mut report = report(findings);
    report.healthy = 900;
    report
}
