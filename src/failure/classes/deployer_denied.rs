//! A rule of the deployer itself forbids it.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque(
        "is not permitted in project",
        "resource (?P<group>[^ :]*):(?P<kind>[A-Za-z0-9]+) is not permitted in project (?P<project>[^ ,]+?)(?:[ .,]|$)",
    ),
    opaque(
        "allowed destinations in project",
        "application destination .{0,300}? do not match any of the allowed destinations in project '(?P<project>[^']+)'",
    ),
    opaque("is not permitted in project", "is not permitted in project '?(?P<project>[^ ,']+)"),
    opaque("Only Helm v3 charts", "Only Helm v3 charts are supported"),
    opaque("llowedTargetNamespace", "[aA]llowedTargetNamespace(?:Selector|s)?"),
    opaque(
        "cross-namespace references",
        "cross-namespace references (?:are not allowed|have been (?:blocked|disabled))",
    ),
    opaque("is not allowed to access", "is not allowed to access (?:project|namespace)").likely(),
];
