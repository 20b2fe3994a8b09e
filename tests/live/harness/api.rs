//! Requests as anybody: the test chooses the User-Agent, which is what the API server makes a field manager's
//! name from.

use std::future::Future;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use http_body_util::BodyExt as _;
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::Value;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::failure::StartFailure;

/// Ours, where no test asks for another.
pub const HARNESS: &str = "live-tests/1";
/// Rancher's and any other web UI sends the browser's; the manager becomes "Mozilla".
pub const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

const LIMIT: Duration = Duration::from_secs(30);
const PROBE_LIMIT: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_millis(200);

#[derive(Clone, Copy, Debug)]
pub enum Verb {
    Get,
    Create,
    /// Sets the fields in the body, leaves the others.
    Merge,
    /// The same, where lists are merged by their keys: what `kubectl edit` and `kubectl set` send.
    Strategic,
    Apply,
    Replace,
}

impl Verb {
    fn wire(self) -> (&'static str, &'static str) {
        match self {
            Self::Get => ("GET", "application/json"),
            Self::Create => ("POST", "application/json"),
            Self::Replace => ("PUT", "application/json"),
            Self::Merge => ("PATCH", "application/merge-patch+json"),
            Self::Strategic => ("PATCH", "application/strategic-merge-patch+json"),
            Self::Apply => ("PATCH", "application/apply-patch+yaml"),
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    /// The body, or the request's failure as the test's failure.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "the server answered {}: {}", self.status, self.body);
        self.body
    }
}

/// A client that can be cloned into tasks.
#[derive(Clone)]
pub struct Wire(Client);

impl Wire {
    /// Asked to come back later, it does, like any real client: a new kind answers 429 while its storage
    /// starts.
    pub async fn send(
        &self,
        agent: &str,
        verb: Verb,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, String> {
        let exchange = async {
            loop {
                match self.send_once(agent, verb, path, body).await {
                    Ok(Answer { status: 429, .. }) => tokio::time::sleep(AGAIN).await,
                    other => return other,
                }
            }
        };
        tokio::time::timeout(LIMIT, exchange)
            .await
            .unwrap_or_else(|_| Err(format!("no answer within {LIMIT:?}")))
    }

    async fn send_once(
        &self,
        agent: &str,
        verb: Verb,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, String> {
        let (method, content_type) = verb.wire();
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("user-agent", agent)
            .header("content-type", content_type)
            .body(Body::from(body.map(Value::to_string).unwrap_or_default().into_bytes()))
            .map_err(|error| error.to_string())?;
        let response = self.0.send(request).await.map_err(|error| error.to_string())?;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.map_err(|error| error.to_string())?.to_bytes();
        // /readyz and errors of proxies are plain text.
        let body =
            serde_json::from_slice(&bytes).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&bytes)));
        Ok(Answer { status, body })
    }
}

/// A background thread drives all connections and tasks of a control plane: tests are plain threads, and
/// several of them share one plane. Dropping it ends the tasks.
struct Engine {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    fn start() -> Result<Self, StartFailure> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| StartFailure::setup("a runtime for requests", error))?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::Builder::new()
            .name("requests".to_owned())
            .spawn(move || {
                let _ = runtime.block_on(stopped);
            })
            .map_err(|error| StartFailure::setup("a thread for requests", error))?;
        Ok(Self { handle, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The blocking door for tests.
pub struct Api {
    wire: Wire,
    engine: Engine,
}

impl Api {
    pub fn connect(kubeconfig: &Value) -> Result<Self, StartFailure> {
        Self::with(|| async {
            let kubeconfig: Kubeconfig = serde_json::from_value(kubeconfig.clone())
                .map_err(|error| StartFailure::setup("the kubeconfig", error))?;
            Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
                .await
                .map_err(|error| StartFailure::setup("the kubeconfig", error))
        })
    }

    /// For a server that shows its own certificate to anybody and serves only its health.
    pub fn to_health_port(port: u16) -> Result<Self, StartFailure> {
        Self::with(|| async move {
            let url = format!("https://127.0.0.1:{port}");
            let url = url.parse().map_err(|error| StartFailure::setup(&url, error))?;
            let mut config = Config::new(url);
            config.accept_invalid_certs = true;
            Ok(config)
        })
    }

    fn with<F>(config: impl FnOnce() -> F) -> Result<Self, StartFailure>
    where
        F: Future<Output = Result<Config, StartFailure>>,
    {
        let engine = Engine::start()?;
        let client = engine.handle.block_on(async {
            let mut config = config().await?;
            // A proxy of the environment would be asked for loopback addresses too, and a retry would hide
            // what a server answered.
            config.proxy_url = None;
            config.default_retry = false;
            Client::try_from(config).map_err(|error| StartFailure::setup("a client", error))
        })?;
        Ok(Self { wire: Wire(client), engine })
    }

    /// A task that may send requests, ended with the plane or with its handle.
    pub fn spawn<F>(&self, task: impl FnOnce(Wire) -> F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.engine.handle.spawn(task(self.wire.clone()))
    }

    pub fn try_send(
        &self,
        agent: &str,
        verb: Verb,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, String> {
        self.engine.handle.block_on(self.wire.send(agent, verb, path, body))
    }

    /// Whether a server says that it is well, and at once: behind a port that was lost to a stranger nobody
    /// may answer.
    pub fn probe(&self, path: &str) -> bool {
        let question = async {
            let answer = self.wire.send_once(HARNESS, Verb::Get, path, None);
            tokio::time::timeout(PROBE_LIMIT, answer).await
        };
        matches!(self.engine.handle.block_on(question), Ok(Ok(Answer { status: 200, .. })))
    }

    #[track_caller]
    pub fn send(&self, agent: &str, verb: Verb, path: &str, body: &Value) -> Answer {
        match self.try_send(agent, verb, path, Some(body)) {
            Ok(answer) => answer,
            Err(problem) => panic!("{verb:?} {path}: {problem}"),
        }
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        match self.try_send(HARNESS, Verb::Get, path, None) {
            Ok(answer) => answer,
            Err(problem) => panic!("GET {path}: {problem}"),
        }
    }

    /// What a scale button or `kubectl scale` does, as whoever `agent` says.
    #[track_caller]
    pub fn scale(&self, agent: &str, namespace: &str, deployment: &str, replicas: u32) {
        let path = format!("/apis/apps/v1/namespaces/{namespace}/deployments/{deployment}/scale");
        let body = serde_json::json!({"spec": {"replicas": replicas}});
        self.send(agent, Verb::Merge, &path, &body).ok();
    }
}
