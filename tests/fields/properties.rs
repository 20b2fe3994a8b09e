//! What holds for every path and every set.

use helm_forensics::fields::{Element, Path, Set};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Names as schemas have them: a printed path with only such names can be read back alone.
fn plain_name() -> impl Strategy<Value = String> {
    "[a-zA-Z$_-][a-zA-Z0-9$_:/-]{0,8}".prop_filter("keys of free maps swallow what follows", |name| {
        ![
            "data",
            "labels",
            "annotations",
            "stringData",
            "binaryData",
            "matchLabels",
            "nodeSelector",
            "limits",
            "requests",
            "hard",
            "capacity",
            "allocatable",
        ]
        .contains(&name.as_str())
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        odd_name().prop_map(Value::from),
        Just(json!(null))
    ]
}

fn element(name: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = Element> {
    prop_oneof![
        4 => name.prop_map(Element::field),
        2 => proptest::collection::btree_map(proptest::sample::select(&["name", "port", "protocol"][..]), scalar(), 1..3).prop_map(Element::key),
        1 => scalar().prop_map(Element::value),
        1 => any::<i64>().prop_map(Element::Index),
    ]
}

fn path(name: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = Path> {
    proptest::collection::vec(element(name), 1..5).prop_map(Path)
}

/// Names as maps of data have them: anything, and what could be mistaken for a part of a path.
const ODD: &[&str] = &[
    "",
    "a",
    "b",
    "a.b",
    ".",
    "..",
    "[",
    "]",
    "[0]",
    "[a=\"b\"]",
    "\"",
    "\\",
    "x/y",
    "é世",
    "\u{1b}",
    "f:a",
    "k:{}",
];

fn odd_name() -> impl Strategy<Value = String> + Clone {
    proptest::sample::select(ODD).prop_map(str::to_owned)
}

fn any_path() -> impl Strategy<Value = Path> {
    path(odd_name())
}

fn sets() -> impl Strategy<Value = (Vec<Path>, Set)> {
    proptest::collection::vec(any_path(), 0..6).prop_map(|paths| {
        let set = Set::of(&paths);
        (paths, set)
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn a_printed_path_reads_back(path in path(plain_name().boxed())) {
        let printed = path.to_string();
        prop_assert_eq!(Path::parse(&printed).map(|read| read.to_string()), Ok(printed.clone()));
        prop_assert_eq!(Path::parse(&printed), Ok(path));
    }

    #[test]
    fn a_set_reads_back_from_fields_v1((paths, set) in sets()) {
        let (read, troubles) = Set::from_fields_v1(&set.to_fields_v1());
        prop_assert!(troubles.is_empty(), "{:?}", troubles);
        prop_assert_eq!(&read, &set);
        prop_assert!(paths.iter().all(|path| set.has(path) && set.touches(path)));
        prop_assert_eq!(set.paths().len(), set.len());
        prop_assert_eq!(Set::of(&set.paths()), set);
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_path_of_a_set_is_found_by_its_printed_form(path in any_path()) {
        let set = Set::of([&path]);
        let printed = path.to_string();
        let read = Path::resolve(&printed, [&set], None);
        prop_assert_eq!(read.map(|read| read.to_string()), Ok(printed));
    }

    #[test]
    fn foreign_text_is_read_or_refused(text in ".{0,40}") {
        if let Ok(path) = Path::parse(&text) {
            prop_assert_eq!(Path::parse(&path.to_string()).map(|again| again.to_string()), Ok(path.to_string()));
        }
    }

    #[test]
    fn sets_obey_the_laws_of_sets(((_, a), (_, b)) in (sets(), sets())) {
        let (union, both, without) = (a.union(&b), a.intersection(&b), a.difference(&b));
        prop_assert_eq!(&union, &b.union(&a));
        prop_assert_eq!(&both, &b.intersection(&a));
        prop_assert_eq!(&without.union(&both), &a);
        prop_assert!(without.intersection(&b).is_empty());
        prop_assert_eq!(union.len() + both.len(), a.len() + b.len());
        prop_assert_eq!(&a.difference(&a), &Set::default());
    }
}
