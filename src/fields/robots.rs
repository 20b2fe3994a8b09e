//! Two robots on one field: programs that will undo each other for ever.

use serde::Serialize;
use serde_json::Value;

use super::live::Live;
use super::managed::ManagedFields;
use super::manager::{Manager, ManagerKind};
use super::path::Path;

/// Two programs that write the same object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Robots {
    /// Both, as people call them.
    pub pair: [String; 2],
    /// The field that they fight for; `None` where it is the whole object.
    pub field: Option<Path>,
    /// Where this shows.
    pub sign: String,
    /// The usual way out.
    pub way_out: &'static str,
}

const AUTOSCALED: &str = "stop rendering replicas in the chart while the autoscaler is on; do not force, and do not drop the autoscaler's entry: it writes again";
const TWO_RELEASES: &str = "let one release render the object and take it out of the other (annotate it with helm.sh/resource-policy: keep there first, else that release's next upgrade deletes it)";
const TWO_DEPLOYERS: &str = "choose one deployer for the object, and take it out of the other without deleting it (keep policy, prune off)";

/// Who the annotation or label of a deployer on an object stands for.
const MARKS: &[(&str, &str)] = &[
    ("/metadata/annotations/meta.helm.sh~1release-name", "Helm"),
    ("/metadata/annotations/argocd.argoproj.io~1tracking-id", "Argo CD"),
    ("/metadata/labels/kustomize.toolkit.fluxcd.io~1name", "Flux (kustomize-controller)"),
    ("/metadata/annotations/config.k8s.io~1owning-inventory", "an inventory (cli-utils)"),
    ("/metadata/annotations/kapp.k14s.io~1identity", "kapp"),
];

/// Pairs on this object. `autoscalers` are the HorizontalPodAutoscalers and KEDA ScaledObjects of its
/// namespace; `desired` is what the deployer renders, where it is known.
pub fn robots(live: &Live, desired: Option<&Value>, autoscalers: &[&Value]) -> Vec<Robots> {
    let object = live.object();
    let nobody = ManagedFields::default();
    let managed = live.managed().unwrap_or(&nobody);
    let mut found: Vec<Robots> = autoscaled(object, desired, autoscalers, managed).into_iter().collect();
    found.extend(two_releases(object, desired));
    found.extend(two_marks(object));
    if found.iter().all(|robots| robots.field.is_some()) {
        found.extend(two_managers(managed));
    }
    found.extend(kubectl_apply(object, managed));
    found
}

fn text<'a>(object: &'a Value, pointer: &str) -> Option<&'a str> {
    object.pointer(pointer)?.as_str()
}

fn autoscaled(
    object: &Value,
    desired: Option<&Value>,
    autoscalers: &[&Value],
    managed: &ManagedFields,
) -> Option<Robots> {
    let replicas = Path::fields(["spec", "replicas"]);
    let deployer = managed.owners_of(&replicas).into_iter().find_map(|owner| {
        let manager = Manager::of(&owner.manager, &owner.subresource);
        (manager.kind == ManagerKind::Deployer).then_some(owner.manager)
    });
    let renders =
        desired.map_or(deployer.is_some(), |desired| replicas.get(desired).is_some_and(|v| !v.is_null()));
    let autoscaler = autoscalers
        .iter()
        .filter(|autoscaler| targets(autoscaler, object))
        // KEDA makes an HPA of its own; the ScaledObject is the one that people know.
        .min_by_key(|autoscaler| text(autoscaler, "/kind") != Some("ScaledObject"))?;
    if !renders {
        return None;
    }
    let kind = text(autoscaler, "/kind").unwrap_or("HorizontalPodAutoscaler");
    let name = format!("{kind} {}", text(autoscaler, "/metadata/name").unwrap_or_default());
    Some(Robots {
        pair: [deployer.unwrap_or_else(|| "the chart".to_owned()), name.clone()],
        sign: format!("{name} scales this object, and the chart sets .spec.replicas"),
        field: Some(replicas),
        way_out: AUTOSCALED,
    })
}

fn targets(autoscaler: &Value, object: &Value) -> bool {
    let is_keda = text(autoscaler, "/kind") == Some("ScaledObject");
    let kind = text(autoscaler, "/spec/scaleTargetRef/kind").or(is_keda.then_some("Deployment"));
    text(autoscaler, "/metadata/namespace") == text(object, "/metadata/namespace")
        && text(autoscaler, "/spec/scaleTargetRef/name").is_some()
        && text(autoscaler, "/spec/scaleTargetRef/name") == text(object, "/metadata/name")
        && kind == text(object, "/kind")
}

fn two_releases(object: &Value, desired: Option<&Value>) -> Option<Robots> {
    let release = |object: &Value| {
        let at = |key: &str| {
            text(object, &format!("/metadata/annotations/meta.helm.sh~1release-{key}")).map(str::to_owned)
        };
        Some(format!("{}/{}", at("namespace")?, at("name")?))
    };
    let (live, wanted) = (release(object)?, release(desired?)?);
    (live != wanted).then(|| Robots {
        sign: format!("meta.helm.sh annotations name {live}, and {wanted} renders the object too"),
        pair: [format!("Helm release {live}"), format!("Helm release {wanted}")],
        field: None,
        way_out: TWO_RELEASES,
    })
}

fn two_marks(object: &Value) -> Option<Robots> {
    let mut marks = MARKS.iter().filter(|(pointer, _)| text(object, pointer).is_some());
    let ((first_at, first), (second_at, second)) = (marks.next()?, marks.next()?);
    let key = |pointer: &str| pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/");
    Some(Robots {
        pair: [(*first).to_owned(), (*second).to_owned()],
        field: None,
        sign: format!("it carries both {} and {}", key(first_at), key(second_at)),
        way_out: TWO_DEPLOYERS,
    })
}

/// Managers that are deployers and own more than metadata.
fn two_managers(managed: &ManagedFields) -> Option<Robots> {
    let mut deployers: Vec<(&str, &'static str)> = Vec::new();
    for entry in managed.entries.iter().filter(|entry| entry.subresource.is_empty()) {
        let manager = Manager::of(&entry.manager, "");
        let owns_more = entry.set.elements().any(|element| element.as_field() != Some("metadata"));
        let is_known = deployers.iter().any(|(_, who)| *who == manager.who);
        if manager.kind == ManagerKind::Deployer && owns_more && !is_known {
            deployers.push((&entry.manager, manager.who));
        }
    }
    let [(first, first_who), (second, second_who), ..] = deployers.as_slice() else { return None };
    Some(Robots {
        pair: [(*first_who).to_owned(), (*second_who).to_owned()],
        field: None,
        sign: format!("{first} and {second} both own fields of it"),
        way_out: TWO_DEPLOYERS,
    })
}

fn kubectl_apply(object: &Value, managed: &ManagedFields) -> Option<Robots> {
    let (_, deployer) = MARKS.iter().find(|(pointer, _)| text(object, pointer).is_some())?;
    let applies = managed.entries.iter().any(|entry| entry.manager == "kubectl-client-side-apply");
    text(object, "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration")
        .filter(|_| applies)?;
    Some(Robots {
        pair: [(*deployer).to_owned(), "kubectl apply".to_owned()],
        field: None,
        sign: "kubectl-client-side-apply owns fields of it and left its last-applied annotation".to_owned(),
        way_out: "find who runs kubectl apply (a pipeline?) and stop it, or take the object out of the deployer's sources",
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deployment(managers: &[&str], annotations: Value) -> Live {
        let entries: Vec<Value> = managers
            .iter()
            .map(|manager| {
                json!({"manager": manager, "operation": "Update", "apiVersion": "apps/v1",
                "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}})
            })
            .collect();
        Live::of(
            &json!({"kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "annotations": annotations,
            "managedFields": entries}, "spec": {"replicas": 2}}),
        )
    }

    fn pairs(found: &[Robots]) -> Vec<String> {
        found.iter().map(|robots| robots.pair.join(" | ")).collect()
    }

    #[test]
    fn an_autoscaler_and_a_chart_that_sets_replicas() {
        let object = deployment(&["helm"], json!({}));
        let hpa = json!({"kind": "HorizontalPodAutoscaler", "metadata": {"name": "web", "namespace": "shop"},
            "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}}});
        let keda = json!({"kind": "ScaledObject", "metadata": {"name": "web-so", "namespace": "shop"},
            "spec": {"scaleTargetRef": {"name": "web"}}});
        let elsewhere = json!({"kind": "ScaledObject", "metadata": {"name": "x", "namespace": "other"},
            "spec": {"scaleTargetRef": {"name": "web"}}});
        assert_eq!(pairs(&robots(&object, None, &[&hpa])), ["helm | HorizontalPodAutoscaler web"]);
        assert_eq!(pairs(&robots(&object, None, &[&hpa, &keda])), ["helm | ScaledObject web-so"]);
        assert_eq!(pairs(&robots(&object, None, &[&elsewhere])), [""; 0]);
        let desired = json!({"spec": {}});
        assert_eq!(pairs(&robots(&object, Some(&desired), &[&hpa])), [""; 0], "the chart leaves it out");
    }

    #[test]
    fn two_deployers_are_known_by_marks_and_managers() {
        let helm = json!({"meta.helm.sh/release-name": "a", "meta.helm.sh/release-namespace": "shop"});
        let both = json!({"meta.helm.sh/release-name": "a", "argocd.argoproj.io/tracking-id": "x"});
        let applied = json!({"meta.helm.sh/release-name": "a", "kubectl.kubernetes.io/last-applied-configuration": "{}"});
        let other = json!({"metadata": {"annotations": {"meta.helm.sh/release-name": "b", "meta.helm.sh/release-namespace": "shop"}}});
        for (object, desired, expected) in [
            (deployment(&["helm"], helm.clone()), None, vec![]),
            (deployment(&["helm"], helm), Some(&other), vec!["Helm release shop/a | Helm release shop/b"]),
            (deployment(&["helm"], both), None, vec!["Helm | Argo CD"]),
            (
                deployment(&["helm", "argocd-controller"], json!({})),
                None,
                vec!["Helm, by a person or a pipeline | Argo CD"],
            ),
            (deployment(&["helm", "kubectl-client-side-apply"], applied), None, vec!["Helm | kubectl apply"]),
        ] {
            assert_eq!(pairs(&robots(&object, desired, &[])), expected);
        }
    }
}
