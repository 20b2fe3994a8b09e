//! Every recorded server-side apply conflict is foretold from the refused manifest and the live object.

use std::collections::BTreeMap;

use helm_forensics::fields::{Applied, Conflict, Live, Method, predict};
use serde_json::{Value, json};

use crate::recorded::{Case, RECORDED};

/// One refused object of one revision, with the conflicts that the text named.
type Refused<'a> = BTreeMap<(String, String, u64, String, String, String), Vec<&'a Value>>;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn refused(case: &Case) -> Refused<'_> {
    let mut refused = Refused::new();
    for finding in case.truth["findings"].as_array().into_iter().flatten() {
        let is_conflict = finding["class"] == "ssa.conflict" && finding["object"].is_object();
        let (Some(revision), true) = (finding["revision"].as_u64(), is_conflict) else { continue };
        let object = &finding["object"];
        let key = (
            text(&finding["cluster"]),
            text(&finding["release"]),
            revision,
            text(&object["kind"]),
            text(&object["namespace"]),
            text(&object["name"]),
        );
        refused.entry(key).or_default().push(finding);
    }
    refused
}

/// Field, manager, operation, subresource, wanted, live. Helm's own annotations stand in no manifest, so the
/// recordings have no wanted value for them; Secrets' values were not recorded.
fn told(conflict: &Conflict) -> Value {
    let path = conflict.path.to_string();
    let is_added_by_helm = path.starts_with(".metadata.annotations.meta.helm.sh/");
    let wanted = if is_added_by_helm { Value::Null } else { conflict.wanted.clone() };
    let operation = format!("{:?}", conflict.owner.operation);
    json!([path, conflict.owner.manager, operation, conflict.owner.subresource, wanted, conflict.live])
}

fn recorded(finding: &Value) -> Value {
    let subresource = finding["subresource"].as_str().unwrap_or_default();
    let fields = [&finding["field"], &finding["manager"], &finding["operation"]];
    json!([fields[0], fields[1], fields[2], subresource, finding["wanted"], finding["live"]])
}

/// The chart left the field out after this revision: applying the revision again would still be refused.
const LEFT_OUT: &str = "helm-ssa-fix-leave-out";

/// The snapshot was taken after the field had been given back, forced, or its list item replaced.
fn is_past(case: &str, finding: &Value) -> bool {
    let is_recorded = finding["live"] != "(secret value, not recorded)";
    (finding["healed"] == true && case != LEFT_OUT)
        || (finding["wanted"] == finding["live"] && is_recorded)
        || finding["live"].is_null()
}

fn without_values(told: Vec<Value>) -> Vec<Value> {
    told.into_iter()
        .map(|one| Value::from_iter(one.as_array().into_iter().flatten().take(4).cloned()))
        .collect()
}

#[test]
fn every_recorded_conflict_is_foretold_and_no_other() {
    let (mut present, mut past, mut wrong) = (0, 0, Vec::new());
    for (name, case) in RECORDED.iter() {
        for ((cluster, release, revision, kind, namespace, object), findings) in refused(case) {
            let cluster = (!cluster.is_empty()).then_some(cluster.as_str());
            let (release_namespace, release) = release.split_once('/').unwrap();
            let stored = case.revision(cluster, release_namespace, release, revision).expect(name);
            let desired = stored.object(&kind, &object).expect(name);
            let live = case.live(cluster, &kind, &namespace, &object).map(Live::of);
            let live = live.as_ref();
            let manager = if name.starts_with("fleet-") { "fleetagent" } else { "helm" };
            let method = Method::ServerSide;
            let prediction =
                predict(&Applied { desired: &desired, live, previous: None, manager, method, schema: None });
            let mut got: Vec<Value> = prediction.conflicts.iter().map(told).collect();
            let mut want: Vec<Value> = findings
                .iter()
                .filter(|finding| !is_past(name, finding))
                .map(|finding| recorded(finding))
                .collect();
            if kind == "Secret" {
                (got, want) = (without_values(got), without_values(want));
            }
            // A text lists conflicts in the server's order; the recordings keep the text's.
            if got != want {
                wrong.push(format!(
                    "{name} revision {revision} {kind} {object}:\n  got  {got:?}\n  want {want:?}"
                ));
            }
            present += want.len();
            past += findings.len() - want.len();
        }
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
    assert_eq!((present, past), (80, 15));
}
