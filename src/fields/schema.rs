//! Which lists and maps of a kind merge field by field, and which are one value.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::element::Element;

static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| BuiltIn::read(include_str!("schema.txt")));

/// How the fields of one kind merge.
#[derive(Clone, Debug)]
pub struct Schema {
    types: Arc<Vec<Type>>,
    root: TypeId,
    source: SchemaSource,
}

/// Where a [`Schema`] comes from: how far its predictions can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaSource {
    /// The table of Kubernetes 1.37's own kinds.
    BuiltIn,
    /// The CustomResourceDefinition.
    Definition,
    /// Guessed from the shape of managedFields: keyed lists are known by their keys.
    ManagedFields,
}

/// Place of a type in its schema.
pub(super) type TypeId = usize;

/// A struct of which nothing is known: its maps merge, its lists are atomic.
pub(super) const PLAIN: TypeId = 0;
/// Any JSON: maps merge and their keys are data, lists are atomic.
pub(super) const ANY: TypeId = 1;
/// One value, whatever it holds.
pub(super) const ATOMIC: TypeId = 2;
/// A set of scalars.
pub(super) const SET: TypeId = 3;
/// A resource quantity: `500m` means `0.5`.
pub(super) const QUANTITY: TypeId = 4;
/// A number or a name: `80`, `"http"`.
pub(super) const INT_OR_STRING: TypeId = 5;

/// One type.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Plain,
    Any,
    Atomic,
    Set,
    Quantity,
    IntOrString,
    /// Named fields; those that are not listed are plain.
    Struct(BTreeMap<Box<str>, TypeId>),
    /// A map whose keys are data.
    Map(TypeId),
    /// A list whose items are told apart by these keys, each with its default.
    Keyed(Vec<(Box<str>, Option<Value>)>, TypeId),
}

/// The types that every schema starts with, at their fixed places.
pub(super) fn common_types() -> Vec<Type> {
    vec![Type::Plain, Type::Any, Type::Atomic, Type::Set, Type::Quantity, Type::IntOrString]
}

impl Schema {
    /// The schema of a built-in kind; `None` for all others.
    pub fn built_in(api_version: &str, kind: &str) -> Option<Self> {
        let root = *BUILT_IN.roots.get(&(api_version, kind))?;
        Some(Self { types: BUILT_IN.types.clone(), root, source: SchemaSource::BuiltIn })
    }

    pub(super) fn new(types: Vec<Type>, root: TypeId, source: SchemaSource) -> Self {
        Self { types: Arc::new(types), root, source }
    }

    /// Where it comes from.
    pub fn source(&self) -> SchemaSource {
        self.source
    }

    /// Whether Kubernetes 1.37 still serves this version of a kind that it has in another version. Entries of
    /// versions that are gone count for nothing.
    pub fn serves(&self, api_version: &str, kind: &str) -> bool {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        let is_built_in_group = !group.contains('.') || group.ends_with(".k8s.io");
        self.source != SchemaSource::BuiltIn
            || !is_built_in_group
            || BUILT_IN.roots.contains_key(&(api_version, kind))
    }

    pub(super) fn root(&self) -> At<'_> {
        At { types: &self.types, id: self.root }
    }

    /// Whether the field at this path is a quantity, so that different texts may mean the same.
    pub fn is_quantity(&self, path: &[Element]) -> bool {
        let at = path.iter().fold(self.root(), |at, element| at.below(element));
        matches!(at.kind(), Type::Quantity)
    }
}

/// A type inside its schema.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    types: &'a [Type],
    id: TypeId,
}

/// How a value is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As one value.
    Leaf,
    /// Field by field.
    Map,
    /// Item by item.
    List,
}

impl<'a> At<'a> {
    fn to(self, id: TypeId) -> Self {
        Self { id, ..self }
    }

    pub(super) fn kind(self) -> &'a Type {
        self.types.get(self.id).unwrap_or(&Type::Plain)
    }

    /// How `value` is walked here; a null takes the shape of what stands on the other side.
    pub(super) fn shape(self, value: &Value, other: Option<&Value>) -> Shape {
        let (is_map, is_list) = match (value, other) {
            (Value::Null, Some(other)) => (other.is_object(), other.is_array()),
            _ => (value.is_object(), value.is_array()),
        };
        match self.kind() {
            Type::Atomic | Type::Quantity | Type::IntOrString => Shape::Leaf,
            Type::Struct(_) | Type::Map(_) if is_map || value.is_null() => Shape::Map,
            Type::Plain | Type::Any if is_map => Shape::Map,
            Type::Set | Type::Keyed(..) if is_list || value.is_null() => Shape::List,
            _ => Shape::Leaf,
        }
    }

    /// The type of a field.
    pub(super) fn field(self, name: &str) -> Self {
        self.to(match self.kind() {
            Type::Struct(fields) => fields.get(name).copied().unwrap_or(PLAIN),
            Type::Map(values) => *values,
            Type::Any => ANY,
            Type::Atomic => ATOMIC,
            _ => PLAIN,
        })
    }

    /// Whether field names are part of the type here, not data.
    pub(super) fn has_named_fields(self) -> bool {
        matches!(self.kind(), Type::Struct(_) | Type::Plain)
    }

    /// The type of the items of a list.
    pub(super) fn item(self) -> Self {
        self.to(match self.kind() {
            Type::Keyed(_, item) => *item,
            Type::Any | Type::Atomic => ATOMIC,
            _ => PLAIN,
        })
    }

    /// The type below one step of a path.
    pub(super) fn below(self, element: &Element) -> Self {
        match element {
            Element::Field(name) => self.field(name),
            _ => self.item(),
        }
    }

    /// What tells this item apart in its list; `None` where it has nothing that could.
    pub(super) fn element_of(self, item: &Value) -> Option<Element> {
        match self.kind() {
            Type::Keyed(keys, _) => {
                let fields = item.as_object()?;
                let present: Vec<(Box<str>, Value)> = keys
                    .iter()
                    .filter_map(|(name, default)| {
                        let value = fields.get(&**name).or(default.as_ref())?;
                        Some((name.clone(), value.clone()))
                    })
                    .collect();
                (!present.is_empty()).then(|| Element::key(present))
            }
            Type::Set => (!item.is_object() && !item.is_array() && !item.is_null())
                .then(|| Element::value(item.clone())),
            _ => None,
        }
    }
}

struct BuiltIn {
    types: Arc<Vec<Type>>,
    roots: BTreeMap<(&'static str, &'static str), TypeId>,
}

impl BuiltIn {
    fn read(table: &'static str) -> Self {
        let lines = || table.lines().filter(|line| !line.starts_with('#'));
        let mut types = common_types();
        let mut names: BTreeMap<&str, TypeId> = BTreeMap::new();
        for line in lines().filter(|line| !line.starts_with('@')) {
            let name = line.split(' ').next().unwrap_or(line);
            names.insert(name, types.len());
            types.push(Type::Plain);
        }
        for line in lines().filter(|line| !line.starts_with('@')) {
            let mut words = line.split(' ');
            let id = words.next().and_then(|name| names.get(name).copied());
            let mut fields = BTreeMap::new();
            for (name, notation) in words.filter_map(|word| word.split_once(':')) {
                fields.insert(name.into(), read_use(notation, &names, &mut types));
            }
            if let Some(slot) = id.and_then(|id| types.get_mut(id)) {
                *slot = Type::Struct(fields);
            }
        }
        let roots = lines().filter_map(|line| {
            let mut words = line.strip_prefix('@')?.split(' ');
            Some(((words.next()?, words.next()?), *names.get(words.next()?)?))
        });
        Self { roots: roots.collect(), types: Arc::new(types) }
    }
}

/// The notation that the table's head explains.
fn read_use(notation: &str, names: &BTreeMap<&str, TypeId>, types: &mut Vec<Type>) -> TypeId {
    let mut add = |new: Type| {
        types.push(new);
        types.len() - 1
    };
    match notation {
        "" => PLAIN,
        "!" => ATOMIC,
        "?" => ANY,
        "[]" => SET,
        "q" => QUANTITY,
        "i" => INT_OR_STRING,
        _ => {
            if let Some(name) = notation.strip_prefix('#') {
                names.get(name).copied().unwrap_or(PLAIN)
            } else if let Some(values) = notation.strip_prefix('*') {
                let values = read_use(values, names, types);
                types.push(Type::Map(values));
                types.len() - 1
            } else if let Some((keys, item)) = notation.strip_prefix('[').and_then(|n| n.split_once(']')) {
                let keys = keys.split(',').map(|key| match key.split_once('=') {
                    Some((name, default)) => (name.into(), serde_json::from_str(default).ok()),
                    None => (key.into(), None),
                });
                let keys = keys.collect();
                let item = read_use(item, names, types);
                types.push(Type::Keyed(keys, item));
                types.len() - 1
            } else {
                add(Type::Plain)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Path;

    fn kind_at(api_version: &str, kind: &str, path: &str) -> String {
        let schema = Schema::built_in(api_version, kind).unwrap();
        let path = Path::parse(path).unwrap();
        let at = path.0.iter().fold(schema.root(), |at, element| at.below(element));
        match at.kind() {
            Type::Keyed(keys, _) => keys.iter().map(|(key, _)| &**key).collect::<Vec<_>>().join(","),
            other => format!("{other:?}").split('(').next().unwrap().to_owned(),
        }
    }

    #[test]
    fn the_table_knows_how_built_in_kinds_merge() {
        for (api_version, kind, path, expected) in [
            ("apps/v1", "Deployment", ".metadata.labels", "Map"),
            ("apps/v1", "Deployment", ".metadata.finalizers", "Set"),
            ("apps/v1", "Deployment", ".metadata.ownerReferences", "uid"),
            ("apps/v1", "Deployment", ".spec.selector", "Atomic"),
            ("apps/v1", "Deployment", ".spec.template.spec.nodeSelector", "Atomic"),
            ("apps/v1", "Deployment", ".spec.template.spec.containers", "name"),
            ("apps/v1", "Deployment", ".spec.template.spec.containers[name=\"a\"].args", "Plain"),
            (
                "apps/v1",
                "Deployment",
                ".spec.template.spec.containers[name=\"a\"].ports",
                "containerPort,protocol",
            ),
            ("apps/v1", "Deployment", ".spec.template.spec.containers[name=\"a\"].env", "name"),
            (
                "apps/v1",
                "Deployment",
                ".spec.template.spec.containers[name=\"a\"].resources.limits.cpu",
                "Quantity",
            ),
            ("apps/v1", "Deployment", ".spec.template.spec.imagePullSecrets", "name"),
            ("apps/v1", "Deployment", ".spec.template.spec.tolerations", "Plain"),
            ("apps/v1", "Deployment", ".spec.strategy.rollingUpdate.maxSurge", "IntOrString"),
            (
                "apps/v1",
                "Deployment",
                ".spec.template.spec.topologySpreadConstraints",
                "topologyKey,whenUnsatisfiable",
            ),
            ("apps/v1", "Deployment", ".status.conditions", "type"),
            ("v1", "Service", ".spec.ports", "port,protocol"),
            ("v1", "Service", ".spec.selector", "Atomic"),
            ("v1", "ConfigMap", ".data", "Map"),
            ("v1", "Secret", ".stringData", "Map"),
            ("autoscaling/v2", "HorizontalPodAutoscaler", ".spec.metrics", "Plain"),
            ("rbac.authorization.k8s.io/v1", "ClusterRole", ".rules", "Plain"),
            ("networking.k8s.io/v1", "Ingress", ".spec.rules", "Plain"),
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition", ".spec.versions", "Plain"),
        ] {
            assert_eq!(kind_at(api_version, kind, path), expected, "{kind} {path}");
        }
    }

    #[test]
    fn versions_that_are_gone_are_known() {
        let schema = Schema::built_in("apps/v1", "Deployment").unwrap();
        assert!(schema.serves("apps/v1", "Deployment"));
        assert!(!schema.serves("apps/v1beta1", "Deployment"));
        assert!(!schema.serves("extensions/v1beta1", "Deployment"));
        assert!(schema.serves("fleet.cattle.io/v1alpha1", "Bundle"));
        assert!(Schema::built_in("fleet.cattle.io/v1alpha1", "Bundle").is_none());
    }

    #[test]
    fn items_are_told_apart_by_keys_with_defaults() {
        let schema = Schema::built_in("v1", "Service").unwrap();
        let ports = schema.root().field("spec").field("ports");
        let element = |item: Value| ports.element_of(&item).map(|element| element.to_string());
        let port = serde_json::json!({"port": 80});
        assert_eq!(element(port).as_deref(), Some("[port=80,protocol=\"TCP\"]"));
        assert_eq!(element(serde_json::json!({})).as_deref(), Some("[port=0,protocol=\"TCP\"]"));
        assert_eq!(element(serde_json::json!("x")), None);
    }
}
