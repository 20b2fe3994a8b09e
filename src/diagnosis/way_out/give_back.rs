//! Give the field back: set the living value to the one that is wanted.

use serde_json::{Value, json};

use crate::diagnosis::command::{kubectl, target};
use crate::diagnosis::conflict::resolve;
use crate::evidence::Case;
use crate::report::{Conflict, Risk, WayOut};

/// Kinds with a `scale` subresource among the built-in ones.
const SCALABLE: [&str; 3] = ["Deployment", "StatefulSet", "ReplicaSet"];

/// One way out with a command per field: two managers that set the same value share it, and nothing
/// conflicts.
pub fn ways(case: &Case, conflicts: &[&Conflict]) -> Option<WayOut> {
    let differing: Vec<&&Conflict> = conflicts.iter().filter(|it| it.wanted != it.live).collect();
    let commands: Vec<String> = differing.iter().filter_map(|it| command(case, it)).collect();
    if differing.is_empty() || commands.is_empty() {
        return None;
    }
    let restarts = differing.iter().any(|it| it.path.starts_with(".spec.template"));
    let what = match differing.as_slice() {
        [one] => format!("set {} back to {}", one.path, short(&one.wanted)),
        many => format!("set the {} fields back to what is wanted", many.len()),
    };
    let next = match case.delivery.deployer {
        "fleet" => {
            "Fleet's next try lands by itself (backoff: 40 to 94 s after a fresh failure, minutes in an old one)"
        }
        "helm" => "the next `helm upgrade` lands",
        _ => "the next try lands",
    };
    Some(WayOut {
        title: format!("give the field back: {what}"),
        risk: if restarts { Risk::Restarts } else { Risk::Safe },
        who: "on call".into(),
        commands,
        then: format!(
            "{next}; a co-owner stays (whoever set it back), and the next change of that value conflicts again"
        ),
    })
}

fn command(case: &Case, conflict: &Conflict) -> Option<String> {
    let object = &conflict.object;
    if conflict.path == ".spec.replicas" && SCALABLE.contains(&object.kind.as_str()) {
        let wanted = conflict.wanted.as_i64()?;
        return kubectl(
            case,
            &object.namespace,
            &["scale", &target(object), &format!("--replicas={wanted}")],
        );
    }
    // A value that is not known, or must not be printed, makes no command.
    if conflict.wanted.is_null() || object.kind == "Secret" {
        return None;
    }
    let live = case.living(object)?;
    let path = resolve(&conflict.path, case.managed(object), Some(live), None)?;
    let pointer = path.pointer_in(live)?;
    let patch = json!([
        {"op": "test", "path": pointer, "value": conflict.live},
        {"op": "replace", "path": pointer, "value": conflict.wanted},
    ]);
    let patch = patch.to_string();
    kubectl(case, &object.namespace, &["patch", &target(object), "--type=json", "-p", &patch])
}

/// A value short enough for a title.
fn short(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if text.chars().count() > 40 { "the wanted value".into() } else { text }
}
