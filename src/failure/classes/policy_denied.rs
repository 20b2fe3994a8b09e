//! A policy of the API server itself said no. Kubernetes `admission/plugin/policy`.

use crate::failure::rule::{Rule, opaque};

pub(super) const RULES: &[Rule] = &[
    opaque("AdmissionPolicy '", "(?:Validating|Mutating)AdmissionPolicy '(?P<policy>[^']*)' with binding '(?P<binding>[^']*)' denied request").with_message(),
    opaque("AdmissionPolicy", "(?:[Dd]enied|rejected) by (?:Validating|Mutating)AdmissionPolicy ['\"]?(?P<policy>[^ '\":]+)").with_message().likely(),
];
