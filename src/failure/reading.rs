//! From a text to its failure: which causes match, which of them is the innermost first one, what is around
//! it and what it names.

use serde_json::Value;

use super::classes::TABLE;
use super::conflicts::{self, Conflicts};
use super::entities::Entities;
use super::flat::Flat;
use super::model::{Class, Failure, NamedObject, Wrapper};
use super::registry::{Job, REGISTRY, Registered};
use super::rule::Weight;
use super::{fleet, objects, transport};
use crate::redact;
use crate::report::Confidence;

/// At most so many matches of one rule are looked at.
const MATCHES: usize = 500;
/// A message for people is kept up to here.
const MESSAGE: usize = 2000;

/// A rule that matched.
#[derive(Clone, Copy)]
struct Match {
    start: usize,
    end: usize,
    rule: &'static Registered,
}

impl Match {
    fn class(&self) -> Option<usize> {
        if let Job::Class(place) = self.rule.job { Some(place) } else { None }
    }

    fn weight(&self) -> Weight {
        self.rule.rule.weight
    }
}

/// The cause that gives the class.
struct Cause {
    class: Class,
    sure: Confidence,
    /// All matches of that class in the same error, the one that counts most first.
    at: Vec<Match>,
    also: Vec<Class>,
}

impl Cause {
    /// Where the cause begins: lead-ins stand before.
    fn begin(&self) -> usize {
        let cause =
            self.at.iter().filter(|found| found.weight() != Weight::Lead).map(|found| found.start).min();
        cause.or_else(|| self.at.iter().map(|found| found.end).max()).unwrap_or(usize::MAX)
    }
}

/// A text with everything that was found in it.
pub(super) struct Reading {
    clean: String,
    flat: Flat,
    conflicts: Conflicts,
    causes: Vec<Match>,
    wrappers: Vec<(&'static str, Match)>,
    objects: Vec<Match>,
    mentions: Vec<Match>,
    hard: Vec<usize>,
    soft: Vec<usize>,
    seconds: Vec<usize>,
    /// Bytes that were looked at: what "linear" is measured by.
    pub work: usize,
}

impl Reading {
    pub fn of(text: &str) -> Self {
        let clean = transport::undo(text);
        let flat = Flat::of(&clean);
        let conflicts =
            if clean.contains("onflict") { conflicts::read(&clean) } else { Conflicts::default() };
        let mut reading = Self {
            work: text.len() + 3 * clean.len(),
            clean,
            flat,
            conflicts,
            causes: Vec::new(),
            wrappers: Vec::new(),
            objects: Vec::new(),
            mentions: Vec::new(),
            hard: Vec::new(),
            soft: Vec::new(),
            seconds: Vec::new(),
        };
        for rule in REGISTRY.at_hand(&reading.flat.masked) {
            reading.try_rule(rule);
        }
        for list in [&mut reading.causes, &mut reading.objects, &mut reading.mentions] {
            list.sort_by_key(|found| found.start);
        }
        reading.wrappers.sort_by_key(|(_, found)| found.start);
        for borders in [&mut reading.hard, &mut reading.soft, &mut reading.seconds] {
            borders.sort_unstable();
        }
        reading
    }

    fn try_rule(&mut self, rule: &'static Registered) {
        let Some(regex) = rule.regex() else { return };
        self.work += self.flat.masked.len();
        for found in regex.find_iter(&self.flat.masked).take(MATCHES) {
            let found = Match { start: found.start(), end: found.end(), rule };
            match rule.job {
                Job::Class(_) => self.causes.push(found),
                Job::Wrapper(name) => self.wrappers.push((name, found)),
                Job::Object => self.objects.push(found),
                Job::Mention => self.mentions.push(found),
                Job::Hard => self.hard.push(found.start),
                Job::Soft => self.soft.push(found.start),
                Job::Second => self.seconds.push(found.start),
            }
        }
    }

    /// The failure that the text tells; class `unknown` where no rule fits.
    pub fn failure(&self) -> Failure {
        let (first, second) = self.nested();
        let cause = self.cause(first.clone());
        let mut also = cause.also.clone();
        let mut entities = Entities::default();
        let begin = cause.begin();
        for at in &cause.at {
            self.read_entities(at, &mut entities);
        }
        if let Some(second) = second {
            let class = self.cause(second).class;
            if class.0 != UNKNOWN.0 {
                entities.set("rollback_class", Value::from(class.0));
                if class != cause.class && !also.contains(&class) {
                    also.push(class);
                }
            }
        }
        let wrappers = self.peel(begin, &mut entities);
        let objects = self.named_objects(cause.class);
        let told = cause.at.iter().map(|found| found.end).max().unwrap_or(usize::MAX);
        self.mention(begin, told, first.end, &mut entities);
        name_the_hook(&mut entities, &objects);
        let is_conflict = cause.class.0 == "ssa.conflict";
        let truncated = self.is_cut() || is_conflict && self.conflicts.cut;
        Failure {
            class: cause.class,
            confidence: cause.sure,
            also,
            wrappers,
            conflicts: if is_conflict { self.conflicts.conflicts.clone() } else { Vec::new() },
            objects,
            entities: entities.0,
            truncated,
            text: redact::text(self.inner(begin)).trim().to_owned(),
        }
    }

    /// Original and second error of a rollback, clean-up or history lookup that failed too.
    fn nested(&self) -> (std::ops::Range<usize>, Option<std::ops::Range<usize>>) {
        const NESTS: [&str; 5] = [
            "rollback-failed",
            "uninstall-failed",
            "cleanup-failed",
            "history-failed",
            "no-previous-release",
        ];
        let whole = 0..self.flat.masked.len();
        let Some((_, nest)) = self.wrappers.iter().find(|(name, _)| NESTS.contains(name)) else {
            return (whole, None);
        };
        let told = self
            .causes
            .iter()
            .filter(|cause| cause.start >= nest.end && cause.weight() != Weight::Lead)
            .map(|cause| cause.end)
            .next();
        let Some(split) = told.and_then(|told| self.seconds.iter().copied().find(|second| *second >= told))
        else {
            return (whole, None);
        };
        (0..split, Some(split..whole.end))
    }

    /// The first cause in a stretch of text.
    fn cause(&self, stretch: std::ops::Range<usize>) -> Cause {
        let errors = self.errors(&stretch);
        let best = |error: &'_ Vec<Match>| {
            error.iter().min_by_key(|found| (std::cmp::Reverse(found.weight()), found.class())).copied()
        };
        let mut strong: Vec<(Match, usize)> = errors
            .iter()
            .enumerate()
            .filter_map(|(nth, error)| Some((best(error)?, nth)))
            .filter(|(found, _)| found.weight() >= Weight::Strong)
            .collect();
        // Argo CD applies the objects of a wave side by side: their order in the text tells nothing.
        if self.wrappers.iter().any(|(name, found)| *name == "argo-apply" && stretch.contains(&found.start)) {
            strong.sort_by_key(|(found, _)| found.class());
        }
        let at = match strong.first() {
            Some((chosen, nth)) => {
                let mut all = vec![*chosen];
                let same =
                    errors.get(*nth).into_iter().flatten().filter(|found| found.class() == chosen.class());
                all.extend(
                    same.filter(|found| found.start != chosen.start || found.end != chosen.end).take(20),
                );
                all
            }
            None => self.weak_cause(&errors),
        };
        let entry = at.first().and_then(|found| TABLE.get(found.class()?));
        let mut cause = Cause {
            class: entry.map_or(UNKNOWN, |entry| entry.class),
            sure: at.first().map_or(Confidence::Possible, |found| found.rule.rule.sure),
            at,
            also: Vec::new(),
        };
        for other in strong.iter().filter_map(|(found, _)| TABLE.get(found.class()?)) {
            if other.class != cause.class && !cause.also.contains(&other.class) {
                cause.also.push(other.class);
            }
        }
        if cause.class.0 == "ssa.conflict" && self.conflicts.conflicts.is_empty() {
            cause.sure = cause.sure.min(Confidence::Likely);
        }
        self.settle_fleet(cause, &stretch)
    }

    /// How many rules matched: of two ways to join wrapped lines, the one that reads better has more.
    pub fn matches(&self) -> usize {
        self.causes.len()
            + self.wrappers.len()
            + self.objects.len()
            + self.mentions.len()
            + 2 * self.conflicts.conflicts.len()
    }

    /// Where nothing strong is: the phase that failed with what it waited for, else the first weak sign.
    fn weak_cause(&self, errors: &[Vec<Match>]) -> Vec<Match> {
        let weak = errors.iter().enumerate().find_map(|(nth, error)| {
            let weak = error.iter().filter(|found| found.weight() == Weight::Weak);
            Some((weak.min_by_key(|found| found.class()).copied()?, nth))
        });
        let weak: Vec<Match> = weak
            .into_iter()
            .flat_map(|(chosen, nth)| {
                let same = errors
                    .get(nth)
                    .into_iter()
                    .flatten()
                    .filter(move |found| found.class() == chosen.class());
                same.copied().take(20)
            })
            .collect();
        let lead = errors.iter().flatten().find(|found| found.weight() == Weight::Lead).copied();
        lead.into_iter().chain(weak).collect()
    }

    /// The causes of a stretch, one list per error. What a webhook or an author says is left out.
    fn errors(&self, stretch: &std::ops::Range<usize>) -> Vec<Vec<Match>> {
        let mut errors: Vec<(usize, usize, Vec<Match>)> = Vec::new();
        let mut quoted = 0..0;
        for found in self.causes.iter().filter(|found| stretch.contains(&found.start)) {
            if found.start > quoted.start && found.start < quoted.end {
                continue;
            }
            let hard = self.hard.partition_point(|border| *border <= found.start);
            let soft = self.soft.partition_point(|border| *border <= found.start);
            match errors.last_mut() {
                Some((h, s, error)) if *h == hard && *s == soft => error.push(*found),
                _ => errors.push((hard, soft, vec![*found])),
            }
            if found.weight() == Weight::Opaque {
                quoted = found.start..self.hard.get(hard).copied().unwrap_or(usize::MAX);
            }
        }
        errors.into_iter().map(|(_, _, error)| error).collect()
    }

    /// Fleet's texts without an error: the state word decides (corpus README).
    fn settle_fleet(&self, mut cause: Cause, stretch: &std::ops::Range<usize>) -> Cause {
        // What the state word says anyway; any other cause says more.
        const BY_STATE: [&str; 6] =
            ["unknown", "drift", "rollout.progressing", "rollout.deadline", "rollout.refused", "pending"];
        let strong = cause.at.first().is_some_and(|found| found.weight() >= Weight::Strong);
        if strong || !BY_STATE.contains(&cause.class.0) {
            return cause;
        }
        let text = self.flat.masked.get(stretch.clone()).unwrap_or_default();
        let has = |class: &str| {
            self.causes.iter().any(|found| {
                stretch.contains(&found.start)
                    && found
                        .class()
                        .and_then(|place| TABLE.get(place))
                        .is_some_and(|entry| entry.class.0 == class)
            })
        };
        if let Some((class, sure)) = fleet::settle(text, has("drift"), has("rollout.progressing")) {
            let found = Class(class);
            if cause.class != found {
                let of_class = |m: &&Match| {
                    m.class().and_then(|place| TABLE.get(place)).is_some_and(|entry| entry.class == found)
                };
                cause.at = self.causes.iter().filter(of_class).copied().take(20).collect();
            }
            cause.class = found;
            cause.sure = sure;
        }
        cause
    }

    fn read_entities(&self, found: &Match, entities: &mut Entities) {
        let Some(regex) = found.rule.regex() else { return };
        let Some(groups) = regex.captures_at(&self.flat.masked, found.start) else { return };
        for key in regex.capture_names().flatten() {
            if let Some(said) = groups.name(key) {
                entities.put(key, said.as_str());
            }
        }
        let rest = self.flat.text.get(found.end..).unwrap_or_default();
        if found.rule.rule.message {
            let end = self
                .hard
                .iter()
                .find(|border| **border > found.end)
                .map_or(rest.len(), |end| end - found.end);
            let message: String = rest.get(..end).unwrap_or(rest).chars().take(MESSAGE).collect();
            entities.put("message", message.trim_matches([' ', ':', ',', ';']));
        }
        if let Some(more) = found.rule.rule.more {
            let error = self.flat.text.get(found.start..).unwrap_or_default();
            more(&groups, error, entities);
        }
    }

    /// The lead-ins in front of the cause, each once, and what they name.
    fn peel(&self, begin: usize, entities: &mut Entities) -> Vec<Wrapper> {
        let mut wrappers: Vec<Wrapper> = Vec::new();
        for (name, found) in self.wrappers.iter().filter(|(_, found)| found.start < begin) {
            self.read_entities(found, entities);
            let said = self.flat.text.get(found.start..found.end).unwrap_or_default().trim_end();
            if name.starts_with('~') {
                entities.add("peeled", Value::from(redact::text(said).into_owned()));
            } else if !wrappers.iter().any(|wrapper| wrapper.name == *name) {
                wrappers.push(Wrapper { name, text: redact::text(said).into_owned() });
            }
        }
        wrappers
    }

    fn named_objects(&self, class: Class) -> Vec<NamedObject> {
        if class.0 == "ssa.conflict" {
            return self.conflicts.objects.clone();
        }
        let mut named = Vec::new();
        for found in &self.objects {
            let Some(groups) =
                found.rule.regex().and_then(|regex| regex.captures_at(&self.flat.masked, found.start))
            else {
                continue;
            };
            let mut object = objects::named(&groups);
            // `namespaces "x" not found` names a Namespace; its resource form says the same again.
            if objects::resource(&groups) == Some("namespaces") && object.kind.is_none() {
                object.kind = Some("Namespace".to_owned());
            }
            if objects::is_about_a_release_record(&object) {
                continue;
            }
            objects::add(&mut named, object, objects::resource(&groups));
        }
        named
    }

    /// The other things that are named: the refused field from the error that gives the class, the rest from
    /// wherever it comes first.
    fn mention(&self, begin: usize, told: usize, end: usize, entities: &mut Entities) {
        let field = self
            .mentions
            .iter()
            .filter(|found| found.rule.rule.pattern.contains("(?P<field>"))
            .take_while(|found| found.start <= told)
            .last();
        if let Some(field) = field
            && begin != usize::MAX
        {
            self.read_entities(field, entities);
        }
        let others = |found: &&Match| !found.rule.rule.pattern.contains("(?P<field>") && found.start < end;
        // Of several Fleet states the first is the worst; else the nearest before the cause counts.
        let is_state = |found: &&Match| found.rule.rule.pattern.contains("(?P<fleet.");
        let before = self.mentions.iter().filter(|found| !is_state(found) && found.start <= begin).rev();
        let after = self.mentions.iter().filter(|found| is_state(found) || found.start > begin);
        for found in before.chain(after).filter(others) {
            self.read_entities(found, entities);
        }
        if entities.0.get("field").is_some_and(|field| field == "patch" || field == "<nil>") {
            entities.0.remove("field");
        }
    }

    /// The cause without its wrappers; a lead-in that names the object stays.
    fn inner(&self, begin: usize) -> &str {
        const NAME_THE_OBJECT: [&str; 4] = ["ssa-apply", "cannot-patch", "replace-object", "crd-install"];
        if begin == usize::MAX {
            return &self.clean;
        }
        let from = self
            .wrappers
            .iter()
            .filter(|(_, found)| found.start < begin)
            .map(|(name, found)| if NAME_THE_OBJECT.contains(name) { found.start } else { found.end })
            .next_back()
            .unwrap_or(0);
        self.clean.get(self.flat.origin(from)..).unwrap_or(&self.clean)
    }

    fn is_cut(&self) -> bool {
        let end = self.clean.trim_end().trim_end_matches(['"', '\'', ']', ')']).trim_end();
        end.ends_with("...") || end.ends_with('\u{2026}')
    }
}

/// The class of a text that no rule fits.
pub(super) const UNKNOWN: Class = Class("unknown");

/// A failed hook's object is the first that the text names.
fn name_the_hook(entities: &mut Entities, objects: &[NamedObject]) {
    if entities.has("hook.phase")
        && !entities.has("hook.name")
        && let Some(name) = objects.first().and_then(|object| object.name.as_deref())
    {
        entities.put("hook.name", name);
    }
}
