//! What a text says besides cause and objects, wherever it stands.

use super::rule::{Rule, field_path, strong};

/// Named groups become entities.
pub(super) const MENTIONS: &[Rule] = &[
    strong(
        "sh.helm.release.v1.",
        r"sh\.helm\.release\.v1\.(?P<release>[a-z0-9][a-z0-9.-]*)\.v(?P<revision>[0-9]+)",
    ),
    strong(
        " name=",
        r#"(?:msg="(?:upgrade|install|rollback|uninstall) failed" name=)(?P<release>[a-z0-9][a-z0-9.-]*)"#,
    ),
    strong("has no deployed releases", r#""(?P<release>[^"]+)" has no deployed releases"#),
    strong("elease ", r"(?:Error: |^|: )release (?P<release>[a-z0-9][a-z0-9.-]*) failed"),
    strong("release [", r"release \[(?P<release>[a-z0-9][a-z0-9.-]*)\]"),
    strong("failed release", r#"failed release "(?P<release>[^"]+)""#),
    strong("has been upgraded", r#"Release "(?P<release>[^"]+)" has been upgraded"#),
    strong(
        "\"release\":\"",
        r#""release":"(?P<namespace>[^"/]*)/(?P<release>[^"/:]*):(?P<revision>[0-9]+)""#,
    ),
    strong("Release not loaded", r"Release not loaded: (?P<release>[a-z0-9][a-z0-9.-]*): "),
    strong("failed to delete release", r"failed to delete release: (?P<release>[a-z0-9][a-z0-9.-]*)"),
    strong("revision: ", r"revision: (?P<revision>[0-9]+)\b"),
    // A row of `helm history` begins with the revision.
    strong(
        "failed",
        r"(?:^|- )(?P<revision>[0-9]{1,6}) (?:[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{1,2} ?[0-9:]{8} [0-9]{4} )?(?:failed|pending-[a-z]+|uninstalling) ",
    ),
    strong(
        "failed ",
        r"(?:[^0-9:]|[^:0-9][0-9]{1,6}) (?P<revision>[0-9]{1,6}) failed (?:[^ ]+ )?(?:[^ ]+ )?(?:Upgrade|Release|Rollback) ",
    ),
    strong(
        "failed ",
        r" (?P<revision>[0-9]{1,6}) [A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{1,2} ?[0-9:]{8} [0-9]{4} failed ",
    ),
    strong(
        "pending-",
        r"(?:^| )(?P<revision>[0-9]{1,6}) (?:[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{1,2} ?[0-9:]{8} [0-9]{4} )?pending-[a-z]+ ",
    ),
    // Fleet's state, the first one counts.
    strong(
        ") [",
        r"(?P<fleet.state>ErrApplied|WaitApplied|Modified|OutOfSync|Pending|NotReady|WaitingForDependency)\((?P<fleet.count>[0-9]+)\) \[(?P<fleet.referent_kind>[A-Z][A-Za-z]*) (?P<fleet.referent>[^ :\]]+)",
    ),
    // A request that did not come back.
    strong("timeout=", r"[?&]timeout=(?P<timeout>[0-9a-z.]+)"),
    strong("service \"", r#"service "(?P<service>[^"]+)""#),
    strong(
        ".svc",
        r"https?://(?P<service>[a-z0-9-]+)\.(?P<service_namespace>[a-z0-9-]+)\.svc(?:\.[a-z0-9.-]+)?(?::(?P<port>[0-9]+))?(?P<webhook_path>/[^ ?\x22]*)?",
    ),
    strong(
        "may still be processing the request (",
        r"the request \((?P<verb>[a-z]+) (?P<resource>[a-z0-9.]+)",
    ),
    // The field that was refused.
    strong("is invalid: ", concat!(r"is invalid: \[?(?P<field>", field_path!(), r"): ")),
    strong(
        "User \"",
        r#"User "(?P<user>[^"]*)" cannot (?P<verb>[a-z]+) resource "(?P<resource>[^"]*)"(?: in API group "(?P<group>[^"]*)")?(?: in the namespace "(?P<namespace>[^"]*)")?"#,
    ),
    strong("(groups=", r#"user "(?P<user>[^"]*)" \(groups="#),
    strong("Retrying attempt #", r"Retrying attempt #(?P<attempt>[0-9]+) at (?P<retry_at>[0-9:]+[AP]M)"),
    strong("(retried ", r"\(retried (?P<retried>[0-9]+) times\)"),
];
