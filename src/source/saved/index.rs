//! Everything that was given with `--from`, as clusters.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use futures::future::{FutureExt as _, ready};

use super::body::{Files, Scanned};
use super::cluster::SavedCluster;
use super::found::Found;
use super::kinds::{Entry, Superseded};
use super::scan::{Place, Scanner};
use super::trouble::{Matter, Trouble, gaps};
use super::walk::walk;
use super::{FromSpec, Limits, PathOrStdin, SavedError, layout};
use crate::parallel;
use crate::report::Gap;
use crate::source::{Answer, Cluster, ClusterWanted, Miss, Object, Resource, Source};

/// Saved evidence, opened.
pub struct Saved {
    clusters: Vec<Rc<SavedCluster>>,
    troubles: Vec<Gap>,
}

impl Saved {
    /// Reads what the user gave: every file once, bodies stay where they are.
    ///
    /// # Errors
    /// A path that does not exist or cannot be read, and evidence without a single object. All else is
    /// told by [`Source::troubles`].
    pub fn open(specs: &[FromSpec], limits: Limits) -> Result<Self, SavedError> {
        Self::open_with(specs, limits, &mut std::io::stdin().lock())
    }

    /// The same, with something else for standard input.
    ///
    /// # Errors
    /// As [`Saved::open`].
    pub fn open_with(specs: &[FromSpec], limits: Limits, stdin: &mut dyn Read) -> Result<Self, SavedError> {
        let mut units = Vec::new();
        let mut found = Vec::new();
        let loose = loose_files_cluster(specs);
        for spec in specs {
            match &spec.path {
                PathOrStdin::Path(path) => {
                    let walked = units_of(path, spec.name.as_deref(), &loose, &limits)?;
                    units.extend(walked.0);
                    found.extend(walked.1);
                }
                PathOrStdin::Stdin => {
                    let bytes = read_stdin(stdin, &limits)?;
                    let cluster = spec.name.clone().unwrap_or_else(|| loose.clone());
                    units.push(Unit::Bytes(bytes, Place { origin: "stdin".into(), cluster, nesting: 0 }));
                }
            }
        }
        found.extend(scan_all(&units, limits));
        drop(units);
        let saved = Self::index(found);
        if saved.clusters.is_empty() {
            return Err(saved.nothing(specs));
        }
        Ok(saved)
    }

    fn nothing(&self, specs: &[FromSpec]) -> SavedError {
        let paths: Vec<String> = specs.iter().map(|spec| spec.path.to_string()).collect();
        let lines = self.troubles.iter().map(|gap| match &gap.fill {
            Some(fill) => format!("\n  {}: {}\n    {fill}", gap.missing, gap.why),
            None => format!("\n  {}: {}", gap.missing, gap.why),
        });
        let because: String = lines.collect();
        let because = if because.is_empty() { ".".into() } else { format!(":{because}") };
        SavedError::Empty { paths: paths.join(", "), because }
    }

    fn index(found: Vec<Found>) -> Self {
        let mut building: BTreeMap<String, SavedCluster> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        let mut files = Files::default();
        let mut troubles = Vec::new();
        let mut captures = Vec::new();
        for mut part in found {
            troubles.append(&mut part.troubles);
            captures.extend(part.capture.take());
            if part.objects.is_empty() && part.empty_lists.is_empty() {
                continue;
            }
            let file = u32::try_from(files.all.len()).unwrap_or(u32::MAX);
            files.all.push(Scanned { origin: part.origin.into(), path: part.path, block: part.block });
            let cluster = building.entry(part.cluster.clone()).or_insert_with(|| {
                order.push(part.cluster.clone());
                SavedCluster::new(part.cluster)
            });
            cluster.empty.extend(part.empty_lists);
            for (head, body) in part.objects {
                let group = head.api_version.split_once('/').map_or("", |(group, _)| group).to_owned();
                let objects = cluster.kinds.entry((group, head.kind)).or_default();
                objects.api_version = head.api_version;
                objects.entries.push(Entry {
                    namespace: head.namespace.into(),
                    name: head.name.into(),
                    resource_version: head.resource_version.into(),
                    has_managed_fields: head.has_managed_fields,
                    file,
                    body,
                });
            }
        }
        for cluster in building.values_mut() {
            for ((_, kind), objects) in &mut cluster.kinds {
                troubles.extend(objects.settle(kind).into_iter().map(|twice| trouble_of(&twice, &files)));
            }
        }
        let files = Rc::new(files);
        let mut gaps = gaps(&troubles);
        for capture in captures {
            for captured in capture.clusters {
                // A cluster of which there was nothing to read was captured all the same.
                let cluster = building.entry(captured.folder.clone()).or_insert_with(|| {
                    order.push(captured.folder.clone());
                    SavedCluster::new(captured.name.clone())
                });
                cluster.name = captured.name;
                cluster.known_as = captured.known_as;
                cluster.context = captured.context;
                cluster.is_complete = captured.complete;
                cluster.is_asked_first = captured.asked_first;
            }
            gaps.extend(capture.missed);
        }
        let clusters = order
            .iter()
            .filter_map(|name| building.remove(name))
            .map(|cluster| Rc::new(SavedCluster { files: files.clone(), ..cluster }))
            .collect();
        Self { clusters, troubles: gaps }
    }
}

impl Saved {
    /// Every object of every cluster, for those who pass all of it on: cluster, resource, object.
    pub fn everything(&self) -> impl Iterator<Item = (&str, Resource, Result<Object, Miss>)> {
        self.clusters.iter().flat_map(|cluster| {
            cluster.everything().map(|(resource, object)| (cluster.name.as_str(), resource, object))
        })
    }
}

impl Source for Saved {
    fn clusters(&self) -> Vec<Rc<dyn Cluster>> {
        let first_hand = self.clusters.iter().filter(|cluster| cluster.is_asked_first);
        first_hand.map(|cluster| cluster.clone() as Rc<dyn Cluster>).collect()
    }

    fn downstream<'a>(
        &'a self,
        hub: &'a Rc<dyn Cluster>,
        wanted: &'a ClusterWanted,
    ) -> Answer<'a, Rc<dyn Cluster>> {
        if wanted.is_hub {
            return ready(Ok(hub.clone())).boxed_local();
        }
        let names = [Some(wanted.id.as_str()), wanted.display_name.as_deref()];
        let cluster = names.into_iter().flatten().find_map(|name| {
            self.clusters
                .iter()
                .find(|cluster| cluster.is_called(name))
                .map(|cluster| cluster.clone() as Rc<dyn Cluster>)
        });
        ready(cluster.ok_or_else(|| self.unreachable(hub, wanted))).boxed_local()
    }

    fn troubles(&self) -> Vec<Gap> {
        self.troubles.clone()
    }
}

impl Saved {
    fn unreachable(&self, hub: &Rc<dyn Cluster>, wanted: &ClusterWanted) -> Miss {
        let names: Vec<&str> = self
            .clusters
            .iter()
            .map(|cluster| cluster.name.as_str())
            .filter(|name| *name != hub.name())
            .collect();
        let there = if names.is_empty() {
            format!("only {} was saved", hub.name())
        } else {
            format!("saved are {}", names.join(", "))
        };
        let why = format!("{there}; say which dump is its with --from {}=PATH", wanted.id);
        Miss::Unreachable { cluster: wanted.id.clone(), why }
    }
}

/// Something that one thread scans.
enum Unit {
    File(PathBuf, Place),
    Bytes(Vec<u8>, Place),
}

/// The cluster that single files and standard input are of: those given in one run belong together.
fn loose_files_cluster(specs: &[FromSpec]) -> String {
    let first = specs.iter().find_map(|spec| match &spec.path {
        PathOrStdin::Path(path) if spec.name.is_none() && path.is_file() => Some(base_name(path)),
        _ => None,
    });
    first.map_or_else(|| "stdin".to_owned(), |name| layout::stem(&name).to_owned())
}

fn units_of(
    path: &Path,
    name: Option<&str>,
    loose: &str,
    limits: &Limits,
) -> Result<(Vec<Unit>, Vec<Found>), SavedError> {
    let shown = path.display().to_string();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => SavedError::Missing { path: shown.clone() },
        _ => SavedError::Unreadable { path: shown.clone(), why: words(&error) },
    })?;
    if !metadata.is_dir() {
        let base = base_name(path);
        let is_archive = layout::is_archive_name(&base);
        let own = if is_archive { layout::stem(&base) } else { loose };
        let cluster = name.unwrap_or(own).to_owned();
        let origin = if is_archive { String::new() } else { base };
        return Ok((vec![Unit::File(path.to_owned(), Place { origin, cluster, nesting: 0 })], Vec::new()));
    }
    std::fs::read_dir(path).map_err(|error| SavedError::Unreadable { path: shown, why: words(&error) })?;
    let walked = walk(path, limits);
    let own = name.map_or_else(|| base_name(path), str::to_owned);
    let units = walked.files.into_iter().map(|(path, origin)| {
        let cluster = match name {
            None if !origin.contains('/') && layout::is_archive_name(&origin) => layout::stem(&origin),
            _ => &own,
        };
        let cluster = cluster.to_owned();
        Unit::File(path, Place { origin, cluster, nesting: 0 })
    });
    let troubles = Found { cluster: own.clone(), troubles: walked.troubles, ..Found::default() };
    Ok((units.collect(), vec![troubles]))
}

/// The last part of a path, also of `.` and `..`.
fn base_name(path: &Path) -> String {
    let named = if path.file_name().is_some() { Ok(path.to_owned()) } else { path.canonicalize() };
    let named = named.unwrap_or_else(|_| path.to_owned());
    named.file_name().map_or_else(|| "saved".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn read_stdin(stdin: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>, SavedError> {
    let mut bytes = Vec::new();
    stdin.take(limits.file_bytes).read_to_end(&mut bytes).map_err(|error| SavedError::Unreadable {
        path: PathOrStdin::Stdin.to_string(),
        why: words(&error),
    })?;
    Ok(bytes)
}

fn words(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Scans the units on all cores; what they yield comes in their order.
fn scan_all(units: &[Unit], limits: Limits) -> Vec<Found> {
    let scan = |unit: &Unit| {
        let mut scanner = Scanner::new(limits);
        match unit {
            Unit::File(path, place) => scanner.file(path, place),
            Unit::Bytes(bytes, place) => scanner.stream(&mut bytes.as_slice(), place),
        }
        scanner.found
    };
    parallel::map(units, scan).into_iter().flatten().collect()
}

fn trouble_of(twice: &Superseded, files: &Files) -> Trouble {
    let newer_in = files.origin(twice.newer_file).to_string();
    Trouble {
        origin: files.origin(twice.older_file).to_string(),
        matter: Matter::Superseded { object: twice.object.clone(), newer_in },
    }
}
