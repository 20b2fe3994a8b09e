//! The chart excludes this Kubernetes version. Helm `pkg/action` `isChartInstallable`.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[strong(
    "chart requires kubeVersion",
    "chart requires kubeVersion: (?P<wanted>.{1,100}?) which is incompatible with Kubernetes (?P<have>[^ ,]+)",
)];
