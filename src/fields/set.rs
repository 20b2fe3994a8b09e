//! Sets of fields: managedFields' fieldsV1 as a tree.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::element::{Element, ElementError};
use super::lenient::{Lenient, Reader};
use super::path::Path;

/// Deepest nesting that is read. The deepest field of a built-in kind lies at about 20.
const MAX_DEPTH: usize = 128;

/// A set of fields. A node may be a member itself (fieldsV1's `.`), have members below it, or both.
///
/// Nodes are kept in structured-merge-diff's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    element: Element,
    is_member: bool,
    below: Set,
}

/// A part of fieldsV1 that could not be read. The rest of the set holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetTrouble {
    /// A key that is no element.
    #[error("{within}: {why}")]
    Key {
        /// The path of the node that holds it.
        within: Path,
        /// What is wrong with it.
        why: ElementError,
    },
    /// A node that is not an object.
    #[error("{within}: a node is not a JSON object")]
    Node {
        /// Its path.
        within: Path,
    },
    /// Nested deeper than 128 levels: what lies below is left out.
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

impl Set {
    /// The set with these members.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut set = Self::default();
        for path in paths {
            set.insert(&path.0);
        }
        set
    }

    /// Reads fieldsV1. What cannot be read is told and left out.
    pub fn from_fields_v1(fields: &Value) -> (Self, Vec<SetTrouble>) {
        FieldsV1.deserialize(fields).unwrap_or_default()
    }

    /// The same set as fieldsV1.
    pub fn to_fields_v1(&self) -> Value {
        let mut fields = Map::new();
        for node in &self.nodes {
            let Value::Object(mut below) = node.below.to_fields_v1() else { continue };
            if node.is_member && !below.is_empty() {
                below.insert(".".to_owned(), Value::Object(Map::new()));
            }
            fields.insert(node.element.to_fields_v1(), Value::Object(below));
        }
        Value::Object(fields)
    }

    /// Adds one field. The root cannot be a member.
    pub fn insert(&mut self, path: &[Element]) {
        let Some((first, rest)) = path.split_first() else { return };
        let node = self.node_of(first);
        if rest.is_empty() {
            node.is_member = true;
        } else {
            node.below.insert(rest);
        }
    }

    fn node_of(&mut self, element: &Element) -> &mut Node {
        let place = match self.find(element) {
            Ok(place) => place,
            Err(place) => {
                let node = Node { element: element.clone(), is_member: false, below: Self::default() };
                self.nodes.insert(place, node);
                place
            }
        };
        &mut self.nodes[place]
    }

    /// Sorts nodes that were read in any order, and joins those that are written twice. The server writes them
    /// sorted and once.
    fn put_in_order(&mut self) {
        if self.nodes.is_sorted_by(|a, b| a.element < b.element) {
            return;
        }
        self.nodes.sort_by(|a, b| a.element.cmp(&b.element));
        self.nodes.dedup_by(|again, first| {
            let is_same = again.element == first.element;
            if is_same {
                first.is_member |= again.is_member;
                first.below = first.below.union(&again.below);
            }
            is_same
        });
    }

    fn find(&self, element: &Element) -> Result<usize, usize> {
        // fieldsV1 is written in order, so a new element mostly belongs at the end.
        match self.nodes.last() {
            Some(last) if last.element < *element => Err(self.nodes.len()),
            _ => self.nodes.binary_search_by(|node| node.element.cmp(element)),
        }
    }

    fn node(&self, element: &Element) -> Option<&Node> {
        self.find(element).ok().map(|place| &self.nodes[place])
    }

    /// Whether there is no member at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.iter().all(|node| !node.is_member && node.below.is_empty())
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.is_member) + node.below.len()).sum()
    }

    /// Whether exactly this field is a member.
    pub fn has(&self, path: &Path) -> bool {
        let Some((last, parents)) = path.0.split_last() else { return false };
        self.at(parents).is_some_and(|set| set.has_member(last))
    }

    /// Whether this child of the root is a member.
    pub fn has_member(&self, element: &Element) -> bool {
        self.node(element).is_some_and(|node| node.is_member)
    }

    /// What lies below a child of the root; `None` where nothing does.
    pub fn below(&self, element: &Element) -> Option<&Self> {
        self.node(element).map(|node| &node.below).filter(|below| !below.nodes.is_empty())
    }

    /// What lies below a path; the root's is the set itself.
    pub fn at(&self, path: &[Element]) -> Option<&Self> {
        path.iter().try_fold(self, |set, element| set.below(element))
    }

    /// Whether a member lies at `path` or below it.
    pub fn touches(&self, path: &Path) -> bool {
        self.has(path) || self.at(&path.0).is_some_and(|below| !below.is_empty())
    }

    /// The children of the root, members or not.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.nodes.iter().map(|node| &node.element)
    }

    /// Every member, in the API server's order: of each node first the members, then what lies below.
    pub fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        self.visit(&mut Path::default(), &mut |path| paths.push(path.clone()));
        paths
    }

    /// Members with no member below them.
    pub fn leaves(&self) -> Self {
        let nodes = self.nodes.iter().map(|node| {
            let below = node.below.leaves();
            Node { element: node.element.clone(), is_member: node.is_member && below.is_empty(), below }
        });
        Self { nodes: nodes.filter(Node::is_needed).collect() }
    }

    fn visit(&self, prefix: &mut Path, call: &mut impl FnMut(&Path)) {
        for node in self.nodes.iter().filter(|node| node.is_member) {
            prefix.0.push(node.element.clone());
            call(prefix);
            prefix.0.pop();
        }
        for node in self.nodes.iter().filter(|node| !node.below.nodes.is_empty()) {
            prefix.0.push(node.element.clone());
            node.below.visit(prefix, call);
            prefix.0.pop();
        }
    }

    /// Members of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, Combine::Either)
    }

    /// Whether every member is one of `other` too.
    pub fn is_subset_of(&self, other: &Self) -> bool {
        self.nodes.iter().all(|node| match other.node(&node.element) {
            Some(theirs) => (!node.is_member || theirs.is_member) && node.below.is_subset_of(&theirs.below),
            None => !node.is_member && node.below.is_empty(),
        })
    }

    /// Members of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, Combine::Both)
    }

    /// Members of this set that are not members of `other`. A parent is a member on its own: taking away a
    /// parent keeps its children, and the other way round.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, Combine::FirstAlone)
    }

    /// The same, where taking away a parent takes its children too.
    #[must_use]
    pub fn difference_with_children(&self, other: &Self) -> Self {
        let nodes = self.nodes.iter().filter_map(|node| match other.node(&node.element) {
            Some(taken) if taken.is_member => None,
            Some(taken) => {
                Some(Node { below: node.below.difference_with_children(&taken.below), ..node.clone() })
            }
            None => Some(node.clone()),
        });
        Self { nodes: nodes.filter(Node::is_needed).collect() }
    }

    fn combine(&self, other: &Self, how: Combine) -> Self {
        let mut nodes = Vec::new();
        let (mut ours, mut theirs) = (self.nodes.iter().peekable(), other.nodes.iter().peekable());
        loop {
            let order = match (ours.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.element.cmp(&b.element),
            };
            match order {
                Ordering::Less => {
                    let a = ours.next();
                    nodes.extend(a.filter(|_| how != Combine::Both).cloned());
                }
                Ordering::Greater => {
                    let b = theirs.next();
                    nodes.extend(b.filter(|_| how == Combine::Either).cloned());
                }
                Ordering::Equal => {
                    let (Some(a), Some(b)) = (ours.next(), theirs.next()) else { break };
                    let is_member = match how {
                        Combine::Either => a.is_member || b.is_member,
                        Combine::Both => a.is_member && b.is_member,
                        Combine::FirstAlone => a.is_member && !b.is_member,
                    };
                    let below = a.below.combine(&b.below, how);
                    if is_member || !below.nodes.is_empty() {
                        nodes.push(Node { element: a.element.clone(), is_member, below });
                    }
                }
            }
        }
        Self { nodes }
    }
}

/// Which members of two sets a new one has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combine {
    Either,
    Both,
    FirstAlone,
}

impl Node {
    fn is_needed(&self) -> bool {
        self.is_member || !self.below.nodes.is_empty()
    }
}

/// Reads fieldsV1 from any format of JSON.
pub(super) struct FieldsV1;

impl<'de> DeserializeSeed<'de> for FieldsV1 {
    type Value = (Set, Vec<SetTrouble>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut troubles = Vec::new();
        let reader = Below { within: &mut Vec::new(), troubles: &mut troubles };
        let below = Lenient(reader).deserialize(deserializer)?;
        Ok((below.set, troubles))
    }
}

/// Reads what stands below a node.
struct Below<'w> {
    within: &'w mut Vec<Element>,
    troubles: &'w mut Vec<SetTrouble>,
}

#[derive(Default)]
struct ReadBelow {
    set: Set,
    /// fieldsV1's `.` is there.
    has_dot: bool,
}

impl<'de> Reader<'de> for Below<'_> {
    type Out = ReadBelow;

    fn other(self) -> ReadBelow {
        self.troubles.push(SetTrouble::Node { within: Path(self.within.clone()) });
        ReadBelow::default()
    }

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<ReadBelow, A::Error> {
        let mut read = ReadBelow::default();
        if self.within.len() >= MAX_DEPTH {
            self.troubles.push(SetTrouble::TooDeep);
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(read);
        }
        while let Some(key) = map.next_key_seed(Key)? {
            let element = match key {
                Some(Ok(element)) => element,
                None => {
                    read.has_dot = true;
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                Some(Err(why)) => {
                    self.troubles.push(SetTrouble::Key { within: Path(self.within.clone()), why });
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            self.within.push(element);
            let reader = Below { within: &mut *self.within, troubles: &mut *self.troubles };
            let below = map.next_value_seed(Lenient(reader))?;
            let Some(element) = self.within.pop() else { continue };
            let is_member = below.has_dot || below.set.nodes.is_empty();
            read.set.nodes.push(Node { element, is_member, below: below.set });
        }
        read.set.put_in_order();
        Ok(read)
    }
}

/// A key of fieldsV1; `None` is the `.`, the node itself.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<Result<Element, ElementError>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<Result<Element, ElementError>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key of fieldsV1")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok((key != ".").then(|| Element::from_fields_v1(key)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn set(fields: Value) -> Set {
        let (set, troubles) = Set::from_fields_v1(&fields);
        assert_eq!(troubles, []);
        set
    }

    fn printed(set: &Set) -> Vec<String> {
        set.paths().iter().map(Path::to_string).collect()
    }

    #[test]
    fn members_come_before_what_lies_below_in_the_servers_order() {
        let fields = json!({"f:spec": {"f:replicas": {}, "f:template": {"f:spec": {"f:containers": {
            "k:{\"name\":\"web\"}": {".": {}, "f:name": {}, "f:image": {},
                "f:ports": {"k:{\"containerPort\":80,\"protocol\":\"TCP\"}": {".": {}}}}}}}},
            "f:metadata": {"f:finalizers": {".": {}, "v:\"b\"": {}, "v:\"a\"": {}, "i:3": {}}}});
        let set = set(fields.clone());
        assert_eq!(
            printed(&set),
            [
                ".metadata.finalizers",
                ".metadata.finalizers[=\"a\"]",
                ".metadata.finalizers[=\"b\"]",
                ".metadata.finalizers[3]",
                ".spec.replicas",
                ".spec.template.spec.containers[name=\"web\"]",
                ".spec.template.spec.containers[name=\"web\"].image",
                ".spec.template.spec.containers[name=\"web\"].name",
                ".spec.template.spec.containers[name=\"web\"].ports[containerPort=80,protocol=\"TCP\"]",
            ]
        );
        assert_eq!(set.len(), 9);
        assert_eq!(set.leaves().len(), 7);
        let mut again = fields;
        again["f:spec"]["f:template"]["f:spec"]["f:containers"]["k:{\"name\":\"web\"}"]["f:ports"]["k:{\"containerPort\":80,\"protocol\":\"TCP\"}"] =
            json!({});
        assert_eq!(set.to_fields_v1(), again);
    }

    #[test]
    fn a_parent_is_a_member_on_its_own() {
        let all = set(json!({"f:a": {".": {}, "f:b": {}, "f:c": {}}}));
        let parent = set(json!({"f:a": {}}));
        let child = set(json!({"f:a": {"f:b": {}}}));
        assert_eq!(printed(&all.difference(&parent)), [".a.b", ".a.c"]);
        assert_eq!(printed(&all.difference(&child)), [".a", ".a.c"]);
        assert_eq!(printed(&all.difference_with_children(&parent)), [""; 0]);
        assert_eq!(printed(&all.difference_with_children(&child)), [".a", ".a.c"]);
        assert_eq!(printed(&all.intersection(&parent)), [".a"]);
        assert_eq!(printed(&parent.union(&child)), [".a", ".a.b"]);
        assert!(all.has(&Path::fields(["a"])) && !child.has(&Path::fields(["a"])));
        assert!(child.touches(&Path::fields(["a"])) && !parent.touches(&Path::fields(["a", "b"])));
        assert!(!all.has(&Path::default()));
    }

    #[test]
    fn what_cannot_be_read_is_told_and_the_rest_is_kept() {
        let fields = json!({"f:spec": {"k:{bad": {}, "x:y": {}, "v:": {}, "i:one": {}, "f:ok": {}, "f:odd": 1, "k:[]": {}}});
        let (set, troubles) = Set::from_fields_v1(&fields);
        assert_eq!(printed(&set), [".spec.odd", ".spec.ok"].map(String::from));
        assert_eq!(troubles.len(), 6);
        assert!(troubles[1].to_string().starts_with(".spec: "), "{}", troubles[1]);
        assert_eq!(Set::from_fields_v1(&json!("x")).1.len(), 1);
    }

    #[test]
    fn nesting_and_size_are_bounded() {
        let mut deep = json!({});
        for _ in 0..300 {
            deep = json!({"f:a": deep});
        }
        let (set, troubles) = Set::from_fields_v1(&deep);
        assert_eq!((set.len(), troubles), (1, vec![SetTrouble::TooDeep]));
        let wide: Map<String, Value> =
            (0..10_000).map(|n| (format!("f:{}", 10_000 - n), json!({}))).collect();
        assert_eq!(Set::from_fields_v1(&json!({"f:data": wide})).0.len(), 10_000);
    }
}
