//! The server itself: connections, TLS, faults, the log.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use futures::StreamExt as _;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::answer::{self, Answer};
use super::certificate::{Authority, Leaf};
use super::fault::{Fault, Rule};
use super::{Seen, Store};

type Body = BoxBody<Bytes, io::Error>;

/// How a server is to be.
#[derive(Default)]
pub struct FakeApiBuilder {
    clusters: BTreeMap<String, Arc<Store>>,
    rules: Vec<Rule>,
    leaf: Leaf,
    wants_clients: bool,
    token: Option<String>,
    latency: Duration,
    authority: Authority,
}

impl FakeApiBuilder {
    /// Serves a cluster under a path: `""` or `/k8s/clusters/c-1`.
    pub fn cluster(mut self, prefix: &str, store: impl Into<Arc<Store>>) -> Self {
        self.clusters.insert(prefix.into(), store.into());
        self
    }

    /// Fails wherever the path with its query contains `place`.
    pub fn fault(self, place: &str, fault: Fault) -> Self {
        self.fault_times(place, fault, usize::MAX)
    }

    /// Fails so often, then answers.
    pub fn fault_times(mut self, place: &str, fault: Fault, times: usize) -> Self {
        self.rules.push(Rule::new(place, fault, times));
        self
    }

    /// Shows this certificate.
    pub fn certificate(mut self, leaf: Leaf) -> Self {
        self.leaf = leaf;
        self
    }

    /// Wants a certificate from every client.
    pub fn wants_clients(mut self) -> Self {
        self.wants_clients = true;
        self
    }

    /// Answers 401 without this token.
    pub fn token(mut self, token: &str) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Waits before each answer.
    pub fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Starts it on a free port.
    pub fn start(self) -> FakeApi {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        let address = listener.local_addr().expect("an address");
        let tls = Arc::new(self.authority.server_config(self.leaf, self.wants_clients));
        let state = Arc::new(State {
            clusters: self.clusters,
            rules: self.rules,
            token: self.token,
            latency: self.latency,
            log: Mutex::default(),
            load: Load::default(),
            news: Condvar::new(),
        });
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let shared = state.clone();
        in_background(async move {
            let listener = TcpListener::from_std(listener).expect("a listener");
            let acceptor = TlsAcceptor::from(tls);
            let serve = async {
                loop {
                    let (stream, _) = listener.accept().await.expect("a connection");
                    tokio::spawn(serve_connection(stream, acceptor.clone(), shared.clone()));
                }
            };
            tokio::select! { _ = stopped => {} () = serve => {} }
        });
        FakeApi { address, authority: self.authority, state, _stop: stop }
    }
}

/// Runs a server's future on a thread of its own until it ends.
pub(super) fn in_background(future: impl Future<Output = ()> + Send + 'static) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(future);
        runtime.shutdown_background();
    });
}

/// A running server.
pub struct FakeApi {
    address: SocketAddr,
    authority: Authority,
    state: Arc<State>,
    _stop: tokio::sync::oneshot::Sender<()>,
}

impl FakeApi {
    /// A server to be described.
    pub fn builder() -> FakeApiBuilder {
        FakeApiBuilder::default()
    }

    /// A server of one cluster with nothing wrong.
    pub fn of(store: Store) -> Self {
        Self::builder().cluster("", store).start()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `https://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// Who signed its certificate.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// A kubeconfig's cluster entry for it.
    pub fn cluster_entry(&self, prefix: &str) -> Value {
        let ca = base64_simd::STANDARD.encode_to_string(self.authority.pem());
        json!({"server": format!("{}{prefix}", self.url()), "certificate-authority-data": ca})
    }

    /// What was asked so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.log.lock().expect("a log").clone()
    }

    /// Path and query of what was asked so far.
    pub fn paths(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.path).collect()
    }

    /// Waits until something is asked whose path contains `place`; a minute at most.
    pub fn wait_for(&self, place: &str) {
        let is_unasked = |log: &mut Vec<Seen>| !log.iter().any(|seen| seen.path.contains(place));
        let log = self.state.log.lock().expect("a log");
        let minute = Duration::from_secs(60);
        let (log, waited) = self.state.news.wait_timeout_while(log, minute, is_unasked).expect("a log");
        assert!(!waited.timed_out(), "nobody asked for {place}: {log:?}");
    }

    /// Connections that stood so far.
    pub fn connections(&self) -> usize {
        self.state.load.connections.load(Ordering::SeqCst)
    }

    /// The most requests that were open at one time.
    pub fn most_at_once(&self) -> usize {
        self.state.load.most_requests.load(Ordering::SeqCst)
    }

    /// Bytes of all bodies so far.
    pub fn bytes(&self) -> usize {
        self.seen().iter().map(|seen| seen.bytes).sum()
    }
}

impl Drop for FakeApi {
    fn drop(&mut self) {
        let others: Vec<Seen> = self.seen().into_iter().filter(|seen| seen.verb != "GET").collect();
        assert!(std::thread::panicking() || others.is_empty(), "only GET may be sent: {others:?}");
    }
}

struct State {
    clusters: BTreeMap<String, Arc<Store>>,
    rules: Vec<Rule>,
    token: Option<String>,
    latency: Duration,
    log: Mutex<Vec<Seen>>,
    load: Load,
    /// Something was asked.
    news: Condvar,
}

/// How much was going on at a time.
#[derive(Default)]
struct Load {
    connections: AtomicUsize,
    requests: AtomicUsize,
    most_requests: AtomicUsize,
}

async fn serve_connection(stream: TcpStream, acceptor: TlsAcceptor, state: Arc<State>) {
    let _ = stream.set_nodelay(true);
    // A client that does not like the certificate leaves here.
    let Ok(stream) = acceptor.accept(stream).await else { return };
    state.load.connections.fetch_add(1, Ordering::SeqCst);
    let service = service_fn(|request| {
        let state = state.clone();
        async move { Ok::<_, Infallible>(respond(&state, request).await) }
    });
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn respond(state: &State, request: Request<Incoming>) -> Response<Body> {
    let mut seen = Seen {
        verb: request.method().to_string(),
        path: request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
        ..Seen::default()
    };
    for name in request.headers().keys() {
        let values = request.headers().get_all(name).iter().filter_map(|value| value.to_str().ok());
        seen.headers.insert(name.to_string(), values.collect::<Vec<_>>().join(","));
    }
    let at_once = state.load.requests.fetch_add(1, Ordering::SeqCst) + 1;
    state.load.most_requests.fetch_max(at_once, Ordering::SeqCst);
    let place = {
        let mut log = state.log.lock().expect("a log");
        log.push(seen.clone());
        state.news.notify_all();
        log.len() - 1
    };
    let response = decide(state, &seen).await;
    state.load.requests.fetch_sub(1, Ordering::SeqCst);
    let bytes = usize::try_from(hyper::body::Body::size_hint(response.body()).lower()).unwrap_or(0);
    state.log.lock().expect("a log")[place].bytes = bytes;
    response
}

async fn decide(state: &State, seen: &Seen) -> Response<Body> {
    // Also a server's work, not a test's pause: this is the network between us.
    if !state.latency.is_zero() {
        tokio::time::sleep(state.latency).await;
    }
    if seen.verb != "GET" {
        return whole(answer::status(405, "this server is only read"), seen);
    }
    let authorization = state.token.as_ref().map(|token| format!("Bearer {token}"));
    if authorization.is_some_and(|wanted| seen.header("authorization") != wanted) {
        return whole(answer::status(401, "Unauthorized"), seen);
    }
    if let Some(fault) = state.rules.iter().find_map(|rule| rule.strike(&seen.path)) {
        return failing(state, fault, seen).await;
    }
    whole(answer_of(state, seen), seen)
}

fn answer_of(state: &State, seen: &Seen) -> Answer {
    let (path, query) = seen.path.split_once('?').unwrap_or((&seen.path, ""));
    // The longest prefix that a cluster is served under.
    let mut ends = path.rmatch_indices('/').map(|(at, _)| at);
    match ends.find_map(|at| Some((state.clusters.get(&path[..at])?, &path[at..]))) {
        Some((store, rest)) => answer::answer(store, rest, query, seen.header("accept")),
        None => answer::not_served(),
    }
}

async fn failing(state: &State, fault: &Fault, seen: &Seen) -> Response<Body> {
    const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>";
    match fault {
        Fault::Status(code) => whole(answer::status(*code, "told to fail"), seen),
        Fault::RetryAfter(code, seconds) => {
            let mut response = whole(answer::status(*code, "too many requests"), seen);
            response.headers_mut().insert("retry-after", (*seconds).into());
            response
        }
        Fault::NotServed => whole(answer::not_served(), seen),
        Fault::Html(code) => whole((*code, "text/html", PAGE.into()), seen),
        Fault::Redirect => {
            let mut response = whole((302, "text/html", String::new()), seen);
            response.headers_mut().insert("location", "/dashboard/auth/login".parse().expect("a header"));
            response
        }
        Fault::Hang => std::future::pending().await,
        Fault::Cut => {
            let (_, _, body) = answer_of(state, seen);
            let half = Bytes::from(body.as_bytes()[..body.len() / 2].to_vec());
            let cut = io::Error::other("cut");
            let frames = futures::stream::iter([Ok(Frame::data(half)), Err(cut)]);
            Response::new(BoxBody::new(StreamBody::new(frames)))
        }
        Fault::Drip => {
            let drops = futures::stream::repeat(()).then(|()| async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Ok(Frame::data(Bytes::from_static(b" ")))
            });
            Response::new(BoxBody::new(StreamBody::new(Box::pin(drops))))
        }
    }
}

/// The whole answer, zipped where an API server zips it: from 128 KiB, for those who can read it.
fn whole((code, media_type, body): Answer, seen: &Seen) -> Response<Body> {
    let mut response = Response::builder().status(code).header("content-type", media_type);
    let mut bytes = body.into_bytes();
    if bytes.len() > 128 << 10 && seen.header("accept-encoding").contains("gzip") {
        let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(1));
        io::Write::write_all(&mut zipped, &bytes).expect("memory");
        bytes = zipped.finish().expect("memory");
        response = response.header("content-encoding", "gzip");
    }
    let body = Full::new(Bytes::from(bytes)).map_err(|never| match never {}).boxed();
    response.body(body).expect("a response")
}
