//! `history`: every stored revision of a release, and what is missing from the sequence.

use anyhow::bail;
use serde_json::{Value, json};

use super::args::Globals;
use super::ask::{ask, question};
use super::exit::Exit;
use super::print;
use crate::diagnosis::classify;
use crate::evidence::{Question, Target};
use crate::failure::Failure;
use crate::helm::rollback::{Reach, reach};
use crate::helm::{History, Revision};
use crate::report::{Age, Page, Paint, Style, clean_text};

/// What `history` is asked.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// NAME or NAMESPACE/NAME of the release
    #[arg(value_name = "RELEASE", value_parser = release)]
    pub release: Target,
}

fn release(text: &str) -> Result<Target, String> {
    let name = text.strip_prefix("release/").unwrap_or(text);
    format!("release/{name}")
        .parse()
        .map_err(|_| format!("{text:?} is not NAME or NAMESPACE/NAME of a release"))
}

/// Answers and prints.
pub async fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let asked = Question {
        whole_history: true,
        include_healthy: true,
        ..question(globals, std::slice::from_ref(&args.release))
    };
    let (evidence, interrupted) = ask(globals, &asked, |case| (case.cluster, case.history)).await?;
    let mut found: Vec<(Option<&str>, &History)> = Vec::new();
    for (cluster, history) in evidence.answers() {
        let here = history.as_ref().filter(|history| !history.revisions().is_empty());
        if let Some(history) = here.filter(|history| {
            !found.iter().any(|(known_on, known)| {
                *known_on == cluster.as_deref()
                    && (&known.namespace, &known.name) == (&history.namespace, &history.name)
            })
        }) {
            found.push((cluster.as_deref(), history));
        }
    }
    let place = |(cluster, history): &(Option<&str>, &History)| {
        format!("{}/{} on {}", history.namespace, history.name, cluster.unwrap_or("this cluster"))
    };
    match found.as_slice() {
        [] => bail!(
            "no stored revision of release {} was found; with HELM_DRIVER, another namespace (-n) or another cluster \
             (--cluster-name) it may be there. Records in SQL (HELM_DRIVER=sql) cannot be read: `helm history` can",
            args.release.name
        ),
        [(_, history)] => print(history, evidence.now, globals)?,
        many => bail!(
            "there are {} releases of that name: {}; choose with --cluster-name or NAMESPACE/NAME",
            many.len(),
            many.iter().map(place).collect::<Vec<_>>().join(", ")
        ),
    }
    Ok(interrupted.unwrap_or(Exit::Ran))
}

fn print(history: &History, now: jiff::Timestamp, globals: &Globals) -> anyhow::Result<()> {
    let mut door = print::door(globals);
    if globals.output.is_for_programs() {
        return Ok(door.record(&record(history), globals.output)?);
    }
    let page = page(history, now, door.style());
    Ok(door.painted(&page)?)
}

/// `-o json`.
pub fn record(history: &History) -> Value {
    let healed: Vec<u32> = history.healed().map(Revision::number).collect();
    let missing: Vec<Value> = history
        .missing()
        .iter()
        .map(|gap| json!({"first": gap.first, "last": gap.last, "why": gap.why, "explanation": gap.why.explanation()}))
        .collect();
    json!({
        "release": {"namespace": history.namespace, "name": history.name},
        "deployed": history.deployed().map(Revision::number),
        "cause": history.cause().map(Revision::number),
        "triesLost": history.tries_lost(),
        "revisions": history.revisions().iter().map(|one| revision(one, healed.contains(&one.number()))).collect::<Vec<_>>(),
        "missing": missing,
        "rollback": reach(history),
    })
}

fn revision(revision: &Revision, healed: bool) -> Value {
    let failure = classify(revision);
    let release = revision.release();
    json!({
        "revision": revision.number(),
        "status": revision.status(),
        "started": revision.started(),
        "lastWrite": revision.meta.last_write,
        "chart": release.map(|release| release.chart.title()),
        "appVersion": release.map(|release| release.chart.app_version.clone()),
        "applyMethod": release.and_then(|release| release.apply_method.clone()),
        "description": revision.description(),
        "class": failure.as_ref().map(|failure| failure.class),
        "healed": healed,
        "conflicts": failure.as_ref().map_or(json!([]), conflicts),
        "damage": revision.damage().map(|damage| format!("{damage}; {}", damage.advice())),
        "hooks": release.map(|release| release.unfinished_hooks()
            .map(|hook| json!({"name": hook.name, "kind": hook.kind, "path": hook.path, "phase": hook.last_run.phase}))
            .collect::<Vec<_>>()),
    })
}

fn conflicts(failure: &Failure) -> Value {
    let object = |index: Option<usize>| index.and_then(|index| failure.objects.get(index));
    failure
        .conflicts
        .iter()
        .map(|conflict| {
            json!({
                "object": object(conflict.object_index), "path": conflict.field, "manager": conflict.manager,
                "operation": conflict.operation, "subresource": conflict.subresource,
            })
        })
        .collect()
}

/// For a person: newest first, with the gaps where they are.
pub fn page(history: &History, now: jiff::Timestamp, style: &Style) -> Page {
    let mut page = Page::new(style);
    page.prose(0, Paint::Strong, &clean_text(&format!("{}/{}", history.namespace, history.name)));
    page.prose(2, Paint::Plain, &headline(history));
    let healed: Vec<u32> = history.healed().map(Revision::number).collect();
    let mut gaps = history.missing();
    for revision in history.revisions().iter().rev() {
        while let Some(gap) = gaps.pop_if(|gap| gap.first > revision.number()) {
            missing(&mut page, &gap);
        }
        one(&mut page, revision, now, healed.contains(&revision.number()));
    }
    gaps.iter().rev().for_each(|gap| missing(&mut page, gap));
    rollback(&mut page, &reach(history));
    page
}

/// How far back one can go, and which images may be others by now.
fn rollback(page: &mut Page, reach: &Reach) {
    page.blank();
    page.prose(0, Paint::Strong, "rollback");
    let limit = match reach.is_pruned {
        true => "; older ones went to the history limit (or to failed tries that it kept in their place)",
        false => "",
    };
    let far = match (reach.last_good, reach.oldest) {
        (Some(newest), Some(oldest)) if newest != oldest => {
            format!("last good one: {newest}; as far back as {oldest}{limit}")
        }
        (Some(only), _) => format!("last good one: {only}, and no other{limit}"),
        (None, _) => {
            format!("nowhere to go back to: no other revision is stored that landed and can be read{limit}")
        }
    };
    page.prose(2, Paint::Plain, &far);
    for one in &reach.not {
        page.prose(2, Paint::Quiet, &format!("not {}: {}", one.revision, one.why));
    }
    for target in reach.targets.iter().filter(|target| !target.images_by_tag.is_empty()) {
        let images: Vec<&str> = target.images_by_tag.iter().map(|it| it.image.as_str()).collect();
        let text = format!(
            "{} ({}) names by tag, not by digest: {}. Such a tag can have moved: a rollback may run other code than then",
            target.revision,
            target.chart,
            images.join(", ")
        );
        page.prose(2, Paint::Warn, &clean_text(&text));
    }
}

fn headline(history: &History) -> String {
    let deployed = history
        .deployed()
        .map_or("no revision is deployed".to_owned(), |one| format!("revision {} is deployed", one.number()));
    let lost = match history.tries_lost() {
        0 => String::new(),
        1 => "; 1 try after it is no longer stored".to_owned(),
        lost => format!("; {lost} tries after it are no longer stored"),
    };
    format!("{} revisions stored; {deployed}{lost}", history.revisions().len())
}

fn missing(page: &mut Page, gap: &crate::helm::Missing) {
    page.blank();
    page.prose(0, Paint::Quiet, &format!("{gap} not stored: {}", gap.why.explanation()));
}

fn one(page: &mut Page, revision: &Revision, now: jiff::Timestamp, healed: bool) {
    page.blank();
    let paint = match revision.has_failed() || revision.damage().is_some() {
        true if healed => Paint::Warn,
        true => Paint::Bad,
        false if revision.status().unfinished() => Paint::Warn,
        false => Paint::Strong,
    };
    let age = revision.started().map(|time| format!("  {}", Age::between(time, now))).unwrap_or_default();
    let note = if healed { "  (a later revision landed)" } else { "" };
    page.prose(0, paint, &clean_text(&format!("{}  {}{age}{note}", revision.number(), revision.status())));
    let mut fact = |label: &str, text: &str| {
        if !text.is_empty() {
            page.fact(label, Paint::Plain, &clean_text(text));
        }
    };
    fact("started", &revision.started().map(|time| format!("{time:.0}")).unwrap_or_default());
    if let Some(release) = revision.release() {
        let app = if release.chart.app_version.is_empty() {
            String::new()
        } else {
            format!(" (app {})", release.chart.app_version)
        };
        fact("chart", &format!("{}{app}", release.chart.title()));
        fact("applied", release.apply_method.as_deref().unwrap_or("Helm 3, client-side"));
    }
    fact("description", revision.description().unwrap_or_default());
    fact("class", &classify(revision).map(|failure| failure.class.to_string()).unwrap_or_default());
    if let Some(damage) = revision.damage() {
        fact("DAMAGED", &format!("{damage}; {}", damage.advice()));
    }
    for hook in revision.release().into_iter().flat_map(crate::helm::Release::unfinished_hooks) {
        fact("hook", &format!("{} {} ({}) is {}", hook.kind, hook.name, hook.path, hook.last_run.phase));
    }
}
