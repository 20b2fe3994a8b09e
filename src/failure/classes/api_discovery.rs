//! An aggregated API does not answer, so that nobody can list all kinds. client-go `discovery`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("the complete list of server APIs", "unable to retrieve the complete list of server APIs: (?P<version>[a-z0-9.-]+/[a-z0-9]+): (?P<reason>[^,]{1,120})"),
    strong("the complete list of server APIs", "unable to retrieve the complete list of server APIs"),
    strong("could not get apiVersions", "could not get apiVersions from Kubernetes"),
    strong("stale GroupVersion discovery", "stale GroupVersion discovery: (?P<version>[^ ,]+)"),
    strong("get discovery client", "(?:unable|failed|could not) (?:to )?(?:get|discover|retrieve) (?:server |api )?(?:API )?(?:groups|resources|discovery)[a-z ]{0,40}: ").likely(),
];
