//! The search for one downstream cluster, way by way.

use std::rc::Rc;

use kube::config::{Context, Kubeconfig};

use super::config::{Overrides, Target};
use super::source::Searched;
use super::{Live, LiveCluster, path};
use crate::source::access::{Outcome, Way, argocd, secret};
use crate::source::{Cluster, ClusterWanted, Miss, resources};

/// A way that exists for this cluster, not yet walked.
struct Opening {
    cluster: LiveCluster,
    through: String,
    /// The user named it: if it fails, no other way is tried behind their back.
    is_binding: bool,
}

/// Cluster ids that the hub's server may not know before it is taken for no Rancher at all.
const RANCHER_TRIES: usize = 3;

impl Live {
    pub(super) async fn find(
        &self,
        hub: &Rc<dyn Cluster>,
        wanted: &ClusterWanted,
    ) -> Result<Rc<dyn Cluster>, Miss> {
        if wanted.is_hub {
            self.note(wanted, Way::Hub, Outcome::Taken(hub.name().to_owned()));
            return Ok(hub.clone());
        }
        let place = {
            let mut found = self.found.borrow_mut();
            // Clusters that were read and let go; a fleet has many.
            found.retain(|_, place| {
                Rc::strong_count(place) > 1 || place.try_lock().is_ok_and(|searched| !searched.is_let_go())
            });
            found.entry(wanted.clone()).or_default().clone()
        };
        let mut searched = place.lock().await;
        match &*searched {
            Searched::Missed(miss) => return Err(miss.clone()),
            Searched::Found(cluster) => {
                if let Some(cluster) = cluster.upgrade() {
                    return Ok(cluster);
                }
            }
            Searched::Never => {}
        }
        match self.search(hub, wanted).await {
            Ok(cluster) => {
                let cluster = Rc::new(cluster);
                *searched = Searched::Found(Rc::downgrade(&cluster));
                Ok(cluster)
            }
            Err(miss) => {
                *searched = Searched::Missed(miss.clone());
                Err(miss)
            }
        }
    }

    async fn search(&self, hub: &Rc<dyn Cluster>, wanted: &ClusterWanted) -> Result<LiveCluster, Miss> {
        let mut failures = Vec::new();
        let is_argos = wanted.argocd_secret.is_some();
        for way in Way::IN_ORDER.into_iter().filter(|way| is_argos || *way != Way::ArgoCd) {
            let outcome = match self.open(way, hub, wanted).await {
                Ok(opening) => match self.walk(way, &opening).await {
                    Ok(()) => {
                        self.note(wanted, way, Outcome::Taken(opening.through));
                        return Ok(opening.cluster);
                    }
                    Err(Outcome::Failed(why)) if opening.is_binding => {
                        self.note(wanted, way, Outcome::Failed(why.clone()));
                        let why = format!("{way} ({}): {why}", opening.through);
                        return Err(Miss::Unreachable { cluster: wanted.id.clone(), why });
                    }
                    Err(outcome) => outcome,
                },
                Err(outcome) => outcome,
            };
            match &outcome {
                Outcome::NotThere(why) => failures.push(format!("{way}: {why}")),
                Outcome::Failed(why) => failures.push(format!("{way}: {why}")),
                Outcome::Taken(_) => {}
            }
            self.note(wanted, way, outcome);
        }
        Err(Miss::Unreachable { cluster: wanted.id.clone(), why: failures.join("; ") })
    }

    /// Finds out whether this way exists for the cluster.
    async fn open(
        &self,
        way: Way,
        hub: &Rc<dyn Cluster>,
        wanted: &ClusterWanted,
    ) -> Result<Opening, Outcome> {
        match way {
            Way::Hub => Err(Outcome::NotThere("another cluster".into())),
            Way::Flag => {
                let mut flags = self.connection.downstream.iter();
                let flag = flags.find(|(name, _)| names(wanted).any(|known| known == name));
                let (_, context) = flag.ok_or_else(|| Outcome::NotThere("not given for it".into()))?;
                self.through_context(context, wanted, true)
            }
            Way::Context => match self.context_for(wanted) {
                Some(context) => self.through_context(context, wanted, false),
                None => {
                    let names = names(wanted).map(String::as_str).collect::<Vec<_>>().join(" or ");
                    Err(Outcome::NotThere(format!("none is named {names}").into()))
                }
            },
            Way::Secret => self.through_secret(hub, wanted).await,
            Way::ArgoCd => self.through_argocd(hub, wanted).await,
            Way::Rancher => self.through_rancher(wanted),
        }
    }

    /// The context that is named as the cluster, or leads to the server that the cluster is named after, as
    /// an Application's destination may be.
    fn context_for<'a>(&'a self, wanted: &'a ClusterWanted) -> Option<&'a str> {
        let Kubeconfig { contexts, clusters, .. } = &self.kubeconfig;
        let named = names(wanted).find(|name| contexts.iter().any(|entry| entry.name == **name));
        if let Some(name) = named {
            return Some(name);
        }
        let is_it = |server: &str| server.trim_end_matches('/') == wanted.id.trim_end_matches('/');
        let cluster = clusters
            .iter()
            .find(|entry| entry.cluster.as_ref().and_then(|it| it.server.as_deref()).is_some_and(is_it))?;
        let leads_there = |context: &Context| context.cluster == cluster.name;
        let context = contexts.iter().find(|entry| entry.context.as_ref().is_some_and(leads_there))?;
        Some(&context.name)
    }

    fn through_context(
        &self,
        context: &str,
        wanted: &ClusterWanted,
        is_binding: bool,
    ) -> Result<Opening, Outcome> {
        let overrides = Overrides { connection: &self.connection, is_current: false };
        let target = Target::of_context(&self.kubeconfig, context, &overrides, &self.limits, &self.proxies)
            .map_err(|why| Outcome::Failed(format!("context {context}: {why}")))?;
        let through = format!("context {context}");
        let cluster = self.downstream_cluster(&wanted.id, through.clone(), Some(context.to_owned()), target);
        Ok(Opening { cluster, through, is_binding })
    }

    async fn through_secret(
        &self,
        hub: &Rc<dyn Cluster>,
        wanted: &ClusterWanted,
    ) -> Result<Opening, Outcome> {
        let Some((namespace, name)) = &wanted.kubeconfig_secret else {
            return Err(Outcome::NotThere("its record names none".into()));
        };
        let key = wanted.kubeconfig_key.as_deref();
        self.through_secret_of(hub, wanted, (namespace, name), |json| secret::kubeconfig_in(json, key)).await
    }

    /// Argo CD's Secret holds its own credentials, often an admin's: never taken without a word.
    async fn through_argocd(
        &self,
        hub: &Rc<dyn Cluster>,
        wanted: &ClusterWanted,
    ) -> Result<Opening, Outcome> {
        let Some((namespace, name)) = &wanted.argocd_secret else {
            return Err(Outcome::NotThere("no cluster Secret is known".into()));
        };
        if !self.connection.use_argocd_credentials {
            return Err(Outcome::NotThere("not used without --use-argocd-credentials".into()));
        }
        self.through_secret_of(hub, wanted, (namespace, name), argocd::kubeconfig_in).await
    }

    async fn through_secret_of(
        &self,
        hub: &Rc<dyn Cluster>,
        wanted: &ClusterWanted,
        (namespace, name): (&str, &str),
        read: impl Fn(&str) -> Result<Kubeconfig, String>,
    ) -> Result<Opening, Outcome> {
        let through = format!("Secret {namespace}/{name}");
        let failed = |why: String| Outcome::Failed(format!("{through}: {why}"));
        let secret = hub.get(&resources::SECRETS, namespace, name).await;
        let secret = secret.map_err(|miss| failed(miss.to_string()))?;
        let secret = secret.ok_or_else(|| failed("it does not exist".into()))?;
        let kubeconfig = read(&secret.json).map_err(failed)?;
        let context = kubeconfig.current_context.clone().unwrap_or_default();
        let overrides = Overrides { connection: &self.connection, is_current: false };
        let target = Target::of_context(&kubeconfig, &context, &overrides, &self.limits, &self.proxies)
            .map_err(|_| failed("its kubeconfig is incomplete".into()))?;
        let origin = format!("cluster {} ({through})", wanted.id);
        let cluster = self.downstream_cluster(&wanted.id, origin, None, target);
        Ok(Opening { cluster, through, is_binding: false })
    }

    fn through_rancher(&self, wanted: &ClusterWanted) -> Result<Opening, Outcome> {
        let rancher = self.rancher.borrow();
        let is_proxied = !self.hub.prefix.is_empty();
        if !is_proxied && !rancher.is_rancher && rancher.unknown_clusters >= RANCHER_TRIES {
            return Err(Outcome::NotThere(format!("the server of {} is no Rancher", self.hub.name).into()));
        }
        let prefix = path::rancher_proxy(wanted.rancher_id.as_ref().unwrap_or(&wanted.id));
        let origin = format!("cluster {} (Rancher)", wanted.id);
        let cluster = self.beside_hub(&wanted.id, origin, prefix.clone());
        Ok(Opening { cluster, through: prefix, is_binding: false })
    }

    /// Asks the cluster for its version: a way that leads nowhere must not hide the next one.
    async fn walk(&self, way: Way, opening: &Opening) -> Result<(), Outcome> {
        if way != Way::Rancher {
            let walked = opening.cluster.check().await;
            return walked.map_err(|miss| Outcome::Failed(format!("{}: {}", opening.through, reason(miss))));
        }
        let walked = opening.cluster.is_there().await;
        let mut rancher = self.rancher.borrow_mut();
        match walked {
            Some(Ok(())) => {
                rancher.is_rancher = true;
                Ok(())
            }
            Some(Err(miss)) => Err(Outcome::Failed(format!("{}: {}", opening.through, reason(miss)))),
            None => {
                rancher.unknown_clusters += 1;
                Err(Outcome::NotThere(format!("{} is not known there", opening.through).into()))
            }
        }
    }

    fn note(&self, wanted: &ClusterWanted, way: Way, outcome: Outcome) {
        let Some(log) = &self.log else { return };
        let mut log = log.borrow_mut();
        let steps = log.entry(wanted.id.clone()).or_default();
        if !steps.iter().any(|(known, came)| *known == way && *came == outcome) {
            steps.push((way, outcome));
        }
    }
}

/// What the user may call the cluster.
fn names(wanted: &ClusterWanted) -> impl Iterator<Item = &String> {
    let ranchers = wanted.rancher_id.iter().filter(|id| **id != wanted.id);
    std::iter::once(&wanted.id).chain(&wanted.display_name).chain(ranchers).filter(|name| !name.is_empty())
}

/// The bare reason, where the cluster is named anyway.
fn reason(miss: Miss) -> String {
    match miss {
        Miss::Unreachable { why, .. } => why,
        Miss::Unauthorized { .. } => "it does not accept the credentials (expired?)".into(),
        Miss::TimedOut { seconds, .. } => format!("it did not answer within {seconds} s"),
        other => other.to_string(),
    }
}
