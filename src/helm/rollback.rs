//! How far back a rollback of a release can go, and what code it would run.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::manifest::{self, Document};
use super::{History, Missing, Release, Revision, WhyMissing};
use crate::object::ObjectRef;

/// What `helm rollback` has to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reach {
    /// Revisions that are still stored.
    pub kept: usize,
    /// The oldest revision of `targets`; `None` where there is nothing to go back to.
    pub oldest: Option<u32>,
    /// The newest revision of `targets`: what a rollback should aim for.
    pub last_good: Option<u32>,
    /// Older revisions are gone with the history limit, or the limit drops tries for new ones.
    pub is_pruned: bool,
    /// Revisions that landed and whose payload was read, newest first, without the one that runs.
    pub targets: Vec<RollbackTarget>,
    /// Revisions that cannot be gone back to, and why, newest first.
    pub not: Vec<NoTarget>,
}

/// A revision that can be gone back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RollbackTarget {
    /// Its number.
    pub revision: u32,
    /// `NAME VERSION` of its chart.
    pub chart: String,
    /// Images that it names by tag alone.
    pub images_by_tag: Vec<TaggedImage>,
}

/// A revision that cannot be gone back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoTarget {
    /// Its number.
    pub revision: u32,
    /// One line for a person.
    pub why: &'static str,
}

/// An image named by tag: the registry may hold another one under it by now. Only a digest names one image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaggedImage {
    /// As the manifest writes it; without a tag `latest` is meant.
    pub image: String,
    /// What runs it, the namespace as written.
    pub objects: Vec<ObjectRef>,
}

/// Lists of containers in any pod template, a custom resource's too.
const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// How far back a rollback can go. Payloads that were not read count as no target.
pub fn reach(history: &History) -> Reach {
    let running = history.newest().filter(|newest| newest.landed()).map(Revision::number);
    let (mut targets, mut not) = (Vec::new(), Vec::new());
    for revision in history.revisions().iter().rev().filter(|one| Some(one.number()) != running) {
        match (revision.release(), why_not(revision)) {
            (Some(release), None) => targets.push(RollbackTarget {
                revision: revision.number(),
                chart: release.chart.title(),
                images_by_tag: images_by_tag(release),
            }),
            (_, why) => {
                not.push(NoTarget {
                    revision: revision.number(),
                    why: why.unwrap_or("its payload was not read"),
                });
            }
        }
    }
    let by_limit = |gap: &Missing| matches!(gap.why, WhyMissing::HistoryLimit | WhyMissing::Retries);
    Reach {
        kept: history.revisions().len(),
        oldest: targets.last().map(|target| target.revision),
        last_good: targets.first().map(|target| target.revision),
        is_pruned: history.missing().iter().any(by_limit),
        targets,
        not,
    }
}

fn why_not(revision: &Revision) -> Option<&'static str> {
    if revision.damage().is_some() {
        Some("its payload does not decode")
    } else if revision.has_failed() {
        Some("it failed")
    } else if !revision.landed() {
        Some("it did not finish")
    } else {
        None
    }
}

/// Images that a rollback to this release would pull by tag, its rollback hooks' included.
pub fn images_by_tag(release: &Release) -> Vec<TaggedImage> {
    let is_run = |events: &[String]| events.iter().any(|event| event.ends_with("-rollback"));
    let hooks = release.hooks.iter().filter(|hook| is_run(&hook.events));
    let texts = std::iter::once(release.manifest.as_str()).chain(hooks.map(|hook| hook.manifest.as_str()));
    let mut found: BTreeMap<String, Vec<ObjectRef>> = BTreeMap::new();
    for document in texts.flat_map(manifest::documents) {
        for image in images(&document).into_iter().filter(|image| !image.contains('@')) {
            let objects = found.entry(image).or_default();
            if !objects.contains(&document.object) {
                objects.push(document.reference());
            }
        }
    }
    found.into_iter().map(|(image, objects)| TaggedImage { image, objects }).collect()
}

fn images(document: &Document<'_>) -> Vec<String> {
    let mut images = Vec::new();
    // Parsing costs far more than the look: most documents run nothing.
    if document.text().is_none_or(|text| text.contains("ontainers")) {
        document.value().into_iter().for_each(|value| collect(&value, &mut images));
    }
    images
}

fn collect(value: &Value, images: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if CONTAINERS.contains(&key.as_str()) {
                    let listed = value.as_array().into_iter().flatten();
                    images.extend(listed.filter_map(|one| one["image"].as_str()).map(str::to_owned));
                }
                collect(value, images);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, images)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::helm::{Driver, Hook, Info, RevisionMeta, Status};

    const MANIFEST: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      initContainers: [{name: i, image: registry.test:5000/init}]
      containers:
      - {name: a, image: 'registry.test/web:1.2'}
      - {name: b, image: 'registry.test/side:1@sha256:00'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: no}
data: {image: 'not:this'}
";

    fn revision(number: u32, status: Status, is_read: bool) -> Revision {
        let object = serde_json::json!({"metadata": {
            "name": format!("sh.helm.release.v1.shop.v{number}"), "namespace": "shop",
            "labels": {"owner": "helm", "name": "shop", "version": number.to_string(),
                "status": status.to_string()}}});
        let meta = RevisionMeta::from_object(&object, Driver::Secret).expect("a record");
        let release = Release {
            manifest: MANIFEST.into(),
            version: number,
            info: Info { status, ..Info::default() },
            ..Release::default()
        };
        Revision { meta, payload: is_read.then_some(Ok(release)) }
    }

    fn reach_of(revisions: Vec<Revision>) -> (Option<u32>, Option<u32>, bool, Vec<u32>) {
        let reach = reach(&History::new("shop", "shop", revisions));
        let not = reach.not.iter().map(|one| one.revision).collect();
        (reach.oldest, reach.last_good, reach.is_pruned, not)
    }

    #[test]
    fn only_what_landed_and_can_be_read_is_a_target() {
        use Status::{Deployed, Failed, PendingUpgrade, Superseded};
        let rows = [
            (vec![(1, Deployed, true)], (None, None, false, vec![])),
            (vec![(1, Deployed, true), (2, Failed, true)], (Some(1), Some(1), false, vec![2])),
            (
                vec![
                    (3, Superseded, true),
                    (4, Superseded, false),
                    (5, Superseded, true),
                    (6, Deployed, true),
                ],
                (Some(3), Some(5), true, vec![4]),
            ),
            (vec![(1, Deployed, false), (9, PendingUpgrade, true)], (None, None, true, vec![9, 1])),
            (vec![], (None, None, false, vec![])),
        ];
        for (revisions, expected) in rows {
            let told = format!("{revisions:?}");
            let revisions =
                revisions.into_iter().map(|(n, status, read)| revision(n, status, read)).collect();
            assert_eq!(reach_of(revisions), expected, "{told}");
        }
    }

    #[test]
    fn a_tag_is_told_and_a_digest_is_not() {
        let hook = |event: &str| Hook {
            events: vec![event.into()],
            manifest: format!(
                "kind: Job\napiVersion: batch/v1\nmetadata: {{name: j}}\nspec: {{template: {{spec: {{containers: \
                 [{{image: 'x:{event}'}}]}}}}}}\n"
            ),
            ..Hook::default()
        };
        let release = Release {
            manifest: MANIFEST.into(),
            hooks: vec![hook("pre-upgrade"), hook("post-rollback")],
            ..Release::default()
        };
        let images: Vec<String> = images_by_tag(&release).into_iter().map(|it| it.image).collect();
        assert_eq!(images, ["registry.test/web:1.2", "registry.test:5000/init", "x:post-rollback"]);
    }
}
