//! What is read on a downstream cluster; `rbac` and `capture` follow this table.

use crate::source::{Resource, resources};

/// Resources that a diagnosis reads where a release lives, besides the objects of the releases
/// themselves.
pub const DOWNSTREAM: &[Resource] = &[
    resources::SECRETS,
    resources::CONFIG_MAPS,
    resources::EVENTS,
    resources::PODS,
    resources::SERVICES,
    resources::DEPLOYMENTS,
    resources::REPLICA_SETS,
    resources::STATEFUL_SETS,
    resources::DAEMON_SETS,
    resources::JOBS,
    resources::HORIZONTAL_POD_AUTOSCALERS,
    resources::SCALED_OBJECTS,
];
