//! The kubeconfig of the other cluster is not there. Flux `spec.kubeConfig`.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("KubeConfig secret", "could not get KubeConfig secret '(?P<namespace>[^/']*)/(?P<secret>[^']*)'"),
    opaque(
        "KubeConfig secret",
        "KubeConfig secret '(?P<namespace>[^/']*)/(?P<secret>[^']*)' does not contain",
    ),
];
