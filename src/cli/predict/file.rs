//! Objects in a file, as `helm template` prints them, against one cluster.

use std::io::Read;

use anyhow::{Context as _, bail};
use serde_json::{Map, Value};

use super::{Args, Foretold};
use crate::cli::args::Globals;
use crate::cli::open;
use crate::fields::{Applied, Live, Method};
use crate::helm::Manifest;
use crate::helm::manifest::Document;
use crate::object::ObjectRef;
use crate::source::{Cluster, Query, resources};

/// How `helm upgrade` of a new Helm 4 release applies.
const MANAGER: &str = "helm";

/// Labels and annotations by which Helm (`metadataVisitor`, 3.22 and 4.3) and Fleet (`desiredset`, 0.16.1) know
/// the objects of a release.
const MARKS: [&str; 3] = ["app.kubernetes.io/managed-by", "meta.helm.sh/", "objectset.rio.cattle.io/"];

/// What applying the file would do.
pub(super) async fn foretold(args: &Args, globals: &Globals) -> anyhow::Result<(String, Vec<Foretold>)> {
    let text = read(&args.what)?;
    let namespace = globals.connection.namespace.clone().unwrap_or_else(|| "default".into());
    let manifest = Manifest::from_text(&text, &namespace);
    let is_object = |document: &Document<'_>| !document.object.kind.is_empty();
    if !manifest.documents().iter().any(is_object) {
        bail!(
            "{} holds no Kubernetes object; give what `helm template` or `kubectl get -o yaml` prints",
            args.what
        );
    }
    if let Some(other) = manifest.documents().iter().position(|document| !is_object(document)) {
        bail!("document {} of {} has no kind, so it is no Kubernetes object", other + 1, args.what);
    }
    let source = open::source(globals).await?;
    let wanted = |name: &str| globals.cluster_name.as_deref().is_none_or(|asked| asked == name);
    let clusters: Vec<_> = source.clusters().into_iter().filter(|it| wanted(it.name())).collect();
    let cluster = match clusters.as_slice() {
        [one] => one,
        [] => bail!("no cluster to hold the objects against"),
        many => {
            let names: Vec<&str> = many.iter().map(|it| it.name()).collect();
            bail!("there are {} clusters ({}); choose one with --cluster-name", many.len(), names.join(", "))
        }
    };
    let mut foretold = Vec::new();
    for document in manifest.documents() {
        let desired = document.value().with_context(|| format!("{} in {}", document.object, args.what))?;
        foretold.push(foretell(cluster.as_ref(), args, &document.object, &namespace, desired).await?);
    }
    let file = if args.what == "-" { "standard input" } else { &args.what };
    Ok((format!("The objects of {file}, if they were applied now to {}", cluster.name()), foretold))
}

async fn foretell(
    cluster: &dyn Cluster,
    args: &Args,
    object: &ObjectRef,
    namespace: &str,
    desired: Value,
) -> anyhow::Result<Foretold> {
    let resource = cluster.resource_of(&object.api_version, &object.kind).await?;
    let mut object = object.clone();
    if resource.namespaced && object.namespace.is_empty() {
        namespace.clone_into(&mut object.namespace);
    }
    let live = match cluster.get(&resource, &object.namespace, &object.name).await? {
        Some(found) => {
            Some(Live::parse(&found.json).with_context(|| format!("{object} in {}", found.origin))?)
        }
        None => None,
    };
    let desired = match &live {
        Some(live) => with_what_the_deployer_adds(desired, live.object()),
        None => desired,
    };
    let scalers = Query::all(resources::HORIZONTAL_POD_AUTOSCALERS).within(object.namespace.clone());
    // Autoscalers only sharpen the answer.
    let scalers: Vec<Value> =
        cluster.list(&scalers).await.unwrap_or_default().iter().filter_map(|it| it.parse().ok()).collect();
    let scalers: Vec<&Value> = scalers.iter().collect();
    let applied = Applied {
        desired: &desired,
        live: live.as_ref(),
        previous: None,
        manager: args.manager.as_deref().unwrap_or(MANAGER),
        method: args.method.unwrap_or(Method::ServerSide),
        schema: None,
    };
    Ok(Foretold::of(object, &applied, &scalers))
}

fn read(manifest: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    match manifest {
        "-" => std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?,
        file => std::fs::File::open(file)
            .and_then(|mut file| file.read_to_string(&mut text))
            .with_context(|| format!("cannot read {file}"))?,
    };
    Ok(text)
}

/// A rendered chart is not yet what is applied: Helm and Fleet mark every object of a release as theirs. Without
/// those marks the prediction would say that they go.
fn with_what_the_deployer_adds(mut desired: Value, live: &Value) -> Value {
    for map in ["labels", "annotations"] {
        let Some(marks) = live.pointer(&format!("/metadata/{map}")).and_then(Value::as_object) else {
            continue;
        };
        let marks = marks.iter().filter(|(key, _)| MARKS.iter().any(|mark| key.starts_with(mark)));
        for (key, value) in marks {
            let Some(metadata) = desired.get_mut("metadata").and_then(Value::as_object_mut) else { break };
            let own = metadata.entry(map).or_insert_with(|| Value::Object(Map::new()));
            if let Some(own) = own.as_object_mut() {
                own.entry(key).or_insert_with(|| value.clone());
            }
        }
    }
    desired
}
