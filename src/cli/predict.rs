//! `predict`: what an apply would do to the objects of a release, one by one.

use std::io::Read;

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde_json::{Value, json};

use super::args::Globals;
use super::exit::Exit;
use super::owners::named;
use super::{open, print};
use crate::fields::{Applied, predict, robots};
use crate::fields::{Manager, Method, Owner, Path, Prediction, Robots, WhyOverwritten};
use crate::helm::Manifest;
use crate::object::ObjectRef;
use crate::redact;
use crate::report::{Page, Paint, Style, clean_text, value_in_words};
use crate::source::{Cluster, Query, resources};

/// What `predict` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// A file with the objects that would be applied (`helm template …`), or - for standard input
    #[arg(value_name = "FILE|-")]
    pub manifest: String,
    /// The field manager that would apply them
    #[arg(long, default_value = "helm", value_name = "NAME")]
    pub manager: String,
    /// ssa (Helm 4, Fleet), forced (Flux, Argo CD under server-side apply) or csa (Helm 3)
    #[arg(long, default_value = "ssa", value_parser = method, value_name = "METHOD")]
    pub method: Method,
}

fn method(text: &str) -> Result<Method, String> {
    match text {
        "ssa" => Ok(Method::ServerSide),
        "forced" => Ok(Method::Forced),
        "csa" => Ok(Method::ClientSide),
        _ => Err("choose ssa, forced or csa".into()),
    }
}

/// Answers and prints. Nothing is written to any cluster: the decision is computed.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let text = read(&args.manifest)?;
    let namespace = globals.connection.namespace.clone().unwrap_or_else(|| "default".into());
    let manifest = Manifest::from_text(&text, &namespace);
    if manifest.documents().is_empty() {
        bail!(
            "{} holds no Kubernetes object; give what `helm template` or `kubectl get -o yaml` prints",
            args.manifest
        );
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
        let desired =
            document.value().with_context(|| format!("{} in {}", document.object, args.manifest))?;
        foretold.push(foretell(cluster.as_ref(), args, &document.object, &namespace, desired).await?);
    }
    let mut door = print::door(globals);
    if globals.output.is_for_programs() {
        door.record(&record(&foretold), globals.output)?;
    } else {
        door.painted(&human(&foretold, door.style()))?;
    }
    Ok(Exit::Ran)
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
    let live: Option<Value> = match cluster.get(&resource, &object.namespace, &object.name).await? {
        Some(found) => Some(found.parse()?),
        None => None,
    };
    let prediction = predict(&Applied {
        desired: &desired,
        live: live.as_ref(),
        previous: None,
        manager: &args.manager,
        method: args.method,
        schema: None,
    });
    let scalers = Query::all(resources::HORIZONTAL_POD_AUTOSCALERS).within(object.namespace.clone());
    // Autoscalers only sharpen the answer.
    let scalers: Vec<Value> =
        cluster.list(&scalers).await.unwrap_or_default().iter().filter_map(|it| it.parse().ok()).collect();
    let scalers: Vec<&Value> = scalers.iter().collect();
    let robots = live.as_ref().map(|live| robots(live, Some(&desired), &scalers)).unwrap_or_default();
    Ok(Foretold { object, method: args.method, manager: args.manager.clone(), prediction, robots })
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

/// What would become of one object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Foretold {
    /// The object.
    pub object: ObjectRef,
    /// How it would be applied.
    pub method: Method,
    /// The deployer's field manager.
    pub manager: String,
    /// What that would do.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// Programs that undo each other on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub robots: Vec<Robots>,
}

impl Foretold {
    /// Whether there is anything that a person should know before applying.
    pub fn is_quiet(&self) -> bool {
        let it = &self.prediction;
        it.conflicts.is_empty()
            && it.overwrites.is_empty()
            && it.resets.is_empty()
            && it.released.is_empty()
            && it.shared.is_empty()
            && it.invalid.is_empty()
            && self.robots.is_empty()
    }

    /// The same without values that must not be seen: a Secret's.
    #[must_use]
    pub fn masked(mut self) -> Self {
        if self.object.kind != "Secret" {
            return self;
        }
        let it = &mut self.prediction;
        let both = it.conflicts.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live));
        let both =
            both.chain(it.overwrites.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live)));
        let both = both.chain(it.changes.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live)));
        for (_, wanted, live) in both.filter(|(path, ..)| holds_secrets(path)) {
            (*wanted, *live) = (redact::hidden(), redact::hidden());
        }
        let single = it.resets.iter_mut().map(|one| (&one.path, &mut one.live));
        let single = single.chain(it.released.iter_mut().map(|one| (&one.path, &mut one.live)));
        let single = single.chain(it.shared.iter_mut().map(|one| (&one.path, &mut one.value)));
        for (_, value) in single.filter(|(path, _)| holds_secrets(path)) {
            *value = redact::hidden();
        }
        self
    }
}

fn holds_secrets(path: &Path) -> bool {
    let top = path.0.first().and_then(|element| element.as_field());
    matches!(top, Some("data" | "stringData"))
}

/// The answer as a record: `{"apiVersion", "kind": "Prediction", "objects": […]}`.
pub fn record(foretold: &[Foretold]) -> Value {
    let objects: Vec<Foretold> = foretold.iter().cloned().map(Foretold::masked).collect();
    json!({"apiVersion": crate::report::Report::API_VERSION, "kind": "Prediction", "objects": objects})
}

/// The answer for a person: what bites first stands first; objects with nothing to say are counted.
pub fn human(foretold: &[Foretold], style: &Style) -> Page {
    let mut page = Page::new(style);
    let (quiet, loud): (Vec<&Foretold>, Vec<&Foretold>) = foretold.iter().partition(|one| one.is_quiet());
    for one in &loud {
        object(&mut page, &(*one).clone().masked());
    }
    page.blank();
    let created = quiet.iter().filter(|one| one.prediction.creates).count();
    let fine = quiet.len() - created;
    if created > 0 {
        page.prose(0, Paint::Plain, &format!("{} would be created.", objects(created)));
    }
    if fine > 0 || loud.is_empty() {
        page.prose(0, Paint::Good, &format!("{} would be applied with nobody in the way.", objects(fine)));
    }
    page
}

fn objects(count: usize) -> String {
    if count == 1 { "1 object".to_owned() } else { format!("{count} objects") }
}

fn object(page: &mut Page, foretold: &Foretold) {
    let it = &foretold.prediction;
    page.blank();
    page.prose(0, Paint::Strong, &clean_text(&foretold.object.to_string()));
    if it.ownership_unknown {
        let text = "it has no managedFields: if they are only hidden, save it with --show-managed-fields and ask again; if \
                    they were wiped, what is below holds";
        page.prose(2, Paint::Warn, text);
    }
    for invalid in &it.invalid {
        page.prose(
            2,
            Paint::Bad,
            &clean_text(&format!("malformed, the server refuses it at once: {invalid}")),
        );
    }
    section(
        page,
        Paint::Bad,
        "would be refused: somebody else holds it with another value",
        &it.conflicts,
        |one| {
            let note =
                if one.same_meaning { " (the same quantity, but the server compares texts)" } else { "" };
            let values = format!("wanted {}, cluster has {}{note}", words(&one.wanted), words(&one.live));
            (&one.path, vec![values, held_by(foretold, std::slice::from_ref(&one.owner))])
        },
    );
    section(page, Paint::Warn, "would be overwritten without a word", &it.overwrites, |one| {
        let values = format!("wanted {}, cluster has {}", words(&one.wanted), words(&one.live));
        (&one.path, vec![values, why(one.why).to_owned(), held_by(foretold, &one.owners)])
    });
    section(page, Paint::Warn, "would go: the deployer owns it and no longer sets it", &it.resets, |one| {
        let default = match &one.default {
            Some(default) => format!("falls from {} to its default {}", words(&one.live), words(default)),
            None => format!("loses {}", words(&one.live)),
        };
        (&one.path, vec![default, held_by(foretold, &one.owners)])
    });
    section(page, Paint::Plain, "would be left to others: no longer set, and stays", &it.released, |one| {
        (&one.path, vec![format!("stays {}", words(&one.live)), held_by(foretold, &one.owners)])
    });
    section(
        page,
        Paint::Plain,
        "is shared and equal today: the next change of the value is refused",
        &it.shared,
        |one| (&one.path, vec![format!("is {}", words(&one.value)), held_by(foretold, &one.owners)]),
    );
    for robots in &foretold.robots {
        let [first, second] = &robots.pair;
        page.prose(
            2,
            Paint::Bad,
            &clean_text(&format!("two robots on it: {first} and {second}; {}", robots.sign)),
        );
        page.prose(4, Paint::Plain, robots.way_out);
    }
}

fn section<'a, T>(
    page: &mut Page,
    paint: Paint,
    title: &str,
    fields: &'a [T],
    tell: impl Fn(&'a T) -> (&'a Path, Vec<String>),
) {
    if fields.is_empty() {
        return;
    }
    page.prose(2, paint, title);
    for field in fields {
        let (path, lines) = tell(field);
        page.prose(4, Paint::Strong, &clean_text(&path.to_string()));
        for line in lines.iter().filter(|line| !line.is_empty()) {
            page.prose(6, Paint::Plain, &clean_text(line));
        }
    }
}

fn held_by(foretold: &Foretold, owners: &[Owner]) -> String {
    let held: Vec<String> = owners
        .iter()
        .map(|owner| {
            let who = Manager::seen_by(&foretold.manager, &owner.manager, &owner.subresource).who;
            format!("{}, {who}", named(owner))
        })
        .collect();
    if held.is_empty() { String::new() } else { format!("held by {}", held.join("; ")) }
}

fn why(why: WhyOverwritten) -> &'static str {
    match why {
        WhyOverwritten::Forced => "the deployer forces",
        WhyOverwritten::ClientSide => "client-side apply knows no owners",
        WhyOverwritten::NoOwner => "whoever changed it left no entry in managedFields",
        WhyOverwritten::StringData => "stringData is written over data behind the back of its owners",
    }
}

fn words(value: &Value) -> String {
    value_in_words(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Applied, predict};

    fn foretold(desired: &Value, live: Option<&Value>) -> Foretold {
        let applied = Applied {
            desired,
            live,
            previous: None,
            manager: "helm",
            method: Method::ServerSide,
            schema: None,
        };
        Foretold {
            object: ObjectRef::new("v1", desired["kind"].as_str().unwrap(), "shop", "db"),
            method: Method::ServerSide,
            manager: "helm".into(),
            prediction: predict(&applied),
            robots: Vec::new(),
        }
    }

    fn object(kind: &str, value: &str) -> Value {
        json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "db"}, "data": {"a.b": value}})
    }

    fn held(kind: &str, value: &str) -> Value {
        let mut live = object(kind, value);
        live["metadata"]["managedFields"] = json!([{"manager": "kubectl-edit", "operation": "Update", "apiVersion": "v1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {".": {}, "f:a.b": {}}}}]);
        live
    }

    #[test]
    fn a_person_reads_what_would_be_refused_and_who_is_in_the_way() {
        let one = foretold(&object("ConfigMap", "fast"), Some(&held("ConfigMap", "slow")));
        let page = human(&[one, foretold(&object("ConfigMap", "x"), None)], &Style::plain(120));
        assert_eq!(
            page.as_str(),
            "ConfigMap shop/db\n  would be refused: somebody else holds it with another value\n    .data.a.b\n      \
             wanted fast, cluster has slow\n      held by kubectl-edit (Update), kubectl edit, by a person\n\n1 object would be \
             created.\n"
        );
    }

    #[test]
    fn a_secrets_values_are_never_shown() {
        let one = foretold(&object("Secret", "czNjcjN0LXBsYW50ZWQ="), Some(&held("Secret", "b3RoZXI=")));
        assert_eq!(one.prediction.conflicts.len(), 1);
        let page = human(std::slice::from_ref(&one), &Style::plain(120));
        let record = record(std::slice::from_ref(&one)).to_string();
        for text in [page.as_str(), &record] {
            assert!(
                text.contains("redacted") && !text.contains("czNjcjN0") && !text.contains("b3RoZXI"),
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_in_the_way_is_said_too() {
        let page = human(&[], &Style::plain(80));
        assert_eq!(page.as_str(), "0 objects would be applied with nobody in the way.\n");
    }
}
