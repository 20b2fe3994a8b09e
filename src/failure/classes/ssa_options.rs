//! Two options of Helm 4 that exclude each other.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong("forceConflicts enabled", "forceConflicts enabled when serverSideApply disabled"),
    strong("cannot use ", "cannot use (?:server-side apply|force conflicts) and force replace together"),
    strong("if any flags in the group", r"if any flags in the group \[(?P<options>force-replace force-conflicts|force-conflicts force-replace|[^\]]*force[^\]]*)\] are set"),
    strong("server-side apply", "invalid (?:client )?(?:update|create|operation|apply) ?(?:option\\(s\\))?: .{0,80}?server-side apply").likely(),
];
