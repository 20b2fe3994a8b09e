//! The clusters that a kubeconfig leads to: the current context, and downstream ones when asked for.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use kube::config::Kubeconfig;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::config::{Overrides, Target};
use super::deadline::Deadline;
use super::exec_plugin::ExecPlugins;
use super::kubeconfig::{self, Found};
use super::proxy::ProxyVariables;
use super::server::Server;
use super::{Connection, Limits, LiveCluster, LiveError};
use crate::report::Gap;
use crate::source::access::{AccessStep, Outcome, Way};
use crate::source::{Answer, Cluster, ClusterWanted, Miss, Source};

/// Living clusters. Nothing is asked before a cluster is read, and no cluster but those asked for.
///
/// Lives inside a tokio runtime: the clients' connections are its tasks.
pub struct Live {
    pub(super) connection: Connection,
    pub(super) limits: Limits,
    pub(super) kubeconfig: Kubeconfig,
    pub(super) proxies: ProxyVariables,
    pub(super) hub: Rc<LiveCluster>,
    pub(super) found: RefCell<BTreeMap<ClusterWanted, Place>>,
    /// By cluster; nothing where nobody will ask.
    pub(super) log: Option<AccessLog>,
    pub(super) rancher: RefCell<RancherAnswers>,
    plugins: Rc<ExecPlugins>,
    servers: RefCell<HashMap<[u8; 32], Weak<Server>>>,
    run_ends: Option<Instant>,
    narrowed: Rc<RefCell<Vec<Gap>>>,
}

/// What was tried for each cluster, in order.
pub(super) type AccessLog = RefCell<BTreeMap<String, Vec<(Way, Outcome)>>>;

/// Where a search for one downstream cluster is kept: one at a time, its result for all.
pub(super) type Place = Rc<Mutex<Searched>>;

/// What a search came to. A cluster that nobody reads any more is let go, with its connections.
#[derive(Default)]
pub(super) enum Searched {
    /// Not yet.
    #[default]
    Never,
    /// Found, and perhaps still in use.
    Found(Weak<LiveCluster>),
    /// No way leads there.
    Missed(Miss),
}

impl Searched {
    pub(super) fn is_let_go(&self) -> bool {
        matches!(self, Self::Found(cluster) if cluster.strong_count() == 0)
    }
}

/// Whether the hub's server has shown itself to be a Rancher.
#[derive(Default)]
pub(super) struct RancherAnswers {
    pub(super) is_rancher: bool,
    pub(super) unknown_clusters: usize,
}

impl Live {
    /// Finds out whom the user means. Reads kubeconfig files; asks no cluster.
    ///
    /// # Errors
    /// There is no cluster to ask: no kubeconfig, no such context, an entry that cannot be used.
    pub fn connect(connection: &Connection, limits: Limits) -> Result<Self, LiveError> {
        let proxies = ProxyVariables::read(|name| std::env::var(name).ok());
        check_downstream_flags(&connection.downstream)?;
        let found = kubeconfig::read(connection, |name| std::env::var_os(name))?;
        let (name, kubeconfig, target) = match found {
            Found::InCluster => {
                let target = Target::in_cluster(connection, &limits);
                ("in-cluster".to_owned(), Kubeconfig::default(), target)
            }
            Found::Files(all) => {
                for (_, context) in &connection.downstream {
                    kubeconfig::context_named(&all, context)?;
                }
                let (name, chosen) = kubeconfig::choose(*all, connection)?;
                let overrides = Overrides { connection, is_current: true };
                let target = Target::of_context(&chosen, &name, &overrides, &limits, &proxies);
                (name, chosen, target)
            }
        };
        let target = target.map_err(|why| LiveError::BadContext { context: name.clone(), why })?;
        let run_ends = limits.run.map(|limit| Instant::now() + limit);
        let plugins = Rc::new(ExecPlugins::default());
        let servers = RefCell::new(HashMap::new());
        let narrowed = Rc::<RefCell<Vec<Gap>>>::default();
        let is_a_context = kubeconfig.contexts.iter().any(|entry| entry.name == name);
        let origin = if is_a_context { format!("context {name}") } else { format!("cluster {name}") };
        let hub = make_cluster(Making {
            name: name.clone(),
            origin,
            context: is_a_context.then_some(name),
            namespace: fallback_namespace(connection, &target),
            prefix: target.prefix.clone(),
            server: share(&servers, target, &plugins, &limits),
            deadline: Deadline::new(limits, run_ends, true),
            narrowed: narrowed.clone(),
        });

        Ok(Self {
            connection: connection.clone(),
            limits,
            kubeconfig,
            proxies,
            hub: Rc::new(hub),
            narrowed,
            found: RefCell::default(),
            log: Some(RefCell::default()),
            rancher: RefCell::default(),
            plugins,
            servers,
            run_ends,
        })
    }

    /// The same, without [`Source::access_log`]: a fleet's is long.
    #[must_use]
    pub fn without_access_log(self) -> Self {
        Self { log: None, ..self }
    }

    /// A downstream cluster behind `target`.
    pub(super) fn downstream_cluster(
        &self,
        name: &str,
        origin: String,
        context: Option<String>,
        target: Target,
    ) -> LiveCluster {
        make_cluster(Making {
            name: name.to_owned(),
            origin,
            context,
            namespace: fallback_namespace(&self.connection, &target),
            prefix: target.prefix.clone(),
            server: share(&self.servers, target, &self.plugins, &self.limits),
            deadline: Deadline::new(self.limits, self.run_ends, false),
            narrowed: self.narrowed.clone(),
        })
    }

    /// A cluster behind the same server and credentials as the hub, under another prefix.
    pub(super) fn beside_hub(&self, name: &str, origin: String, prefix: String) -> LiveCluster {
        make_cluster(Making {
            name: name.to_owned(),
            origin,
            context: None,
            namespace: self.hub.fallback_namespace.clone(),
            prefix,
            server: self.hub.server.clone(),
            deadline: Deadline::new(self.limits, self.run_ends, false),
            narrowed: self.narrowed.clone(),
        })
    }
}

struct Making {
    name: String,
    origin: String,
    context: Option<String>,
    namespace: Option<String>,
    prefix: String,
    server: Rc<Server>,
    deadline: Deadline,
    narrowed: Rc<RefCell<Vec<Gap>>>,
}

fn make_cluster(making: Making) -> LiveCluster {
    LiveCluster {
        name: making.name,
        origin: making.origin.into(),
        context: making.context,
        server: making.server,
        prefix: making.prefix,
        fallback_namespace: making.namespace,
        deadline: making.deadline,
        memory: Box::default(),
        narrowed: making.narrowed,
    }
}

/// The one server for everybody who goes to the same place with the same credentials.
fn share(
    servers: &RefCell<HashMap<[u8; 32], Weak<Server>>>,
    target: Target,
    plugins: &Rc<ExecPlugins>,
    limits: &Limits,
) -> Rc<Server> {
    let mut servers = servers.borrow_mut();
    if let Some(known) = servers.get(&target.identity).and_then(Weak::upgrade) {
        return known;
    }
    let identity = target.identity;
    let server = Rc::new(Server::new(target, plugins.clone(), limits.concurrent_requests));
    servers.insert(identity, Rc::downgrade(&server));
    server
}

/// `-n`, else the context's own namespace; never where all namespaces were asked for.
fn fallback_namespace(connection: &Connection, target: &Target) -> Option<String> {
    let namespace = connection.namespace.clone().or_else(|| target.namespace.clone());
    namespace.filter(|_| !connection.all_namespaces)
}

fn check_downstream_flags(flags: &[(String, String)]) -> Result<(), LiveError> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, context) in flags {
        if let Some(first) = seen.insert(name, context).filter(|first| first != context) {
            return Err(LiveError::DownstreamTwice {
                name: name.clone(),
                first: first.to_owned(),
                second: context.clone(),
            });
        }
    }
    Ok(())
}

impl Source for Live {
    fn clusters(&self) -> Vec<Rc<dyn Cluster>> {
        vec![self.hub.clone()]
    }

    fn downstream<'a>(
        &'a self,
        hub: &'a Rc<dyn Cluster>,
        wanted: &'a ClusterWanted,
    ) -> Answer<'a, Rc<dyn Cluster>> {
        Box::pin(self.find(hub, wanted))
    }

    /// Listings that only one namespace was read of; ask again when the run is over.
    fn troubles(&self) -> Vec<Gap> {
        self.narrowed.borrow().clone()
    }

    fn access_log(&self) -> Vec<AccessStep> {
        let Some(log) = &self.log else { return Vec::new() };
        let log = log.borrow();
        let steps = log.iter().flat_map(|(cluster, steps)| steps.iter().map(move |step| (cluster, step)));
        let step = |(cluster, (way, outcome)): (&String, &(Way, Outcome))| AccessStep {
            cluster: cluster.clone(),
            way: *way,
            outcome: outcome.clone(),
        };
        steps.map(step).collect()
    }
}
