//! `explain`: what a class of failure means, and which classes a pasted text tells.

mod human;
mod told;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::Globals;
use super::exit::Exit;
use super::print;
use crate::failure::{self, ClassEntry, Failure};
use crate::report::{Door, Form, Page, Style};

/// A text up to this size is also read as one; a longer one is a log.
const ONE_TEXT: usize = 64 * 1024;

/// The arguments of `explain`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// A class (ssa.conflict), a file with a text or a log, or - for standard input; without it, all classes
    #[arg(value_name = "CLASS|FILE|-")]
    pub what: Option<String>,
}

/// Explains.
///
/// # Errors
///
/// When what is named is neither a class nor a file, or cannot be read.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    answer(args, globals.output, io::stdin().lock(), &mut print::door(globals))?;
    Ok(Exit::Ran)
}

/// The same with the streams given.
///
/// # Errors
///
/// As [`run`].
pub fn answer<W: Write>(
    args: &Args,
    form: Form,
    stdin: impl BufRead,
    door: &mut Door<W>,
) -> anyhow::Result<()> {
    match args.what.as_deref() {
        None => classes(form, door),
        Some("-") => text(stdin, form, door).context("cannot read standard input"),
        Some(what) => match failure::explained(what) {
            Some(entry) => class(entry, form, door),
            None if Path::new(what).is_file() => {
                let file = File::open(what).with_context(|| format!("cannot read {what}"))?;
                text(BufReader::new(file), form, door).with_context(|| format!("cannot read {what}"))
            }
            None => Err(unknown_class(what)),
        },
    }
}

/// A page for a reader was cleaned before it was wrapped.
fn show<W: Write>(text: &str, form: Form, door: &mut Door<W>) -> anyhow::Result<()> {
    if form == Form::Markdown {
        return Ok(door.text(text)?);
    }
    let mut page = Page::new(door.style());
    text.lines().for_each(|line| page.line(line));
    Ok(door.painted(&page)?)
}

fn shown_to(form: Form, style: &Style) -> human::For<'_> {
    if form == Form::Markdown { human::For::Ticket } else { human::For::Reader(style) }
}

/// A class's page for one reader.
pub fn class_page(entry: &ClassEntry, style: &Style) -> String {
    human::class(entry, human::For::Reader(style))
}

fn unknown_class(what: &str) -> anyhow::Error {
    let part = what.rsplit('.').next().unwrap_or(what);
    let alike: Vec<&str> =
        failure::catalogue().iter().map(|entry| entry.class.0).filter(|class| class.contains(part)).collect();
    let hint = if alike.is_empty() {
        "`explain` alone lists all".to_owned()
    } else {
        format!("like {}", alike.join(", "))
    };
    anyhow::anyhow!("{what:?} is no class and no file; {hint}")
}

fn classes<W: Write>(form: Form, door: &mut Door<W>) -> anyhow::Result<()> {
    let all = failure::catalogue();
    match form {
        Form::Json | Form::Yaml => {
            let list: Vec<Value> = all
                .iter()
                .map(|entry| json!({"class": entry.class, "group": entry.group, "title": entry.title}))
                .collect();
            door.record(&json!({"classes": list}), form)?;
        }
        Form::Name => door.text(&all.iter().map(|entry| format!("{}\n", entry.class)).collect::<String>())?,
        _ => show(&human::list(all, shown_to(form, door.style())), form, door)?,
    }
    Ok(())
}

fn class<W: Write>(entry: &ClassEntry, form: Form, door: &mut Door<W>) -> anyhow::Result<()> {
    match form {
        Form::Json | Form::Yaml => door.record(&told::class(entry), form)?,
        Form::Name => door.text(&format!("{}\n", entry.class))?,
        _ => show(&human::class(entry, shown_to(form, door.style())), form, door)?,
    }
    Ok(())
}

fn text<W: Write>(mut reader: impl BufRead, form: Form, door: &mut Door<W>) -> anyhow::Result<()> {
    let mut start = Vec::new();
    reader.by_ref().take(ONE_TEXT as u64 + 1).read_to_end(&mut start)?;
    let is_short = start.len() <= ONE_TEXT;
    let whole = String::from_utf8_lossy(&start).into_owned();
    let mut found = Vec::new();
    failure::find_in(io::Cursor::new(&start).chain(reader), |one| found.push(told::Told::from(one)))?;
    // One error over several lines is one text: its parts tell less than the whole.
    if found.len() < 2 && is_short {
        found = failure::classify(&whole).map(told::Told::whole).into_iter().collect();
    }
    if found.is_empty() {
        let nothing =
            if whole.trim().is_empty() { "There is no text." } else { "This text tells of no failure." };
        match form {
            Form::Json | Form::Yaml => door.record(
                &json!({"class": null, "conflicts": [], "entities": {}, "wrappers": [], "failures": []}),
                form,
            )?,
            Form::Name => {}
            _ => door.text(&format!("{nothing}\n"))?,
        }
        return Ok(());
    }
    match form {
        Form::Json | Form::Yaml => door.record(&told::all(&found), form)?,
        Form::Name => {
            door.text(&found.iter().map(|one| format!("{}\n", one.failure.class)).collect::<String>())?
        }
        _ => show(&human::told(&found, shown_to(form, door.style())), form, door)?,
    }
    Ok(())
}

/// Whether nothing is known of it.
fn is_unknown(failure: &Failure) -> bool {
    failure.class.0 == "unknown"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(what: Option<&str>, form: Form, stdin: &str) -> String {
        let mut out = Vec::new();
        let args = Args { what: what.map(str::to_owned) };
        answer(&args, form, stdin.as_bytes(), &mut Door::new(&mut out, Style::plain(88))).expect("an answer");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_pasted_conflict_is_json_with_both_names_of_its_field() {
        let text = "Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas";
        let told: Value = serde_json::from_str(&printed(Some("-"), Form::Json, text)).expect("JSON");
        assert_eq!(told["class"], "ssa.conflict");
        assert_eq!(told["wrappers"][0]["name"], "helm-cli");
        let conflict = &told["conflicts"][0];
        assert_eq!(
            (&conflict["field"], &conflict["path"]),
            (&json!(".spec.replicas"), &json!(".spec.replicas"))
        );
        assert_eq!(conflict["object"]["name"], "web");
        assert!(told.get("failures").is_none());
    }

    #[test]
    fn a_page_fits_its_terminal_and_hides_what_it_wraps() {
        let text = "Error: Secret in version \"v1\" cannot be handled as a Secret: Data: decode base64: illegal base64 data at input byte 36, error found in #10 byte of ...|Zm9vs3cr3t-planted\"},\"kind\":\"|..., bigger context ...|s3cr3t-planted\"},\"kind\":\"Secret\"|...\npassword: s3cr3t-planted";
        for width in [40, 80] {
            let style = Style { fold_commands: true, ..Style::plain(width) };
            let mut out = Vec::new();
            let args = Args { what: Some("-".into()) };
            answer(&args, Form::Human, text.as_bytes(), &mut Door::new(&mut out, style)).expect("an answer");
            let shown = String::from_utf8(out).expect("UTF-8");
            assert!(shown.contains("#10 byte of") && !shown.contains("s3cr3t"), "{shown}");
            assert!(shown.lines().all(|line| line.chars().count() <= width), "{shown}");
        }
    }

    #[test]
    fn several_failures_are_all_told() {
        let text = "level=WARN msg=a error=\"context canceled\"\nError: UPGRADE FAILED: namespaces \"x\" not found\n";
        let told: Value = serde_json::from_str(&printed(Some("-"), Form::Json, text)).expect("JSON");
        assert_eq!(told["class"], "interrupted");
        assert_eq!(told["failures"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn what_is_unknown_is_said_to_be() {
        let shown = printed(
            Some("-"),
            Form::Human,
            "Upgrade \"shop\" failed: the flux capacitor is out of plutonium",
        );
        assert!(shown.contains("unknown") && shown.contains("plutonium"), "{shown}");
    }

    #[test]
    fn hostile_names_are_shown_harmless() {
        let text = "Apply failed with 1 conflict: conflict with \"a\u{202e}b\u{1b}[31m\" using v1: .spec.x";
        for form in [Form::Human, Form::Markdown, Form::Json, Form::Yaml] {
            let shown = printed(Some("-"), form, text);
            assert!(!shown.contains('\u{202e}') && !shown.contains('\u{1b}'), "{form:?}: {shown}");
        }
    }

    #[test]
    fn classes_are_listed_and_explained() {
        let list = printed(None, Form::Human, "");
        for entry in failure::catalogue() {
            assert!(list.contains(entry.class.0), "{}", entry.class);
        }
        assert!(printed(Some("ssa.conflict"), Form::Human, "").contains("WAYS OUT"));
        let error = answer(
            &Args { what: Some("conflict".into()) },
            Form::Human,
            io::empty(),
            &mut Door::new(Vec::new(), Style::plain(88)),
        );
        assert!(error.expect_err("no class").to_string().contains("ssa.conflict"));
    }
}
