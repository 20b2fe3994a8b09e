//! Pods are refused at creation; the refusal has its own class.

use crate::failure::rule::{Rule, weak};

pub(super) const RULES: &[Rule] = &[weak("FailedCreate", "ReplicaFailure.{0,80}?FailedCreate").likely()];
