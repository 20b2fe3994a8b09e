//! `why --watch`: looks again and again while a fix lands, until all that was stuck is ready.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

use anyhow::bail;
use jiff::Timestamp;

use super::args::Globals;
use super::ask::{ask, unknown_target};
use super::exit::Exit;
use super::print;
use crate::diagnosis::{diagnose, findings};
use crate::evidence::Question;
use crate::report::{Form, Page, Paint, Report, class_in_words, clean_text, stuck};
use crate::source::live;

/// Looks every `interval` until nothing that was asked for is stuck. A round that failed proves nothing: it is
/// told and tried again.
///
/// # Errors
/// The first look failed, or there is nothing to watch.
pub async fn run(question: &Question, globals: &Globals, interval: Duration) -> anyhow::Result<Exit> {
    check(globals)?;
    let mut before: Option<Stuck> = None;
    loop {
        let round = ask(globals, question, |case| findings(&case)).await;
        let (evidence, interrupted) = match (round, &before) {
            (Ok(round), _) => round,
            (Err(error), None) => return Err(error),
            (Err(error), Some(_)) => {
                print::remark(&clean_text(&format!("{} this look failed: {error:#}", clock())));
                if pause(interval).await.is_some() {
                    return Ok(Exit::Interrupted);
                }
                continue;
            }
        };
        if interrupted.is_none()
            && let Some(problem) = unknown_target(question, &evidence)
        {
            bail!(problem);
        }
        let report = diagnose(evidence);
        let now = Stuck::of(&report);
        let is_over = now.0.is_empty() && is_sure(&report);
        show(&report, before.as_ref(), &now, globals)?;
        if let Some(interrupted) = interrupted {
            return Ok(interrupted);
        }
        if is_over {
            say_the_end(before.is_some(), globals)?;
            return Ok(Exit::Ran);
        }
        before = Some(now);
        if let Some(interrupted) = pause(interval).await {
            return Ok(interrupted);
        }
    }
}

fn check(globals: &Globals) -> anyhow::Result<()> {
    if !globals.from.is_empty() {
        bail!("--watch needs living clusters: what --from names does not change");
    }
    if !matches!(globals.output, Form::Human | Form::Wide) {
        bail!(
            "--watch draws for a person; for a script, ask again with -o {} and --exit-code",
            globals.output
        );
    }
    Ok(())
}

/// What could not be read may be stuck still.
fn is_sure(report: &Report) -> bool {
    report.clusters.iter().all(|cluster| cluster.reached)
}

/// What is stuck: `GitRepo fleet-default/shop on c-prod`, and why.
struct Stuck(BTreeMap<String, String>);

impl Stuck {
    fn of(report: &Report) -> Self {
        let line = |finding: &crate::report::Finding| {
            let release =
                || finding.release.as_ref().map(|it| format!("release {}/{}", it.namespace, it.name));
            let owner = finding.owner.as_ref().map(ToString::to_string);
            let subject = owner.or_else(release).unwrap_or_else(|| finding.summary.clone());
            let place = finding.cluster.as_deref().map(|it| format!(" on {it}")).unwrap_or_default();
            (format!("{subject}{place}"), format!("{}: {}", class_in_words(&finding.class), finding.summary))
        };
        Self(stuck(report).map(line).collect())
    }

    /// What a look brought since the one before.
    fn news(&self, before: Option<&Self>) -> Vec<(Paint, String)> {
        let known = |subject: &String| before.and_then(|it| it.0.get(subject));
        let mut news: Vec<(Paint, String)> = Vec::new();
        for (subject, why) in &self.0 {
            match known(subject) {
                None => news.push((Paint::Bad, format!("stuck: {subject}: {why}"))),
                Some(other) if other != why => news.push((Paint::Warn, format!("now: {subject}: {why}"))),
                Some(_) => {}
            }
        }
        for subject in before.into_iter().flat_map(|it| it.0.keys()) {
            if !self.0.contains_key(subject) {
                news.push((Paint::Good, format!("ready: {subject}")));
            }
        }
        news
    }
}

/// A terminal is drawn anew; anything else gets a line for each change.
fn show(report: &Report, before: Option<&Stuck>, now: &Stuck, globals: &Globals) -> anyhow::Result<()> {
    let mut door = print::door(globals);
    let news = now.news(before);
    let mut page = Page::new(door.style());
    for (paint, line) in &news {
        page.prose(0, *paint, &clean_text(&format!("{}  {line}", clock())));
    }
    if std::io::stdout().is_terminal() {
        door.clear()?;
        door.report(report.clone(), globals.output)?;
        page.blank();
        page.prose(0, Paint::Quiet, &format!("{}  looked; Ctrl-C ends", clock()));
    }
    Ok(door.painted(&page)?)
}

fn say_the_end(was_stuck: bool, globals: &Globals) -> anyhow::Result<()> {
    let mut door = print::door(globals);
    let mut page = Page::new(door.style());
    let end = if was_stuck { "all that was stuck is ready" } else { "nothing is stuck" };
    page.prose(0, Paint::Good, &format!("{}  {end}", clock()));
    Ok(door.painted(&page)?)
}

async fn pause(interval: Duration) -> Option<Exit> {
    tokio::select! {
        () = tokio::time::sleep(interval) => None,
        () = live::interrupt() => Some(Exit::Interrupted),
    }
}

fn clock() -> String {
    Timestamp::now().strftime("%H:%M:%SZ").to_string()
}
