//! AppProjects and their sync windows.

use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use super::application::Application;
use super::cron;
use crate::record::{Metadata, go_duration, lenient};
use crate::source::{Record, Resource, resources};

/// `argoproj.io/v1alpha1 AppProject`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Project {
    /// Name and namespace.
    pub metadata: Metadata,
    /// Its rules.
    #[serde(deserialize_with = "lenient")]
    pub spec: Spec,
}

impl Record for Project {
    const RESOURCE: Resource = resources::APP_PROJECTS;
}

/// `spec`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// When syncs are allowed or denied.
    #[serde(deserialize_with = "lenient")]
    pub sync_windows: Vec<Window>,
}

/// `spec.syncWindows[]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Window {
    /// `allow` or `deny`.
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    /// Cron: when it opens.
    #[serde(deserialize_with = "lenient")]
    pub schedule: String,
    /// For how long.
    #[serde(deserialize_with = "lenient")]
    pub duration: String,
    /// Globs on Application names.
    #[serde(deserialize_with = "lenient")]
    pub applications: Vec<String>,
    /// Globs on destination namespaces.
    #[serde(deserialize_with = "lenient")]
    pub namespaces: Vec<String>,
    /// Globs on destination clusters.
    #[serde(deserialize_with = "lenient")]
    pub clusters: Vec<String>,
    /// All three kinds of globs must match, not any.
    #[serde(deserialize_with = "lenient")]
    pub use_and_operator: bool,
    /// Syncs by hand are allowed all the same.
    #[serde(deserialize_with = "lenient")]
    pub manual_sync: bool,
    /// UTC where it is empty.
    #[serde(deserialize_with = "lenient")]
    pub time_zone: String,
}

/// Why automated syncs are held back now, in words; `None` where no window forbids them.
pub fn forbidden(project: &Project, application: &Application, now: Timestamp) -> Option<String> {
    let windows: Vec<&Window> =
        project.spec.sync_windows.iter().filter(|window| window.is_for(application)).collect();
    let is_open = |window: &&&Window| window.is_open(now).unwrap_or_default();
    if let Some(deny) = windows.iter().filter(|window| window.kind == "deny").find(is_open) {
        return Some(format!("a deny window is open: {}", deny.in_words()));
    }
    let allow: Vec<&&Window> = windows.iter().filter(|window| window.kind == "allow").collect();
    let next = allow.first()?;
    let is_any_open = allow.iter().any(|window| window.is_open(now).unwrap_or(true));
    (!is_any_open).then(|| format!("no allow window is open: {}", next.in_words()))
}

impl Window {
    fn is_open(&self, now: Timestamp) -> Option<bool> {
        let zone =
            if self.time_zone.is_empty() { TimeZone::UTC } else { TimeZone::get(&self.time_zone).ok()? };
        cron::is_open(&self.schedule, go_duration(&self.duration)?, &zone, now)
    }

    fn is_for(&self, application: &Application) -> bool {
        let destination = &application.spec.destination;
        let any = |globs: &[String], words: &[&str]| {
            globs.iter().any(|glob| words.iter().any(|word| !word.is_empty() && is_match(glob, word)))
        };
        let checks = [
            (&self.applications, any(&self.applications, &[&application.metadata.name])),
            (&self.namespaces, any(&self.namespaces, &[&destination.namespace])),
            (&self.clusters, any(&self.clusters, &[&destination.server, &destination.name])),
        ];
        if self.use_and_operator {
            checks.iter().all(|(globs, is_matched)| globs.is_empty() || *is_matched)
        } else {
            checks.iter().any(|(_, is_matched)| *is_matched)
        }
    }

    fn in_words(&self) -> String {
        let zone = if self.time_zone.is_empty() { "UTC" } else { &self.time_zone };
        let manual = if self.manual_sync { ", syncs by hand are allowed" } else { "" };
        format!("{} \"{}\" for {} ({zone}){manual}", self.kind, self.schedule, self.duration)
    }
}

/// Globs with `*` and `?`. Linear but for the last star, so that no glob can hold the run up.
fn is_match(glob: &str, word: &str) -> bool {
    let glob: Vec<char> = glob.chars().collect();
    let word: Vec<char> = word.chars().collect();
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(letter) = word.get(seen) {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(c) if *c == '?' || c == letter => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((back, taken)) = star else { return false };
                star = Some((back, taken + 1));
                at = back + 1;
                seen = taken + 1;
            }
        }
    }
    glob.iter().skip(at).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn globs() {
        let cases = [
            ("*", "shop", true),
            ("shop-*", "shop-eu", true),
            ("shop-*", "cart", false),
            ("s?op", "shop", true),
            ("*a*b", "xaybzb", true),
            ("*a*b", "xayc", false),
        ];
        for (glob, word, expected) in cases {
            assert_eq!(is_match(glob, word), expected, "{glob} {word}");
        }
    }
}
