//! A failure text to its class and what it names: peel the wrappers, read the grammar, look into the
//! catalogue.
//!
//! Works on text alone. May use `object` and nothing else of the program.

mod model;

pub use model::{Class, Conflict, Failure, NamedObject, Operation, Wrapper};

/// The failure that one text (a revision's description, a condition's message) tells, or `None` where
/// the text tells of none (`Upgrade complete`, empty).
pub fn classify(_text: &str) -> Option<Failure> {
    None
}

/// TEMPORARY
pub fn classify_revision(_status: &str, text: &str) -> Option<Failure> {
    classify(text)
}
/// TEMPORARY
pub fn classify_damage(_status: &str) -> Option<Failure> {
    None
}
/// TEMPORARY
pub fn ways_out(_f: &Failure, _c: &WayContext<'_>) -> Vec<crate::report::WayOut> {
    Vec::new()
}
/// TEMPORARY
#[derive(Default)]
#[allow(missing_docs)]
pub struct WayContext<'a> {
    pub deployer: &'a str,
    pub owner: Option<&'a crate::object::ObjectRef>,
    pub context: Option<&'a str>,
    pub release_namespace: Option<&'a str>,
    pub release_name: Option<&'a str>,
    pub revision: Option<u32>,
    pub last_good: Option<u32>,
}
impl Failure {
    /// TEMPORARY
    pub fn unknown(text: String) -> Self {
        Self {
            class: Class("unknown"),
            confidence: crate::report::Confidence::Possible,
            also: vec![],
            wrappers: vec![],
            conflicts: vec![],
            objects: vec![],
            entities: Default::default(),
            truncated: false,
            text,
        }
    }
}
