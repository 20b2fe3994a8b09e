//! What a path of the Kubernetes API asks for.

use std::collections::BTreeMap;

/// A question to one cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// `/version`.
    Version,
    /// `/api`, `/apis`: the groups.
    Groups { core: bool },
    /// `/api/v1`, `/apis/G/V`: the kinds of one group and version.
    Kinds { group: String, version: String },
    /// A collection.
    List { group: String, version: String, plural: String, namespace: String },
    /// One object.
    Get { group: String, version: String, plural: String, namespace: String, name: String },
    /// Nothing that an API server knows.
    Unknown,
}

/// Reads the path below the cluster's prefix.
pub fn question(path: &str) -> Question {
    let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(unescape).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["version"] => Question::Version,
        ["api"] => Question::Groups { core: true },
        ["apis"] => Question::Groups { core: false },
        ["api", version, rest @ ..] => of_group("", version, rest),
        ["apis", group, version, rest @ ..] => of_group(group, version, rest),
        _ => Question::Unknown,
    }
}

fn of_group(group: &str, version: &str, rest: &[&str]) -> Question {
    let (group, version) = (group.to_owned(), version.to_owned());
    let list = |plural: &str, namespace: &str| Question::List {
        group: group.clone(),
        version: version.clone(),
        plural: plural.into(),
        namespace: namespace.into(),
    };
    let get = |plural: &str, namespace: &str, name: &str| Question::Get {
        group: group.clone(),
        version: version.clone(),
        plural: plural.into(),
        namespace: namespace.into(),
        name: name.into(),
    };
    match rest {
        [] => Question::Kinds { group, version },
        ["namespaces", namespace, plural] => list(plural, namespace),
        ["namespaces", namespace, plural, name] => get(plural, namespace, name),
        [plural] => list(plural, ""),
        [plural, name] => get(plural, "", name),
        _ => Question::Unknown,
    }
}

/// The query's parameters.
pub fn parameters(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), unescape(value))).collect()
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let hex = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).expect("UTF-8 in a URL")
}
