//! The API server, or what stands before it, did not answer.

use crate::failure::rule::{Rule, strong, weak};

pub(super) const RULES: &[Rule] = &[
    strong("ubernetes cluster unreachable", "[Kk]ubernetes cluster unreachable"),
    strong(
        "etcdserver: ",
        "etcdserver: (?:leader changed|no leader|not leader|request timed out|server stopped|too many requests|unhealthy cluster|mvcc: [a-z ]+|request cancell?ed)",
    ),
    strong("etcd ", "etcd (?:cluster is unavailable|leader changed)").likely(),
    strong("GOAWAY", "GOAWAY"),
    strong("status code 426", "status code 426"),
    strong(
        "in the time allotted",
        r"unable to return a response in the time allotted(?:, but may still be processing the request \((?P<verb>[a-z]+) (?P<resource>[a-z0-9.]+)(?: [^ )]+)?\))?",
    ),
    strong(
        "Timeout: request did not",
        "Timeout: request did not complete within (?:requested timeout|the allotted timeout)",
    ),
    strong("unable to handle the request", "the server is currently unable to handle the request"),
    strong("has received too many requests", "the server has received too many requests"),
    strong("http2: ", "http2: (?:client connection lost|server sent GOAWAY|client connection force closed)"),
    strong(
        "dial tcp",
        "dial tcp:? (?:lookup )?[^ ]+(?: on [^ ]+)?: (?:connect: |i/o timeout|no such host|[a-z ]+: )(?P<reason>[a-z ]{0,40})",
    ),
    strong("i/o timeout", "i/o timeout"),
    strong("TLS handshake timeout", "TLS handshake timeout"),
    strong("connection refused", "connect(?:ion)?(?: to the server [^ ]+ was|:)? ?(?:connection )?refused")
        .likely(),
    strong("connection reset by peer", "connection reset by peer"),
    strong("no route to host", "no route to host"),
    strong("network is unreachable", "network is unreachable"),
    strong("provide credentials", "the server has asked for the client to provide credentials").likely(),
    strong(
        "rror on the server",
        r#"an error on the server \("[^"]*"\) has prevented the request from succeeding"#,
    )
    .likely(),
    strong(
        "EOF",
        r#"(?:Get|Post|Put|Patch|Delete|PATCH|GET|POST|PUT|DELETE) "?https?://[^ "]+"?: (?:unexpected )?EOF"#,
    ),
    strong("EOF", r"^(?:[^:]{0,120}: ){0,6}(?:unexpected )?EOF$").likely(),
    strong(
        "net/http: ",
        r"net/http: (?:request canceled|timeout awaiting|HTTP/1\.x transport connection broken)",
    ),
    strong("(ServiceUnavailable)", r"Error from server \(ServiceUnavailable\)"),
    weak("x509: ", "x509: certificate").likely(),
];
