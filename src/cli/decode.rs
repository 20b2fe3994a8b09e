//! `decode`: what is in a release record, offline.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::args::Globals;
use super::exit::Exit;
use super::print;
use crate::helm::codec::Sizes;
use crate::helm::found::{Found, Record};
use crate::helm::{DecodeError, Decoder, Head, Release, mask};
use crate::report::{Door, Form, Page, Paint, clean_text};
use crate::yaml;

/// What `decode` is asked.
#[derive(clap::Args, Clone, Default)]
pub struct Args {
    /// A release Secret, a ConfigMap, a List with many, YAML or JSON, or a bare payload; - or nothing
    /// reads standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print the rendered objects
    #[arg(long)]
    pub manifest: bool,
    /// Print the values that were given
    #[arg(long)]
    pub values: bool,
    /// Print the hooks' objects
    #[arg(long)]
    pub hooks: bool,
    /// Print the notes
    #[arg(long)]
    pub notes: bool,
    /// Print all of it
    #[arg(long)]
    pub all: bool,
    /// Print secrets too: values, Secrets' data, env values, notes as they are stored
    #[arg(long)]
    pub show_secrets: bool,
}

/// One decoded release.
struct Decoded {
    record: Record,
    release: Release,
    stored: Value,
    sizes: Sizes,
}

/// Decodes and prints. Several releases in one input are all shown; it fails only if none could be.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let input = read(args.file.as_deref())?;
    let Found { records, problems } = Found::read(&input);
    if records.is_empty() {
        bail!(problems.join("; "));
    }
    problems.iter().for_each(|problem| warn(problem));
    let mut decoder = Decoder::new(globals.max_payload);
    let mut door = print::door(globals);
    let mut shown = 0_usize;
    let mut failures = Vec::new();
    for record in records {
        match decode(&mut decoder, record) {
            Ok(decoded) => {
                show(&mut door, args, globals.output, &decoded, shown > 0)?;
                shown += 1;
            }
            Err(refused) => {
                let (record, error) = *refused;
                let says = format!("{}: {error}; {}", record.title, error.advice());
                if let Some(head) = error.saved.as_deref().filter(|_| !globals.output.is_for_programs()) {
                    let mut page = Page::new(door.style());
                    saved(&mut page, &record, head);
                    door.painted(&page)?;
                }
                failures.push(says);
            }
        }
    }
    if shown == 0 {
        bail!(failures.join("\n"));
    }
    failures.iter().for_each(|failure| warn(failure));
    Ok(Exit::Ran)
}

fn decode(decoder: &mut Decoder, record: Record) -> Result<Decoded, Box<(Record, DecodeError)>> {
    let decoded = decoder.release(&record.payload).and_then(|release| {
        let sizes = decoder.sizes();
        Ok((release, decoder.read(&record.payload)?, sizes))
    });
    match decoded {
        Ok((release, stored, sizes)) => Ok(Decoded { record, release, stored, sizes }),
        Err(error) => Err(Box::new((record, error))),
    }
}

/// Larger inputs are no dump of releases; it bounds what a device or a pipe without end can do.
const LARGEST_INPUT: u64 = 1 << 30;

fn read(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let mut input = Vec::new();
    let (mut from, name): (Box<dyn Read>, _) = match file.filter(|path| path.as_os_str() != "-") {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            (Box::new(file), path.display().to_string())
        }
        None => (Box::new(std::io::stdin().lock()), "standard input".to_owned()),
    };
    let length = from
        .by_ref()
        .take(LARGEST_INPUT + 1)
        .read_to_end(&mut input)
        .with_context(|| format!("cannot read {name}"))?;
    if length as u64 > LARGEST_INPUT {
        bail!("{name} is larger than 1 GiB; give the release Secrets alone");
    }
    Ok(input)
}

fn warn(says: &str) {
    print::remark(&format!("kubectl helm-forensics: {}", clean_text(says)));
}

fn show(
    door: &mut Door<std::io::StdoutLock<'static>>,
    args: &Args,
    form: Form,
    decoded: &Decoded,
    follows: bool,
) -> anyhow::Result<()> {
    if form.is_for_programs() {
        if follows && form == Form::Yaml {
            door.text("---\n")?;
        }
        if !args.show_secrets {
            return Ok(door.record(&mask::record(&decoded.stored), form)?);
        }
        let text = match form {
            Form::Yaml => yaml::emit(&decoded.stored),
            _ => serde_json::to_string_pretty(&decoded.stored)? + "\n",
        };
        return Ok(door.unmasked(&text)?);
    }
    let sections = sections(args, &decoded.release);
    if sections.is_empty() || args.all {
        let mut page = Page::new(door.style());
        if follows {
            page.line("");
        }
        summary(&mut page, decoded);
        door.painted(&page)?;
    }
    for section in sections {
        match args.show_secrets {
            true => door.unmasked(&section)?,
            false => door.text(&section)?,
        }
    }
    Ok(())
}

/// The parts that flags ask for, each a YAML stream of its own that begins with a comment.
fn sections(args: &Args, release: &Release) -> Vec<String> {
    let title = format!("{}/{} revision {}", release.namespace, release.name, release.version);
    let manifest = |text: &str| match args.show_secrets {
        true => text.to_owned(),
        false => mask::manifest(text),
    };
    let mut sections = Vec::new();
    let mut add = |asked: bool, what: &str, text: &dyn Fn() -> String| {
        if asked || args.all {
            let text = text();
            let text = if text.trim().is_empty() { "# none" } else { text.trim_end() };
            sections.push(format!("# {what} of {title}\n{text}\n"));
        }
    };
    add(args.values, "values", &|| match (&release.config, args.show_secrets) {
        (None, _) => String::new(),
        (Some(config), true) => yaml::emit(config),
        (Some(config), false) => yaml::emit(&mask::values(config)),
    });
    add(args.manifest, "manifest", &|| manifest(&release.manifest));
    add(args.hooks, "hooks", &|| {
        release.hooks.iter().fold(String::new(), |mut text, hook| {
            let _ = writeln!(
                text,
                "---\n# Source: {}\n{}",
                hook.path,
                manifest(&hook.manifest).trim_start_matches("---\n").trim()
            );
            text
        })
    });
    add(args.notes, "notes", &|| match args.show_secrets || release.info.notes.is_empty() {
        true => release.info.notes.clone(),
        false => "# notes may hold passwords; --show-secrets prints them".to_owned(),
    });
    sections
}

fn summary(page: &mut Page, decoded: &Decoded) {
    let Decoded { record, release, sizes, .. } = decoded;
    let Release { info, chart, .. } = release;
    let clean = |text: &str| clean_text(text);
    page.prose(
        0,
        Paint::Strong,
        &clean(&format!(
            "{}/{} revision {}  {}",
            release.namespace, release.name, release.version, info.status
        )),
    );
    if let Some(label) = record.meta.as_ref().map(|meta| &meta.status).filter(|label| **label != info.status)
    {
        page.fact("label", Paint::Warn, &clean(&format!("says {label}, the payload says {}", info.status)));
    }
    let app =
        if chart.app_version.is_empty() { String::new() } else { format!(" (app {})", chart.app_version) };
    page.fact("chart", Paint::Plain, &clean(&format!("{}{app}", chart.title())));
    for (label, time) in
        [("installed", info.first_deployed), ("this try", info.last_deployed), ("deleted", info.deleted)]
    {
        if let Some(time) = time {
            page.fact(label, Paint::Plain, &format!("{time:.0}"));
        }
    }
    page.fact("applied", Paint::Plain, &clean(applied(release.apply_method.as_deref())));
    if let Some(target) = info.rolled_back_to() {
        page.fact("rollback", Paint::Plain, &format!("to revision {target}"));
    }
    page.fact(
        "description",
        Paint::Plain,
        &clean(if info.description.is_empty() { "none" } else { &info.description }),
    );
    for (key, value) in chart
        .annotations
        .iter()
        .filter(|(key, value)| key.starts_with("fleet.cattle.io/") && !value.is_empty())
    {
        page.fact(
            "fleet",
            Paint::Plain,
            &clean(&format!("{} {value}", key.trim_start_matches("fleet.cattle.io/"))),
        );
    }
    for hook in &release.hooks {
        let run = &hook.last_run;
        let phase = if run.phase.is_empty() { "never ran" } else { &run.phase };
        let started = run.started_at.map(|time| format!(", started {time:.0}")).unwrap_or_default();
        let ended = run.completed_at.map(|time| format!(", ended {time:.0}")).unwrap_or_default();
        let paint = if run.phase == "Failed" { Paint::Bad } else { Paint::Plain };
        let says = format!(
            "{} {} ({}): {phase}{started}{ended}; {}",
            hook.kind,
            hook.name,
            hook.events.join(", "),
            hook.path
        );
        page.fact("hook", paint, &clean(&says));
    }
    page.fact("record", Paint::Quiet, &clean(&record.title));
    page.fact("size", Paint::Quiet, &size(sizes));
}

/// `apply_method` in words (Helm 4 writes `ssa` or `csa`, Helm 3 nothing).
fn applied(method: Option<&str>) -> &str {
    match method {
        Some("ssa") => "server-side (ssa)",
        Some("csa") => "client-side (csa)",
        Some(other) => other,
        None => "client-side, by Helm 3 (no apply_method)",
    }
}

fn size(sizes: &Sizes) -> String {
    let mut says = format!("{} bytes as given", sizes.given);
    if sizes.stored > 0 {
        let _ = write!(says, ", {} as Helm's base64 (a Secret holds 1048576)", sizes.stored);
    }
    if sizes.compressed == sizes.json {
        let _ = write!(says, ", {} of JSON, not compressed", sizes.json);
    } else {
        let _ = write!(says, ", {} compressed, {} of JSON", sizes.compressed, sizes.json);
    }
    says
}

/// What stands before a damage.
fn saved(page: &mut Page, record: &Record, head: &Head) {
    let mut says = |label: &str, text: &str| {
        if !text.is_empty() {
            page.fact(label, Paint::Plain, &clean_text(text));
        }
    };
    says("DAMAGED", &record.title);
    says("release", &head.name);
    says("status", head.info.status.as_str());
    says("this try", &head.info.last_deployed.map(|time| format!("{time:.0}")).unwrap_or_default());
    says("chart", &head.chart.title());
    says("description", &head.info.description);
}
