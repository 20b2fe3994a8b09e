//! `owners`: who holds which field of one object, through what, since when.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::args::Globals;
use super::exit::Exit;
use super::object::{Found, ObjectName, reference};
use super::{open, print};
use crate::fields::audit_log::who_wrote;
use crate::fields::{Element, Extent, ManagedFields, Manager, ManagerKind, Owner, Path, PathError};
use crate::report::{Age, Page, Paint, Style, clean_text};

/// What `owners` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// The object, as for kubectl: deployment/web, svc/web, Widget.v1.example.com/blue
    #[arg(value_name = "TYPE/NAME")]
    pub object: ObjectName,
    /// Only this field and what lies below it: .spec.replicas
    #[arg(long, value_name = "PATH")]
    pub field: Option<String>,
    /// The API server's audit log (JSON lines), which knows the user behind a field manager
    #[arg(long, value_name = "FILE")]
    pub audit_log: Option<PathBuf>,
}

/// Answers and prints, for every cluster that has the object.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let source = open::source(globals).await?;
    let namespace = globals.connection.namespace.clone().unwrap_or_else(|| "default".into());
    let wanted = |name: &str| globals.cluster_name.as_deref().is_none_or(|asked| asked == name);
    let (mut found, mut misses) = (Vec::new(), Vec::new());
    for cluster in source.clusters().iter().filter(|cluster| wanted(cluster.name())) {
        match Found::on(cluster, &args.object, &namespace, globals.max_payload).await {
            Ok(some) => found.extend(some),
            Err(miss) => misses.push(format!("{}: {miss}", cluster.name())),
        }
    }
    if found.is_empty() {
        let why =
            if misses.is_empty() { "no cluster that was read has it".to_owned() } else { misses.join("; ") };
        bail!("no such object in namespace {namespace}: {why}");
    }
    let mut door = print::door(globals);
    let now = open::now(globals);
    for it in &found {
        let asked =
            Asked { live: &it.live, desired: it.desired.as_ref(), own: it.own, field: args.field.as_deref() };
        let mut owners = owners(&asked).with_context(|| format!("on cluster {}", it.cluster))?;
        owners.cluster = Some(it.cluster.clone());
        if let Some(file) = &args.audit_log {
            let log =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            owners.writes = writes(&owners, &it.live, &log);
        }
        if globals.output.is_for_programs() {
            door.record(&owners, globals.output)?;
        } else {
            door.painted(&human(&owners, now, door.style()))?;
        }
    }
    Ok(Exit::Ran)
}

/// For every foreign owner of a field the likeliest write in the audit log.
fn writes(owners: &Owners, live: &Value, log: &str) -> Vec<Value> {
    let object = reference(live);
    let plural = format!("{}s", object.kind.to_lowercase());
    let fields = owners.fields.iter().filter(|field| field.stands_out.is_some());
    let pairs = fields.flat_map(|field| field.owners.iter().map(move |owner| (field, owner)));
    pairs
        .filter_map(|(field, owner)| {
            let write =
                who_wrote(log.lines(), &object, &plural, owner, &field.path).writes.into_iter().next()?;
            Some(
                serde_json::json!({"path": field.path.to_string(), "manager": owner.manager, "write": write}),
            )
        })
        .collect()
}

/// What is asked about one object.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The living object.
    pub live: &'a Value,
    /// What its release sets, where there is one.
    pub desired: Option<&'a Value>,
    /// The field manager of that release's deployer.
    pub own: Option<&'a str>,
    /// Only this field and what lies below it.
    pub field: Option<&'a str>,
}

/// Who owns what on one object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Owners {
    /// `Deployment shop/web`.
    pub object: String,
    /// Every entry of managedFields that counts, as a writer.
    pub managers: Vec<Writer>,
    /// Field by field, in the order of the object's paths.
    pub fields: Vec<Field>,
    /// What could not be read.
    pub troubles: Vec<String>,
    /// The cluster that it lives on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// Who wrote the fields that stand out, where an audit log tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Value>,
}

/// One entry of managedFields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Writer {
    /// The entry's name and way of writing.
    #[serde(flatten)]
    pub owner: Owner,
    /// Who that is, in words.
    pub who: &'static str,
    /// The kind of writer.
    pub kind: ManagerKind,
    /// How many fields it owns, of those asked for.
    pub fields: usize,
}

/// One owned field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The field.
    pub path: Path,
    /// Its owners, in managedFields' order.
    pub owners: Vec<Owner>,
    /// What makes it stand out, if anything does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands_out: Option<StandsOut>,
}

/// Why a field stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum StandsOut {
    /// The release sets it, and only somebody else owns it.
    Foreign,
    /// The release sets it, and somebody else owns it too.
    Shared,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnersError {
    /// They are hidden by default, and absent after somebody wiped them.
    #[error(
        "{object} has no managedFields: `kubectl get` leaves them out unless asked, so save it with `{command}`; if they \
         are absent there too, somebody wiped them"
    )]
    Absent {
        /// The object.
        object: String,
        /// The command that shows them.
        command: String,
    },
    /// The field asked for cannot be read.
    #[error(transparent)]
    Field(#[from] PathError),
    /// Nobody owns the field asked for.
    #[error("nobody owns {field} of {object}")]
    NoOwner {
        /// The object.
        object: String,
        /// The field.
        field: String,
    },
}

/// Finds the owners.
///
/// # Errors
/// The object has no managedFields, or the field asked for is not one, or has no owner.
pub fn owners(asked: &Asked<'_>) -> Result<Owners, OwnersError> {
    let object = name_of(asked.live);
    let Some(managed) = ManagedFields::of(asked.live) else {
        return Err(OwnersError::Absent { command: command_for(asked.live), object });
    };
    let within = asked.field.map(|text| {
        let text = if text.starts_with(['.', '[']) { text.to_owned() } else { format!(".{text}") };
        Path::resolve(&text, managed.sets(), Some(asked.live))
    });
    let within = within.transpose()?;
    let mut paths: Vec<Path> = managed.entries.iter().flat_map(|entry| entry.set.leaves().paths()).collect();
    paths.sort();
    paths.dedup();
    if let Some(within) = &within {
        let is_part_of_a_whole = !paths.iter().any(|path| within.is_prefix_of(path));
        paths.retain(|path| within.is_prefix_of(path) || (is_part_of_a_whole && path.is_prefix_of(within)));
        if paths.is_empty() {
            return Err(OwnersError::NoOwner { object, field: within.to_string() });
        }
    }
    let fields: Vec<Field> = paths
        .into_iter()
        .filter(|path| within.is_some() || !is_key_field(path))
        .map(|path| {
            let owners: Vec<Owner> =
                managed.owners_of(&path).into_iter().filter(|owner| owner.extent == Extent::Field).collect();
            Field { stands_out: stands_out(asked, &path, &owners), owners, path }
        })
        .collect();
    let managers = managed.entries.iter().map(|entry| {
        let manager = Manager::seen_by(asked.own.unwrap_or_default(), &entry.manager, &entry.subresource);
        let owns = |field: &&Field| field.owners.iter().any(|owner| owner.index == entry.index);
        Writer {
            owner: entry.owner(Extent::Field),
            who: manager.who,
            kind: manager.kind,
            fields: fields.iter().filter(owns).count(),
        }
    });
    Ok(Owners {
        object,
        managers: managers.filter(|writer| within.is_none() || writer.fields > 0).collect(),
        troubles: managed.troubles.iter().map(ToString::to_string).collect(),
        fields,
        cluster: None,
        writes: Vec::new(),
    })
}

/// The release sets the field and is not its only owner.
fn stands_out(asked: &Asked<'_>, path: &Path, owners: &[Owner]) -> Option<StandsOut> {
    let own = asked.own?;
    let is_foreign = |owner: &Owner| owner.manager != own && !matches!(owner.subresource.as_str(), "status");
    let is_set = match asked.desired {
        Some(desired) => path.get(desired).is_some_and(|value| !value.is_null()),
        None => owners.iter().any(|owner| owner.manager == own),
    };
    if !is_set || !owners.iter().any(is_foreign) {
        return None;
    }
    let is_ours_too = owners.iter().any(|owner| owner.manager == own);
    Some(if is_ours_too { StandsOut::Shared } else { StandsOut::Foreign })
}

/// The key of a list's item, which its path names already.
fn is_key_field(path: &Path) -> bool {
    let [.., Element::Key(keys), Element::Field(name)] = path.0.as_slice() else { return false };
    keys.iter().any(|(key, _)| key == name)
}

fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// `Deployment shop/web`, cleaned.
pub(super) fn name_of(object: &Value) -> String {
    let namespace = text(object, "/metadata/namespace");
    let slash = if namespace.is_empty() { "" } else { "/" };
    clean_text(&format!("{} {namespace}{slash}{}", text(object, "/kind"), text(object, "/metadata/name")))
}

fn command_for(object: &Value) -> String {
    let namespace = text(object, "/metadata/namespace");
    let mut words = vec!["kubectl".to_owned(), "get".into()];
    words.push(format!("{}/{}", text(object, "/kind").to_lowercase(), text(object, "/metadata/name")));
    if !namespace.is_empty() {
        words.extend(["-n".to_owned(), namespace.to_owned()]);
    }
    words.extend(["-o", "yaml", "--show-managed-fields"].map(str::to_owned));
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    quoted.unwrap_or_else(|_| "kubectl get -o yaml --show-managed-fields".to_owned())
}

/// The answer for a person: writers first, then the fields that stand out, then all others by owner.
pub fn human(owners: &Owners, now: Timestamp, style: &Style) -> Page {
    let mut page = Page::new(style);
    page.prose(0, Paint::Strong, &owners.object);
    page.blank();
    for writer in &owners.managers {
        let paint = match writer.kind {
            ManagerKind::Itself => Paint::Good,
            _ => Paint::Plain,
        };
        page.prose(2, paint, &clean_text(&named(&writer.owner)));
        page.prose(
            4,
            Paint::Quiet,
            &format!("{}; {}; {}", writer.who, count(writer.fields), since(&writer.owner, now)),
        );
    }
    let mut section = |title: &str, paint: Paint, wanted: Option<StandsOut>| {
        let fields: Vec<&Field> = owners.fields.iter().filter(|field| field.stands_out == wanted).collect();
        if fields.is_empty() {
            return;
        }
        page.heading(title);
        for field in fields {
            page.prose(4, paint, &clean_text(&field.path.to_string()));
            let names: Vec<String> = field.owners.iter().map(named).collect();
            page.prose(6, Paint::Quiet, &clean_text(&names.join(", ")));
        }
    };
    section("Set by the release, held by somebody else", Paint::Bad, Some(StandsOut::Foreign));
    section("Set by the release, shared with somebody else", Paint::Warn, Some(StandsOut::Shared));
    section("All other fields", Paint::Plain, None);
    if !owners.troubles.is_empty() {
        page.heading("Not readable");
        owners.troubles.iter().for_each(|trouble| page.prose(4, Paint::Warn, &clean_text(trouble)));
    }
    page
}

/// `kubectl (Update, subresource scale)`.
pub(super) fn named(owner: &Owner) -> String {
    let subresource = match owner.subresource.as_str() {
        "" => String::new(),
        subresource => format!(", subresource {subresource}"),
    };
    format!("{} ({:?}{subresource})", owner.manager, owner.operation)
}

fn since(owner: &Owner, now: Timestamp) -> String {
    match owner.since {
        Some(time) => format!("last write {}", Age::between(time, now)),
        None => "the API keeps no time for it".to_owned(),
    }
}

fn count(fields: usize) -> String {
    if fields == 1 { "1 field".to_owned() } else { format!("{fields} fields") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn live() -> Value {
        json!({"kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "managedFields": [
            {"manager": "helm", "operation": "Apply", "apiVersion": "apps/v1", "time": "2026-12-01T00:00:00Z", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:paused": {}, "f:template": {"f:spec": {"f:containers": {"k:{\"name\":\"web\"}": {".": {}, "f:name": {}, "f:image": {}}}}}}}},
            {"manager": "kubectl", "operation": "Update", "apiVersion": "apps/v1", "subresource": "scale", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:replicas": {}}}},
            {"manager": "k9s\u{1b}[31m", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:paused": {}, "f:minReadySeconds": {}}}}]},
            "spec": {"replicas": 4}})
    }

    fn asked<'a>(live: &'a Value, desired: &'a Value, field: Option<&'a str>) -> Asked<'a> {
        Asked { live, desired: Some(desired), own: Some("helm"), field }
    }

    fn desired() -> Value {
        json!({"spec": {"replicas": 2, "paused": true}})
    }

    #[test]
    fn fields_that_the_release_sets_and_others_hold_stand_out() {
        let (live, desired) = (live(), desired());
        let told = owners(&asked(&live, &desired, None)).unwrap();
        let stand_out: Vec<(String, Option<StandsOut>)> =
            told.fields.iter().map(|field| (field.path.to_string(), field.stands_out)).collect();
        let image = ".spec.template.spec.containers[name=\"web\"].image";
        let expected = [
            (".spec.minReadySeconds", None),
            (".spec.paused", Some(StandsOut::Shared)),
            (".spec.replicas", Some(StandsOut::Foreign)),
            (image, None),
        ];
        assert_eq!(stand_out, expected.map(|(path, stands_out)| (path.to_owned(), stands_out)));
        let counts: Vec<usize> = told.managers.iter().map(|writer| writer.fields).collect();
        assert_eq!(counts, [2, 1, 2]);
    }

    #[test]
    fn one_field_is_narrowed_to_and_an_unknown_one_is_said() {
        let (live, desired) = (live(), desired());
        for (field, expected) in [(".spec.replicas", 1), ("spec.replicas", 1), (".spec.template", 2)] {
            assert_eq!(
                owners(&asked(&live, &desired, Some(field))).unwrap().fields.len(),
                expected,
                "{field}"
            );
        }
        let error = owners(&asked(&live, &desired, Some(".spec.nothing"))).unwrap_err();
        assert_eq!(error.to_string(), "nobody owns .spec.nothing of Deployment shop/web");
        let error = owners(&asked(&live, &desired, Some(".spec[x"))).unwrap_err();
        assert!(matches!(error, OwnersError::Field(_)), "{error}");
    }

    #[test]
    fn absent_managed_fields_are_said_with_the_command_that_shows_them() {
        let hidden = json!({"kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}});
        let error = owners(&Asked { live: &hidden, desired: None, own: None, field: None }).unwrap_err();
        let command = "kubectl get deployment/web -n shop -o yaml --show-managed-fields";
        assert!(error.to_string().contains(command), "{error}");
    }

    #[test]
    fn a_person_reads_who_holds_what_and_no_escape_sequence_passes() {
        let (live, desired) = (live(), desired());
        let told = owners(&asked(&live, &desired, None)).unwrap();
        let now = "2026-12-01T00:10:00Z".parse().unwrap();
        let page = human(&told, now, &Style::plain(100));
        let text = page.as_str();
        for line in [
            "kubectl (Update, subresource scale)",
            "kubectl scale, by a person or a script; 1 field; the API keeps no time for it",
            "Set by the release, held by somebody else",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains('\u{1b}'), "{text}");
        let json = serde_json::to_value(&told).unwrap();
        assert_eq!(json["fields"][2]["standsOut"], "foreign");
    }
}
