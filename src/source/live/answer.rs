//! What an answer of the server means: the text that was asked for, or why there is none.

use http::StatusCode;
use kube::core::Status;

use super::read_only::Reply;
use crate::source::Miss;

/// What was asked, for the words of a refusal.
pub(super) struct Asked<'a> {
    /// The cluster's name.
    pub(super) cluster: &'a str,
    /// `list` or `get`.
    pub(super) verb: &'a str,
    /// `secrets`, `gitrepos.fleet.cattle.io`.
    pub(super) resource: String,
    /// `""` for all.
    pub(super) namespace: &'a str,
    /// The URL's path, for what cannot be understood.
    pub(super) path: &'a str,
}

/// The sorts of answers.
#[derive(Debug)]
pub(super) enum Answer {
    /// 200 with JSON.
    Json(String),
    /// 404 of an API server: the object or the kind is not there.
    NotFound,
    /// 404 in plain words, as an API server says for a group that it does not serve; so do others.
    NotFoundSaysSomebody,
    /// 410: the continue token is too old.
    Expired,
    /// No answer to the question.
    Refused(Miss),
}

/// Sorts one reply.
pub(super) fn sort(reply: Reply, asked: &Asked<'_>) -> Answer {
    if reply.status.is_success() {
        return match reply.text.trim_start().starts_with('{') {
            true => Answer::Json(reply.text),
            false => Answer::Refused(not_kubernetes(&reply, asked)),
        };
    }
    let status: Option<Status> = serde_json::from_str(&reply.text).ok();
    let is_kubernetes = status.as_ref().is_some_and(|status| status.is_failure());
    match (reply.status, is_kubernetes) {
        (StatusCode::UNAUTHORIZED, _) => {
            Answer::Refused(Miss::Unauthorized { cluster: asked.cluster.into() })
        }
        (StatusCode::FORBIDDEN, true) => Answer::Refused(Miss::Forbidden {
            verb: asked.verb.into(),
            resource: asked.resource.clone(),
            namespace: asked.namespace.into(),
        }),
        (StatusCode::NOT_FOUND, true) => Answer::NotFound,
        (StatusCode::NOT_FOUND, false) if !is_web_page(&reply.text) => Answer::NotFoundSaysSomebody,
        (StatusCode::GONE, true) => Answer::Expired,
        // Go's and Rancher's proxies answer so for a cluster behind them that is not connected.
        (StatusCode::SERVICE_UNAVAILABLE | StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT, _) => {
            let says = status.map_or_else(|| glimpse(&reply.text), |status| status.message);
            Answer::Refused(Miss::Unreachable {
                cluster: asked.cluster.into(),
                why: format!("it answers {}: {says}", reply.status),
            })
        }
        (_, true) => Answer::Refused(Miss::Unreadable {
            what: format!("{} of cluster {}", asked.path, asked.cluster),
            why: format!(
                "the API server answers {}: {}",
                reply.status,
                status.map(|status| status.message).unwrap_or_default()
            ),
        }),
        (_, false) => Answer::Refused(not_kubernetes(&reply, asked)),
    }
}

fn not_kubernetes(reply: &Reply, asked: &Asked<'_>) -> Miss {
    let what = match (&reply.location, is_web_page(&reply.text)) {
        (Some(location), _) => format!("and sends us elsewhere ({})", glimpse(location)),
        (None, true) => format!("with a web page ({})", glimpse(&reply.text)),
        (None, false) if reply.text.trim().is_empty() => "with nothing".into(),
        (None, false) => format!("with something else than JSON ({})", glimpse(&reply.text)),
    };
    Miss::Unreachable {
        cluster: asked.cluster.into(),
        why: format!("it answers {} {what}: is the token expired, or the URL wrong?", reply.status.as_u16()),
    }
}

fn is_web_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The first 80 characters, on one line, without what could steer a terminal.
pub(super) fn glimpse(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let clean: String = clean.filter(|c| !c.is_control() && !steers(*c)).take(400).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(80).collect()
}

/// Bidirectional controls, which reorder what a terminal shows.
fn steers(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(status: u16, text: &str) -> Answer {
        let reply = Reply {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: None,
            location: (status == 302).then(|| "/login".into()),
            text: text.into(),
        };
        let asked = Asked {
            cluster: "prod",
            verb: "list",
            resource: "secrets".into(),
            namespace: "shop",
            path: "/api/v1/secrets",
        };
        sort(reply, &asked)
    }

    fn refusal(status: u16, text: &str) -> String {
        match sorted(status, text) {
            Answer::Refused(miss) => miss.to_string(),
            other => panic!("{other:?}"),
        }
    }

    fn failure(code: u16) -> String {
        format!(r#"{{"kind":"Status","status":"Failure","message":"because","reason":"X","code":{code}}}"#)
    }

    #[test]
    fn answers_of_an_api_server() {
        assert!(matches!(sorted(200, "{}"), Answer::Json(_)));
        assert!(matches!(sorted(404, &failure(404)), Answer::NotFound));
        assert!(matches!(sorted(404, "404 page not found\n"), Answer::NotFoundSaysSomebody));
        assert!(matches!(sorted(410, &failure(410)), Answer::Expired));
        let cases = [
            (401, "cluster prod does not accept the credentials (expired?)"),
            (403, "not allowed to list secrets in namespace shop"),
            (
                500,
                "/api/v1/secrets of cluster prod cannot be read: the API server answers 500 Internal Server Error: because",
            ),
            (503, "cluster prod cannot be reached: it answers 503 Service Unavailable: because"),
        ];
        for (status, says) in cases {
            assert_eq!(refusal(status, &failure(status)), says);
        }
    }

    #[test]
    fn answers_of_somebody_else() {
        let page = "<!DOCTYPE html>\n<title>\u{1b}[31mSign in\u{202e}</title>";
        let ends = ": is the token expired, or the URL wrong?";
        let cases = [
            (200, page, "it answers 200 with a web page (<!DOCTYPE html> <title>[31mSign in</title>)"),
            (404, page, "it answers 404 with a web page (<!DOCTYPE html> <title>[31mSign in</title>)"),
            (403, "nope", "it answers 403 with something else than JSON (nope)"),
            (302, "", "it answers 302 and sends us elsewhere (/login)"),
            (200, "", "it answers 200 with nothing"),
        ];
        for (status, text, says) in cases {
            assert_eq!(refusal(status, text), format!("cluster prod cannot be reached: {says}{ends}"));
        }
    }
}
