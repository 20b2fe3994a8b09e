//! Schemas of custom resources: from their definition, or guessed from the fields that managers own.

use std::collections::BTreeMap;

use serde_json::Value;

use super::element::Element;
use super::schema::{
    ANY, ATOMIC, INT_OR_STRING, PLAIN, SET, Schema, SchemaSource, Type, TypeId, common_types,
};
use super::set::Set;

/// Deepest nesting of a definition that is read.
const MAX_DEPTH: usize = 64;

impl Schema {
    /// The schema that a CustomResourceDefinition gives for one version; `None` where it has none.
    pub fn from_definition(definition: &Value, version: &str) -> Option<Self> {
        let versions = definition.pointer("/spec/versions")?.as_array()?;
        let served = versions.iter().find(|one| one.get("name").and_then(Value::as_str) == Some(version))?;
        let open_api = served.pointer("/schema/openAPIV3Schema")?;
        let mut types = common_types();
        let keeps_unknown = definition.pointer("/spec/preserveUnknownFields") == Some(&Value::Bool(true));
        let root = read(open_api, keeps_unknown, 0, &mut types);
        let metadata = metadata(&mut types);
        if let Some(Type::Struct(fields)) = types.get_mut(root) {
            fields.insert("metadata".into(), metadata);
        }
        Some(Self::new(types, root, SchemaSource::Definition))
    }

    /// The best guess without a definition: lists whose items managers own by key are keyed lists, lists
    /// whose items they own by value are sets, all other lists are atomic.
    pub fn from_managed_fields<'a>(sets: impl IntoIterator<Item = &'a Set>) -> Self {
        let all = sets.into_iter().fold(Set::default(), |all, set| all.union(set));
        let mut types = common_types();
        let root = guess(&all, &mut types);
        let metadata = metadata(&mut types);
        match types.get_mut(root) {
            Some(Type::Struct(fields)) => {
                fields.insert("metadata".into(), metadata);
                Self::new(types, root, SchemaSource::ManagedFields)
            }
            _ => {
                types.push(Type::Struct(BTreeMap::from([("metadata".into(), metadata)])));
                let root = types.len() - 1;
                Self::new(types, root, SchemaSource::ManagedFields)
            }
        }
    }
}

fn add(types: &mut Vec<Type>, new: Type) -> TypeId {
    types.push(new);
    types.len() - 1
}

/// `ObjectMeta`, as every kind has it.
fn metadata(types: &mut Vec<Type>) -> TypeId {
    let map = add(types, Type::Map(PLAIN));
    let owners = add(types, Type::Keyed(vec![("uid".into(), Some("".into()))], ATOMIC));
    let fields = [("annotations", map), ("labels", map), ("finalizers", SET), ("ownerReferences", owners)];
    add(types, Type::Struct(fields.map(|(name, id)| (name.into(), id)).into()))
}

/// By the rules of kube-openapi's schemaconv.
fn read(schema: &Value, keeps_unknown: bool, depth: usize, types: &mut Vec<Type>) -> TypeId {
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    let flag = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    let keeps_unknown = keeps_unknown || flag("x-kubernetes-preserve-unknown-fields");
    if depth > MAX_DEPTH {
        return ANY;
    }
    if flag("x-kubernetes-int-or-string") {
        return INT_OR_STRING;
    }
    match text("type") {
        "array" => {
            let item = |types: &mut Vec<Type>| {
                schema.get("items").map_or(ATOMIC, |items| read(items, keeps_unknown, depth + 1, types))
            };
            match text("x-kubernetes-list-type") {
                "map" => {
                    let names = schema.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
                    let keys = names.into_iter().flatten().filter_map(Value::as_str).map(|name| {
                        let default = schema.pointer("/items/properties").and_then(|p| p.get(name));
                        (name.into(), default.and_then(|field| field.get("default")).cloned())
                    });
                    let keys = keys.collect();
                    let item = item(types);
                    add(types, Type::Keyed(keys, item))
                }
                "set" => SET,
                _ => PLAIN,
            }
        }
        "object" if text("x-kubernetes-map-type") == "atomic" => ATOMIC,
        "object" => {
            match (schema.get("properties").and_then(Value::as_object), schema.get("additionalProperties")) {
                (Some(properties), _) if !properties.is_empty() => {
                    let fields = properties
                        .iter()
                        .map(|(name, field)| {
                            (name.as_str().into(), read(field, keeps_unknown, depth + 1, types))
                        })
                        .collect();
                    add(types, Type::Struct(fields))
                }
                (_, Some(values @ Value::Object(_))) => {
                    let values = read(values, keeps_unknown, depth + 1, types);
                    add(types, Type::Map(values))
                }
                _ => ANY,
            }
        }
        "" => ANY,
        _ => PLAIN,
    }
}

fn guess(set: &Set, types: &mut Vec<Type>) -> TypeId {
    let mut elements = set.elements().peekable();
    match elements.peek() {
        None => PLAIN,
        Some(Element::Key(keys)) => {
            let mut keys: Vec<(Box<str>, Option<Value>)> =
                keys.iter().map(|(name, _)| (name.clone(), None)).collect();
            for (name, default) in &mut keys {
                // The only default of a key that is common enough to guess.
                *default = (&**name == "protocol").then(|| "TCP".into());
            }
            let inside =
                elements.filter_map(|key| set.below(key)).fold(Set::default(), |all, one| all.union(one));
            let item = guess(&inside, types);
            add(types, Type::Keyed(keys, item))
        }
        Some(Element::Value(_)) => SET,
        Some(Element::Index(_)) => PLAIN,
        Some(Element::Field(_)) => {
            let mut fields = BTreeMap::new();
            let mut are_data = false;
            for element in elements {
                let (Some(name), Some(below)) = (element.as_field(), set.below(element)) else { continue };
                // Keys of free maps are owned besides what they hold; fields of structs are not.
                are_data |= set.has_member(element) && below.elements().any(|e| e.as_field().is_some());
                let id = guess(below, types);
                if id != PLAIN {
                    fields.insert(name.into(), id);
                }
            }
            if are_data {
                return add(types, Type::Map(PLAIN));
            }
            add(types, Type::Struct(fields))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fields::Path;

    fn kind(schema: &Schema, path: &str) -> String {
        let path = Path::parse(path).unwrap();
        let at = path.0.iter().fold(schema.root(), |at, element| at.below(element));
        format!("{:?}", at.kind()).split('(').next().unwrap().to_owned()
    }

    #[test]
    fn a_definition_tells_how_its_lists_merge() {
        let definition = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
            "type": "object", "properties": {"spec": {"type": "object", "properties": {
                "mounts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["path"],
                    "items": {"type": "object", "properties": {"path": {"type": "string", "default": "/"}}}},
                "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
                "args": {"type": "array", "items": {"type": "string"}},
                "ref": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "string"}}},
                "free": {"type": "object", "additionalProperties": {"type": "string"}},
                "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                "port": {"x-kubernetes-int-or-string": true}}}}}}}]}});
        let schema = Schema::from_definition(&definition, "v1").unwrap();
        for (path, expected) in [
            (".spec.mounts", "Keyed"),
            (".spec.tags", "Set"),
            (".spec.args", "Plain"),
            (".spec.ref", "Atomic"),
            (".spec.free", "Map"),
            (".spec.any", "Any"),
            (".spec.port", "IntOrString"),
            (".metadata.labels", "Map"),
            (".metadata.finalizers", "Set"),
        ] {
            assert_eq!(kind(&schema, path), expected, "{path}");
        }
        assert!(Schema::from_definition(&definition, "v2").is_none());
    }

    #[test]
    fn without_a_definition_the_managers_keys_tell() {
        let (set, _) = Set::from_fields_v1(
            &json!({"f:spec": {"f:mounts": {"k:{\"path\":\"/a\"}": {".": {}, "f:mode": {}}},
            "f:tags": {".": {}, "v:\"a\"": {}}, "f:size": {}, "f:byName": {"f:x": {".": {}, "f:y": {}}}}}),
        );
        let schema = Schema::from_managed_fields([&set]);
        for (path, expected) in [
            (".spec.mounts", "Keyed"),
            (".spec.tags", "Set"),
            (".spec.size", "Plain"),
            (".spec.byName", "Map"),
            (".metadata.annotations", "Map"),
        ] {
            assert_eq!(kind(&schema, path), expected, "{path}");
        }
        assert_eq!(kind(&Schema::from_managed_fields([]), ".metadata.labels"), "Map");
    }
}
