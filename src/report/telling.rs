//! How a finding is told in words, the same in every form for people.

use jiff::Timestamp;

use super::group::{Group, Standing, counts};
use super::{Age, Confidence, Conflict, Finding, Instant, Release, Report, class_in_words, value, words};

/// One telling of one report.
#[derive(Clone, Copy)]
pub(super) struct Telling<'a> {
    /// What is told.
    pub(super) report: &'a Report,
    /// Nothing counted that could be named, every time in full.
    pub(super) whole: bool,
}

/// A line of a finding: what, and what about it.
pub(super) struct Fact {
    pub(super) label: &'static str,
    pub(super) text: String,
}

/// Clusters that are named one by one; beyond that they are counted.
const NAMED: usize = 4;

impl<'a> Telling<'a> {
    /// `9 stuck, 2 that only look ready, 31 fine`; with nothing found, a sentence.
    pub(super) fn counts(self) -> String {
        let report = self.report;
        if report.findings.is_empty() {
            return nothing(report);
        }
        let mut parts: Vec<String> =
            counts(report).into_iter().map(|(standing, n)| count(standing, n)).collect();
        if report.healthy > 0 {
            parts.push(format!("{} fine", report.healthy));
        }
        let unreached = report.clusters.iter().filter(|cluster| !cluster.reached).count();
        if unreached > 0 {
            parts.push(format!("{unreached} of {} clusters not reached", report.clusters.len()));
        }
        parts.join(", ")
    }

    /// The counts, and whose it is where there is one cause alone: the title of a document.
    pub(super) fn title(self, groups: &[Group<'a>]) -> String {
        match groups {
            [one] => format!("{}: {}", self.counts(), subject(one.lead)),
            _ => self.counts(),
        }
    }

    /// `35 s ago`, and the time itself in a whole telling.
    pub(super) fn when(self, at: Timestamp) -> String {
        let age = Age::between(at, self.report.now);
        if self.whole { format!("{age} ({at})") } else { age.to_string() }
    }

    /// When, as far as it is known.
    pub(super) fn instant(self, at: &Instant) -> String {
        match at {
            Instant::Exact(at) => self.when(*at),
            Instant::Between { after: Some(after), before: Some(before) } => {
                format!("between {} and {}", self.when(*after), self.when(*before))
            }
            Instant::Between { after: Some(after), before: None } => format!("after {}", self.when(*after)),
            Instant::Between { after: None, before: Some(before) } => {
                format!("before {}", self.when(*before))
            }
            Instant::Between { after: None, before: None } => "at an unknown time".into(),
        }
    }

    /// Since when a field is held, and how that is known.
    pub(super) fn since(self, conflict: &Conflict) -> String {
        match (conflict.since, conflict.since_from.as_deref()) {
            (Some(at), Some(from)) => format!("{} ({from})", self.when(at)),
            (Some(at), None) => self.when(at),
            (None, Some(why)) => format!("not recorded: {why}"),
            (None, None) => "not recorded".into(),
        }
    }

    /// The name that people use for the cluster `name`.
    pub(super) fn display_name(self, name: &'a str) -> &'a str {
        let seen = self.report.clusters.iter().find(|cluster| cluster.name == name);
        seen.and_then(|cluster| cluster.display_name.as_deref()).unwrap_or(name)
    }

    /// `prod-eu (c-prod)`: the name that people use, and the one that commands need.
    pub(super) fn cluster(self, name: &'a str) -> String {
        match self.display_name(name) {
            display if display == name => display.to_owned(),
            display => format!("{display} ({name})"),
        }
    }

    /// The clusters of a group: `prod-eu (c-prod), c-stage`; `None` where it never came to one.
    pub(super) fn places(self, group: &Group<'a>) -> Option<String> {
        let names: Vec<String> = group
            .all
            .iter()
            .filter_map(|finding| finding.cluster.as_deref())
            .map(|name| self.cluster(name))
            .collect();
        let shown = if self.whole || names.len() <= NAMED + 1 { names.len() } else { NAMED };
        let (first, rest) = names.split_at_checked(shown)?;
        match (first.is_empty(), rest.len()) {
            (true, _) => None,
            (false, 0) => Some(first.join(", ")),
            (false, more) => Some(format!("{} clusters: {} and {more} more", names.len(), first.join(", "))),
        }
    }

    /// The clusters of a group in a narrow column: `prod-eu +11`.
    pub(super) fn places_in_short(self, group: &Group<'a>) -> String {
        let first = group.lead.cluster.as_deref().map_or("no cluster", |name| self.display_name(name));
        match group.all.len() {
            1 => first.to_owned(),
            count => format!("{first} +{}", count - 1),
        }
    }

    /// State, release and what else a group's findings have in common.
    pub(super) fn facts(self, group: &Group<'a>) -> Vec<Fact> {
        let finding = group.lead;
        let differs =
            group.all.get(1..).is_some_and(|others| others.iter().any(|other| other.release.is_some()));
        let facts = [
            ("state", value::state(&finding.state)),
            ("wanted", finding.wanted.clone()),
            ("release", finding.release.as_ref().map(|release| self.release(release))),
            (
                "later",
                finding
                    .overtaken_by
                    .map(|later| format!("revision {later} came after it and did not heal it")),
            ),
            (
                "self-healing",
                finding.heals_itself.then(|| "on: hand-made changes are undone without a commit".into()),
            ),
            ("tries", finding.tries_lost.filter(|lost| *lost > 0).map(|lost| tries(lost, finding))),
            // The headline names the clusters; here is what differs from one to the other.
            ("same on", differs.then(|| self.others(group))),
        ];
        facts.into_iter().filter_map(|(label, text)| Some(Fact { label, text: text? })).collect()
    }

    fn others(self, group: &Group<'a>) -> String {
        let all: Vec<String> = group
            .all
            .iter()
            .skip(1)
            .map(|finding| {
                let name = self.cluster(finding.cluster.as_deref().unwrap_or("-"));
                match finding.release.as_ref().and_then(|release| release.revision) {
                    Some(revision) => format!("{name} (revision {revision})"),
                    None => name,
                }
            })
            .collect();
        let shown = if self.whole { all.len() } else { all.len().min(NAMED) };
        let mut text = all.get(..shown).unwrap_or_default().join(", ");
        if shown < all.len() {
            text.push_str(&format!(" and {} more (-o wide lists them)", all.len() - shown));
        }
        text
    }

    fn release(self, release: &Release) -> String {
        let mut text = format!("{}/{}", release.namespace, release.name);
        let mut add = |words: Option<String>| text.push_str(&words.unwrap_or_default());
        add(release.revision.map(|revision| format!(" revision {revision}")));
        add(release.status.as_ref().map(|status| format!(" {status}")));
        add(release.started.map(|started| format!(" {}", self.when(started))));
        add(release.chart.as_ref().map(|chart| format!(", chart {chart}")));
        add(release.cause_revision.map(|cause| format!("; revision {cause} holds the reason")));
        let deployed = release.deployed_revision.filter(|deployed| Some(*deployed) != release.revision);
        add(deployed.map(|deployed| format!("; revision {deployed} is still deployed")));
        text
    }
}

fn count(standing: Standing, n: usize) -> String {
    match standing {
        Standing::Stuck => format!("{n} stuck"),
        Standing::LooksReady if n == 1 => "1 that only looks ready".into(),
        Standing::LooksReady => format!("{n} that only look ready"),
        Standing::Overtaken if n == 1 => "1 earlier failure".into(),
        Standing::Overtaken => format!("{n} earlier failures"),
        Standing::Landmine if n == 1 => "1 that will block the next deploy".into(),
        Standing::Landmine => format!("{n} that will block the next deploy"),
    }
}

fn nothing(report: &Report) -> String {
    let fine = report.healthy;
    let all_seen = report.gaps.is_empty() && report.clusters.iter().all(|cluster| cluster.reached);
    match (fine, all_seen) {
        (0, true) => "Nothing is stuck.".into(),
        (0, false) => "Nothing stuck was found, but not everything could be seen.".into(),
        (_, true) => format!("Nothing is stuck: {fine} fine."),
        (_, false) => format!("Nothing stuck was found ({fine} fine), but not everything could be seen."),
    }
}

fn tries(lost: u32, finding: &Finding) -> String {
    match finding.earlier.len() {
        0 => format!("{lost} more, no longer stored"),
        stored => {
            format!("{} more, {lost} of them no longer stored", usize::try_from(lost).unwrap_or(0) + stored)
        }
    }
}

/// `GitRepo fleet-default/shop`; for plain Helm `release shop/shop`.
pub(super) fn subject(finding: &Finding) -> String {
    match (&finding.owner, &finding.release) {
        (Some(owner), _) => owner.to_string(),
        (None, Some(release)) => format!("release {}/{}", release.namespace, release.name),
        (None, None) => finding.conflicts.first().map_or_else(|| "object".into(), |c| c.object.to_string()),
    }
}

/// `field conflict  (likely)`: the class in words, and how sure it is where that is not certain.
pub(super) fn heading(finding: &Finding) -> String {
    let mut text = class_in_words(&finding.class);
    if finding.confidence != Confidence::Certain {
        text.push_str(&format!(" ({})", words::confidence(finding.confidence)));
    }
    if !finding.also.is_empty() {
        let also: Vec<String> = finding.also.iter().map(|class| class_in_words(class)).collect();
        text.push_str(&format!(" (also: {})", also.join(", ")));
    }
    text
}

/// `Mozilla, through the scale subresource: a person in a web browser`.
pub(super) fn holder(conflict: &Conflict) -> String {
    let mut text = conflict.manager.clone();
    if !conflict.subresource.is_empty() {
        text.push_str(&format!(", through the {} subresource", conflict.subresource));
    } else if conflict.operation == "Apply" {
        text.push_str(", by server-side apply");
    }
    if !conflict.who.is_empty() {
        text.push_str(&format!(": {}", conflict.who));
    }
    text
}

/// Who says what, where no field is in conflict: Helm's and the owner's own words.
pub(super) fn own_words(finding: &Finding) -> Vec<(String, &str)> {
    let helm = finding.release.as_ref().and_then(|release| release.description.as_deref());
    let owner = finding.message.as_deref().filter(|message| Some(*message) != helm);
    let kind = finding.owner.as_ref().map_or("owner", |owner| owner.kind.as_str());
    let helm = helm.map(|text| ("Helm says".to_owned(), text));
    let owner = owner.map(|text| (format!("{kind} says"), text));
    helm.into_iter().chain(owner).filter(|_| finding.conflicts.is_empty()).collect()
}

/// What a claim says, unless [`own_words`] have shown that text already.
pub(super) fn says<'a>(finding: &Finding, says: &'a str) -> &'a str {
    let told = own_words(finding).iter().any(|(_, text)| *text == says);
    if told { "the text above" } else { says }
}
