//! A controller or an agent does not answer.

use crate::failure::rule::{Rule, opaque, strong};

pub(super) const RULES: &[Rule] = &[
    strong("has not been reconciled", "latest generation of object has not been reconciled"),
    opaque("code = Unavailable", "rpc error: code = Unavailable desc = (?:connection error|transport|closing transport|error reading from server|name resolver)").likely(),
    strong("code = DeadlineExceeded", "rpc error: code = DeadlineExceeded").likely(),
];
