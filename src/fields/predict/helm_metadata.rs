//! What Helm adds to each object of a release before it applies it.

use serde_json::{Map, Value};

/// The object as Helm (3.22, 4.3, and Fleet with it) sends it: its own label and annotations set, the release's
/// namespace filled in where the object is namespaced and has none. Hooks are sent as they are.
pub fn as_helm_applies(object: &Value, release: &str, namespace: &str, is_namespaced: bool) -> Value {
    let mut object = object.clone();
    let Some(metadata) = object.as_object_mut().and_then(|fields| child(fields, "metadata")) else {
        return object;
    };
    let added: [(&str, &str, &str); 3] = [
        ("labels", "app.kubernetes.io/managed-by", "Helm"),
        ("annotations", "meta.helm.sh/release-name", release),
        ("annotations", "meta.helm.sh/release-namespace", namespace),
    ];
    if is_namespaced {
        metadata.entry("namespace").or_insert_with(|| namespace.into());
    }
    for (map, key, value) in added {
        if let Some(map) = child(metadata, map) {
            map.insert(key.to_owned(), value.into());
        }
    }
    object
}

/// The map under this key, made where there is none.
fn child<'a>(fields: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Map<String, Value>> {
    let slot = fields.entry(key).or_insert(Value::Null);
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    slot.as_object_mut()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels_annotations_and_namespace_are_added() {
        let object = json!({"metadata": {"name": "a", "labels": null, "annotations": {"x": "y"}}});
        let sent = as_helm_applies(&object, "shop", "prod", true);
        assert_eq!(
            sent["metadata"],
            json!({"name": "a", "namespace": "prod", "labels": {"app.kubernetes.io/managed-by": "Helm"},
                "annotations": {"x": "y", "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "prod"}})
        );
        assert_eq!(as_helm_applies(&json!({}), "a", "b", false)["metadata"].get("namespace"), None);
        assert_eq!(as_helm_applies(&json!(1), "a", "b", false), json!(1));
    }
}
