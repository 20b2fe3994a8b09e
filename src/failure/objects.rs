//! How programs name an object. Groups: `gv`, `kind`, `ns`, `name`, `resource`, `group`.

use regex::Captures;

use super::flat::MASK;
use super::model::NamedObject;
use super::rule::{Rule, strong};

/// At most so many objects are kept of one text.
const MOST: usize = 1000;

/// Every way in which an object is named, other than a conflict's lead-in.
pub(super) const OBJECTS: &[Rule] = &[
    // Helm 4: the object in front of what the API server says.
    strong(
        "ailed for object",
        r"server-side apply failed for object (?P<ns>[^ /]*)/(?P<name>[^ :]+)(?: (?P<gv>[^ ,]*), Kind=(?P<kind>[A-Za-z0-9]+))?",
    ),
    strong(
        "CSA field manager",
        r"failed to patch object to upgrade CSA field manager (?P<ns>[^ /]*)/(?P<name>[^ :]+)(?: (?P<gv>[^ ,]*), Kind=(?P<kind>[A-Za-z0-9]+))?",
    ),
    strong(
        "typed patch object (",
        r"typed patch object \((?P<ns>[^ /;]*)/(?P<name>[^ ;]+); (?P<gv>[^ ,]*), Kind=(?P<kind>[A-Za-z0-9]+)\)",
    ),
    strong(
        "conflict occurred while applying object",
        r"conflict occurred while applying object (?P<ns>[^ /]*)/(?P<name>[^ :]+)(?: (?P<gv>[^ ,]*), Kind=(?P<kind>[A-Za-z0-9]+))?",
    ),
    // Helm 3.
    strong("annot patch \"", r#"annot patch "(?P<name>[^"]*)" with kind (?P<kind>[A-Za-z0-9]+)"#),
    strong(
        "failed to replace object",
        r#"failed to replace object "(?P<name>[^"]*)" with kind (?P<kind>[A-Za-z0-9]+)"#,
    ),
    strong("Cannot patch ", r#"Cannot patch (?P<kind>[A-Z][A-Za-z0-9]*): "(?P<name>[^"]*)""#),
    strong(
        "could not get information about the resource",
        r#"information about the resource (?P<kind>[A-Z][A-Za-z0-9]*) "(?P<name>[^"]*)" in namespace "(?P<ns>[^"]*)""#,
    ),
    // The API server.
    strong(
        "\" is invalid",
        r#"(?P<kind>[A-Z][A-Za-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))? "(?P<name>[^"]+)" is invalid"#,
    ),
    strong(
        "\" is forbidden",
        r#"(?P<resource>[a-z][a-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))?(?:/[a-z]+)? "(?P<name>[^"]+)" is forbidden"#,
    ),
    strong(
        "\" already exists",
        r#"(?P<resource>[a-z][a-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))? "(?P<name>[^"]+)" already exists"#,
    ),
    strong(
        "\" not found",
        r#"(?P<resource>[a-z][a-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))? "(?P<name>[^"]+)" not found"#,
    ),
    strong(
        "\" not found",
        r#"(?P<kind>[A-Z][A-Za-z0-9]*)\.(?P<group>[a-z0-9.-]+) "(?P<name>[^"]+)" not found"#,
    ),
    strong(
        "cannot be fulfilled on",
        r#"cannot be fulfilled on (?P<resource>[a-z][a-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))? "(?P<name>[^"]+)""#,
    ),
    strong(
        "may still be processing the request (",
        r"the request \([a-z]+ (?P<resource>[a-z][a-z0-9]*)(?:\.(?P<group>[a-z0-9.-]+))? (?P<name>[^ )]+)\)",
    ),
    strong(
        "cannot be handled as a",
        r#"(?P<kind>[A-Z][A-Za-z0-9]*) in version "(?P<gv>[^"]+)" cannot be handled as a"#,
    ),
    strong("ValidationError(", r"ValidationError\((?P<kind>[A-Z][A-Za-z0-9]*)"),
    strong("unknown object type", r#"unknown object type "nil" in (?P<kind>[A-Z][A-Za-z0-9]*)"#),
    strong("Update for ", r"\(Update for (?P<gv>[^ ,]+), Kind=(?P<kind>[A-Za-z0-9]+)\)"),
    // Ownership.
    strong(
        "exists and cannot be imported",
        r#"(?P<kind>[A-Z][A-Za-z0-9]*) "(?P<name>[^"]+)" in namespace "(?P<ns>[^"]*)" exists and cannot be imported"#,
    ),
    strong(
        "existing resource conflict",
        r"existing resource conflict: kind: (?P<kind>[A-Za-z0-9]+), namespace: (?P<ns>[^ ,]*),? ?name: (?P<name>[^ ,;]+)",
    ),
    strong("with the name", r#"no (?P<kind>[A-Z][A-Za-z0-9]*) with the name "(?P<name>[^"]+)" found"#),
    // A kind that is not there.
    strong(
        "resource mapping not found",
        r#"resource mapping not found for name: "(?P<name>[^"]*)" namespace: "(?P<nsset>[^"]*)" from "[^"]*": no matches for kind "(?P<kind>[^"]*)" in version "(?P<gv>[^"]*)""#,
    ),
    strong(
        "could not find ",
        r"Kubernetes API could not find (?P<group>[^ /]*)/(?P<kind>[A-Za-z0-9]+) for requested resource (?P<ns>[^ /]*)/(?P<name>[^ :.,]+)",
    ),
    // Waiting.
    strong(" not ready", r"resource (?P<kind>[A-Za-z0-9]+)/(?P<ns>[^ /]*)/(?P<name>[^ /]+) not ready"),
    strong(" still exists", r"resource (?P<kind>[A-Za-z0-9]+)/(?P<ns>[^ /]*)/(?P<name>[^ /]+) still exists"),
    strong("resource not ready", r"resource not ready, name: (?P<name>[^ ,]+), kind: (?P<kind>[A-Za-z0-9]+)"),
    strong(" status: '", r"(?P<kind>[A-Z][A-Za-z0-9]*)/(?P<ns>[^ /]*)/(?P<name>[^ /]+) status: '"),
    strong(
        "\"kind\":\"",
        r#""kind":"(?P<kind>[A-Za-z0-9]+)","apiVersion":"(?P<gv>[^"]*)","namespace":"(?P<ns>[^"]*)","name":"(?P<name>[^"]*)""#,
    ),
    strong(
        "\"BundleDeployment\":{",
        r#""(?P<kind>BundleDeployment)":\{"name":"(?P<name>[^"]*)","namespace":"(?P<ns>[^"]*)""#,
    ),
    strong(
        "waiting for ",
        r"waiting for (?:completion of hook|healthy state of) (?:(?P<group>[a-z0-9.-]*)/)?(?P<kind>[A-Z][A-Za-z0-9]*)/(?P<name>[^ ]+)",
    ),
    strong(
        " dry-run failed",
        r"(?P<kind>[A-Z][A-Za-z0-9]*)/(?:(?P<ns>[^ /]*)/)?(?P<name>[^ /]+) dry-run failed",
    ),
    // Flux.
    strong("is not ready: ", r"(?P<kind>[A-Z][A-Za-z0-9]*) '(?P<ns>[^' /]*)/(?P<name>[^']+)' is not ready"),
    strong(" changed (", r"(?P<kind>[A-Z][A-Za-z0-9]*)/(?P<ns>[^ /]*)/(?P<name>[^ /]+) changed \("),
    strong(" removed", r"(?P<kind>[A-Z][A-Za-z0-9]*)/(?P<ns>[^ /]+)/(?P<name>[^ /]+) removed"),
    // Fleet's items; a core kind is `configmap.v1`.
    strong(
        " modified {",
        r"(?P<fleetkind>[a-z][a-z0-9]*)\.(?P<fleetgroup>[a-z0-9.-]+) (?:(?P<ns>[a-z0-9.-]+)/)?(?P<name>[^ /{\[]+) modified \{",
    ),
    strong(
        " missing",
        r"(?P<fleetkind>[a-z][a-z0-9]*)\.(?P<fleetgroup>[a-z0-9.-]+) (?:(?P<ns>[a-z0-9.-]+)/)?(?P<name>[^ /{\[]+) missing(?:[;,\]\x22]|$)",
    ),
    strong(
        " extra",
        r"(?P<fleetkind>[a-z][a-z0-9]*)\.(?P<fleetgroup>[a-z0-9.-]+) (?:(?P<ns>[a-z0-9.-]+)/)?(?P<name>[^ /{\[]+) extra(?:[;,\]\x22]|$)",
    ),
    strong(
        "is not owned by us",
        r"(?P<fleetkind>[a-z][a-z0-9]*)\.(?P<fleetgroup>[a-z0-9.-]+) (?:(?P<ns>[a-z0-9.-]+)/)?(?P<name>[^ /{\[]+) is not owned by us",
    ),
    strong(
        "]",
        r"(?P<fleetkind>[a-z][a-z0-9]*)\.(?P<fleetgroup>[a-z0-9.-]+) (?:(?P<ns>[a-z0-9.-]+)/)?(?P<name>[a-z0-9][^ /{\[]*) \[?(?:progressing|in-progress|error|inactive|[a-z]+ing)\]",
    ),
    // Namespaces.
    strong("namespaces \"", r#"(?P<namespaces>namespaces) "(?P<name>[^"]+)" not found"#),
    strong(
        "because it is being terminated",
        r"(?P<namespaces>namespace) (?P<name>[^ ]+) because it is being terminated",
    ),
    strong("target namespace ", r"target (?P<namespaces>namespace) (?P<name>[^ ]+) does not exist"),
];

/// The object that a match names.
pub(super) fn named(groups: &Captures<'_>) -> NamedObject {
    let group = |name: &str| groups.name(name).map(|found| found.as_str().to_owned());
    let fleet_group = group("fleetgroup");
    let api_version = match (group("gv"), fleet_group.as_deref()) {
        (Some(version), _) => Some(version.trim_start_matches('/').to_owned()),
        (None, Some("v1")) => Some("v1".to_owned()),
        _ => None,
    };
    // A Fleet item without a namespace is cluster-scoped; elsewhere silence says nothing.
    let namespace = group("ns").or_else(|| fleet_group.is_some().then(String::new));
    NamedObject {
        api_version: api_version.filter(|version| !version.is_empty()),
        kind: group("kind")
            .or_else(|| group("fleetkind"))
            .or_else(|| group("namespaces").map(|_| "Namespace".to_owned())),
        namespace: namespace.or_else(|| group("nsset").filter(|set| !set.is_empty())),
        name: group("name").filter(|name| !name.is_empty() && !name.contains(MASK)),
    }
}

/// The plural resource of a match that names no kind: `deployments`.
pub(super) fn resource<'t>(groups: &Captures<'t>) -> Option<&'t str> {
    groups.name("resource").map(|found| found.as_str())
}

/// Adds an object, or what it says to one that is there: Helm's lead-in and the API server's text name
/// the same object in two ways.
pub(super) fn add(objects: &mut Vec<NamedObject>, new: NamedObject, resource: Option<&str>) {
    if new == NamedObject::default() || objects.len() >= MOST {
        return;
    }
    // The last few are enough: both names of an object stand next to each other.
    let near = objects.len().saturating_sub(8);
    let same = objects.iter_mut().skip(near).rev().find(|old| {
        let agree = |a: &Option<String>, b: &Option<String>| match (a, b) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            _ => true,
        };
        let kinds = match (resource, &old.kind) {
            (Some(resource), Some(kind)) => is_plural_of(resource, kind),
            _ => agree(&old.kind, &new.kind),
        };
        kinds && agree(&old.namespace, &new.namespace) && agree(&old.api_version, &new.api_version) && {
            match (&old.name, &new.name) {
                (Some(a), Some(b)) => a == b,
                (a, b) => a == b,
            }
        }
    });
    match same {
        Some(old) => {
            old.kind = old.kind.take().or(new.kind);
            old.namespace = old.namespace.take().or(new.namespace);
            old.api_version = old.api_version.take().or(new.api_version);
        }
        None => objects.push(new),
    }
}

/// `networkpolicies` of `NetworkPolicy`.
fn is_plural_of(resource: &str, kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    let stem = kind.strip_suffix('y').unwrap_or(&kind);
    resource.starts_with(stem) && resource.len() <= kind.len() + 3
}

/// `secrets "sh.helm.release.v1.shop.v7"`: Helm's own record, told as `release` and `revision`.
pub(super) fn is_about_a_release_record(object: &NamedObject) -> bool {
    object.name.as_deref().is_some_and(|name| name.starts_with("sh.helm.release.v1."))
}
