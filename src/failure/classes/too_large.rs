//! Larger than a request, a Secret or etcd may be.

use crate::failure::rule::{Rule, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "Too long: ",
        "Too long: (?:must have at most|may not be more than) (?P<limit>1048576|262144) (?:bytes|characters)",
    ),
    strong("entity too large", "[Rr]equest entity too large(?:: limit is (?P<limit>[0-9]+))?"),
    strong("request is too large", "etcdserver: request is too large"),
    strong("status code 413", "status code 413"),
    strong("413", "413 (?:Request Entity|Payload|Content) Too Large").likely(),
    strong("larger than max", "(?:trying to send|received) message larger than max"),
];
