//! Which resource serves a kind: the API server's list of one group and version.

use std::borrow::Cow;

use serde::Deserialize;

use crate::source::{Resource, resources};

/// `APIResourceList`, as far as it is needed.
#[derive(Deserialize)]
pub(super) struct ServedKinds {
    #[serde(default)]
    resources: Option<Vec<ServedKind>>,
}

#[derive(Deserialize)]
struct ServedKind {
    name: String,
    kind: String,
    #[serde(default)]
    namespaced: bool,
}

impl ServedKinds {
    /// Reads the server's answer.
    pub(super) fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The resource of this kind. Subresources (`deployments/scale`) also name kinds and are passed over.
    pub(super) fn find(&self, api_version: &str, kind: &str) -> Option<Resource> {
        let mut served = self.resources.iter().flatten();
        let found = served.find(|served| served.kind == kind && !served.name.contains('/'))?;
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Some(Resource {
            group: Cow::Owned(group.to_owned()),
            version: Cow::Owned(version.to_owned()),
            plural: Cow::Owned(found.name.clone()),
            kind: Cow::Owned(kind.to_owned()),
            namespaced: found.namespaced,
        })
    }
}

/// A resource that needs no question.
pub(super) fn known(api_version: &str, kind: &str) -> Option<Resource> {
    let mut known = resources::ALL.iter();
    known.find(|known| known.kind == kind && known.api_version() == api_version).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subresource_is_not_the_resource() {
        let json = r#"{"kind":"APIResourceList","resources":[
            {"name":"widgets/status","kind":"Widget","namespaced":true},
            {"name":"widgets","kind":"Widget","namespaced":true},
            {"name":"worlds","kind":"World","namespaced":false}]}"#;
        let served = ServedKinds::parse(json).unwrap();
        let widget = served.find("a.test/v1", "Widget").unwrap();
        assert_eq!((widget.to_string().as_str(), widget.namespaced), ("widgets.a.test", true));
        assert!(!served.find("a.test/v1", "World").unwrap().namespaced);
        assert_eq!(served.find("a.test/v1", "Moon"), None);
    }

    #[test]
    fn what_the_program_reads_anyway_needs_no_question() {
        assert_eq!(known("apps/v1", "Deployment"), Some(resources::DEPLOYMENTS));
        assert_eq!(known("v1", "Deployment"), None);
    }
}
