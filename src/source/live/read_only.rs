//! The client that the program reads with. It can send GET; anything else cannot be said to it.

use std::time::Duration;

use http::header::{ACCEPT, LOCATION, RETRY_AFTER};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use kube::Config;
use kube::client::{Body, Client, ClientBuilder};
use tower::util::MapRequestLayer;

use super::trouble::Trouble;

/// Sends GETs to one API server.
#[derive(Clone)]
pub(super) struct ReadOnly {
    client: Client,
}

/// What the server answered, whatever the status.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) retry_after: Option<Duration>,
    pub(super) location: Option<String>,
    pub(super) text: String,
}

impl ReadOnly {
    /// No answer may be larger, unzipped: 500 objects of the largest size that etcd takes.
    const LARGEST_BODY: usize = 768 << 20;

    /// A client with kube's TLS, credentials and proxy, and with none of its retries.
    pub(super) fn new(config: Config) -> Result<Self, Trouble> {
        let builder = ClientBuilder::try_from(config).map_err(|error| Trouble::of(&error))?;
        let only_gets = MapRequestLayer::new(|request: Request<Body>| {
            debug_assert_eq!(request.method(), Method::GET, "this program only reads");
            request
        });
        Ok(Self { client: builder.with_layer(&only_gets).build() })
    }

    /// GETs one path, `accept`ing one media type.
    pub(super) async fn get(&self, path: &str, accept: &str) -> Result<Reply, Trouble> {
        let request = Request::get(path)
            .header(ACCEPT, accept)
            .body(Body::empty())
            .map_err(|error| Trouble::Setup(error.to_string()))?;
        let response = self.client.send(request).await.map_err(|error| Trouble::of(&error))?;
        let header = |name| response.headers().get(name)?.to_str().ok();
        let retry_after = header(RETRY_AFTER).and_then(|text| text.parse().ok()).map(Duration::from_secs);
        let location = header(LOCATION).map(str::to_owned);
        let status = response.status();
        let body = Limited::new(response.into_body(), Self::LARGEST_BODY).collect().await;
        let bytes = body.map_err(|error| Trouble::of(error.as_ref()))?.to_bytes();
        let text = String::from_utf8(bytes.into())
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(Reply { status, retry_after, location, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type's whole surface: one constructor, one verb.
    #[tokio::test]
    async fn only_gets_are_sent() {
        let (service, mut handle) = tower_test::mock::pair::<Request<Body>, http::Response<Body>>();
        let reader = ReadOnly { client: Client::new(service, "default") };
        let server = async {
            let (request, respond) = handle.next_request().await.unwrap();
            assert_eq!((request.method(), request.uri().path()), (&Method::GET, "/version"));
            assert_eq!(request.headers()[ACCEPT], "application/json");
            let answer = http::Response::builder().status(429).header(RETRY_AFTER, "7");
            respond.send_response(answer.body(Body::from(b"{}".to_vec())).unwrap());
        };
        let (reply, ()) = tokio::join!(reader.get("/version", "application/json"), server);
        let reply = reply.ok().unwrap();
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (429, "{}"));
        assert_eq!(reply.retry_after, Some(Duration::from_secs(7)));
    }
}
