//! One API server with the credentials for it. Clusters behind one Rancher share it: one pool of
//! connections, one run of the credential plugin.

use std::rc::Rc;

use kube::Config;
use kube::config::ExecConfig;
use tokio::sync::{OnceCell, Semaphore};

use super::config::Target;
use super::exec_plugin::ExecPlugins;
use super::read_only::{ReadOnly, Reply};
use super::retry;
use super::trouble::Trouble;

/// How many API servers' worth of requests one Rancher gets at a time.
const RANCHER_SHARE: usize = 4;

/// An API server that can be asked. Nothing is sent, and no plugin run, before the first question.
pub(super) struct Server {
    config: Config,
    exec: Option<ExecConfig>,
    plugins: Rc<ExecPlugins>,
    client: OnceCell<Result<ReadOnly, Trouble>>,
    slots: Semaphore,
}

impl Server {
    /// The server of this target.
    pub(super) fn new(target: Target, plugins: Rc<ExecPlugins>, concurrent_requests: usize) -> Self {
        // A Rancher passes requests on to as many API servers as it has clusters.
        let share = if target.prefix.is_empty() { 1 } else { RANCHER_SHARE };
        Self {
            config: target.config,
            exec: target.exec,
            plugins,
            client: OnceCell::new(),
            slots: Semaphore::new(concurrent_requests.max(1) * share),
        }
    }

    /// Makes the client, once. May ask the user, so no answer's limit holds for it.
    pub(super) async fn open(&self) -> Result<&ReadOnly, Trouble> {
        self.client.get_or_init(|| self.make_client()).await.as_ref().map_err(Clone::clone)
    }

    async fn make_client(&self) -> Result<ReadOnly, Trouble> {
        let mut config = self.config.clone();
        if let Some(exec) = &self.exec {
            self.plugins.authenticate(exec, &mut config.auth_info).await.map_err(Trouble::Setup)?;
        }
        ReadOnly::new(config)
    }

    /// GETs one path; asks again where that may help. Pauses do not hold a slot.
    pub(super) async fn get(&self, path: &str, accept: &str) -> Result<Reply, Trouble> {
        let client = self.open().await?;
        let mut tries = 0;
        loop {
            tries += 1;
            let outcome = {
                let _slot = self.slots.acquire().await;
                client.get(path, accept).await
            };
            let pause = match &outcome {
                Ok(reply) => retry::pause_after(tries, reply.status, reply.retry_after),
                Err(Trouble::Cut(_)) => retry::pause_after_cut(tries),
                Err(_) => None,
            };
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return outcome,
            }
        }
    }
}
