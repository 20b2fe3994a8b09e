//! The answer for a person.

use serde_json::Value;

use super::foretold::Foretold;
use crate::cli::owners::named;
use crate::fields::{Manager, Owner, Path, WhyOverwritten};
use crate::report::{Page, Paint, Style, clean_text, value_in_words};

/// The answer for a person: what bites first stands first; objects with nothing to say are counted.
pub fn human(subject: &str, foretold: &[Foretold], style: &Style) -> Page {
    let mut page = Page::new(style);
    page.prose(0, Paint::Quiet, &clean_text(subject));
    let (quiet, loud): (Vec<&Foretold>, Vec<&Foretold>) = foretold.iter().partition(|one| one.is_quiet());
    for one in &loud {
        object(&mut page, &(*one).clone().masked());
    }
    page.blank();
    let created = quiet.iter().filter(|one| one.prediction.creates).count();
    let fine = quiet.len() - created;
    if created > 0 {
        page.prose(0, Paint::Plain, &format!("{} would be created.", objects(created)));
    }
    if fine > 0 || loud.is_empty() {
        page.prose(0, Paint::Good, &format!("{} would be applied with nobody in the way.", objects(fine)));
    }
    page
}

fn objects(count: usize) -> String {
    if count == 1 { "1 object".to_owned() } else { format!("{count} objects") }
}

fn object(page: &mut Page, foretold: &Foretold) {
    let it = &foretold.prediction;
    page.blank();
    page.prose(0, Paint::Strong, &clean_text(&foretold.object.to_string()));
    if it.ownership_unknown {
        let text = "it has no managedFields: if they are only hidden, save it with --show-managed-fields and ask again; if \
                    they were wiped, what is below holds";
        page.prose(2, Paint::Warn, text);
    }
    for invalid in &it.invalid {
        page.prose(
            2,
            Paint::Bad,
            &clean_text(&format!("malformed, the server refuses it at once: {invalid}")),
        );
    }
    section(
        page,
        Paint::Bad,
        "would be refused: somebody else holds it with another value",
        &it.conflicts,
        |one| {
            let note =
                if one.same_meaning { " (the same quantity, but the server compares texts)" } else { "" };
            let values = format!("wanted {}, cluster has {}{note}", words(&one.wanted), words(&one.live));
            (&one.path, vec![values, held_by(foretold, std::slice::from_ref(&one.owner))])
        },
    );
    section(page, Paint::Warn, "would be overwritten without a word", &it.overwrites, |one| {
        let values = format!("wanted {}, cluster has {}", words(&one.wanted), words(&one.live));
        (&one.path, vec![values, why(one.why).to_owned(), held_by(foretold, &one.owners)])
    });
    section(page, Paint::Warn, "would go: the deployer owns it and no longer sets it", &it.resets, |one| {
        let default = match &one.default {
            Some(default) => format!("falls from {} to its default {}", words(&one.live), words(default)),
            None => format!("loses {}", words(&one.live)),
        };
        (&one.path, vec![default, held_by(foretold, &one.owners)])
    });
    section(page, Paint::Plain, "would be left to others: no longer set, and stays", &it.released, |one| {
        (&one.path, vec![format!("stays {}", words(&one.live)), held_by(foretold, &one.owners)])
    });
    section(
        page,
        Paint::Plain,
        "is shared and equal today: the next change of the value is refused",
        &it.shared,
        |one| (&one.path, vec![format!("is {}", words(&one.value)), held_by(foretold, &one.owners)]),
    );
    for robots in &foretold.robots {
        let [first, second] = &robots.pair;
        page.prose(
            2,
            Paint::Bad,
            &clean_text(&format!("two robots on it: {first} and {second}; {}", robots.sign)),
        );
        page.prose(4, Paint::Plain, robots.way_out);
    }
}

fn section<'a, T>(
    page: &mut Page,
    paint: Paint,
    title: &str,
    fields: &'a [T],
    tell: impl Fn(&'a T) -> (&'a Path, Vec<String>),
) {
    if fields.is_empty() {
        return;
    }
    page.prose(2, paint, title);
    for field in fields {
        let (path, lines) = tell(field);
        page.prose(4, Paint::Strong, &clean_text(&path.to_string()));
        for line in lines.iter().filter(|line| !line.is_empty()) {
            page.prose(6, Paint::Plain, &clean_text(line));
        }
    }
}

fn held_by(foretold: &Foretold, owners: &[Owner]) -> String {
    let held: Vec<String> = owners
        .iter()
        .map(|owner| {
            let who = Manager::seen_by(&foretold.manager, &owner.manager, &owner.subresource).who;
            format!("{}, {who}", named(owner))
        })
        .collect();
    if held.is_empty() { String::new() } else { format!("held by {}", held.join("; ")) }
}

fn why(why: WhyOverwritten) -> &'static str {
    match why {
        WhyOverwritten::Forced => "the deployer forces",
        WhyOverwritten::ClientSide => "client-side apply knows no owners",
        WhyOverwritten::NoOwner => "whoever changed it left no entry in managedFields",
        WhyOverwritten::StringData => "stringData is written over data behind the back of its owners",
    }
}

fn words(value: &Value) -> String {
    value_in_words(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::record;
    use super::*;
    use crate::fields::{Applied, Live, Method, predict};
    use crate::object::ObjectRef;

    fn foretold(desired: &Value, live: Option<&Value>) -> Foretold {
        let live = live.map(Live::of);
        let applied = Applied {
            desired,
            live: live.as_ref(),
            previous: None,
            manager: "helm",
            method: Method::ServerSide,
            schema: None,
        };
        Foretold {
            object: ObjectRef::new("v1", desired["kind"].as_str().unwrap(), "shop", "db"),
            method: Method::ServerSide,
            manager: "helm".into(),
            prediction: predict(&applied),
            robots: Vec::new(),
        }
    }

    fn object(kind: &str, value: &str) -> Value {
        json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "db"}, "data": {"a.b": value}})
    }

    fn held(kind: &str, value: &str) -> Value {
        let mut live = object(kind, value);
        live["metadata"]["managedFields"] = json!([{"manager": "kubectl-edit", "operation": "Update", "apiVersion": "v1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {".": {}, "f:a.b": {}}}}]);
        live
    }

    #[test]
    fn a_person_reads_what_would_be_refused_and_who_is_in_the_way() {
        let one = foretold(&object("ConfigMap", "fast"), Some(&held("ConfigMap", "slow")));
        let page = human("Subject", &[one, foretold(&object("ConfigMap", "x"), None)], &Style::plain(120));
        assert_eq!(
            page.as_str(),
            "Subject\n\nConfigMap shop/db\n  would be refused: somebody else holds it with another value\n    .data.a.b\n      \
             wanted fast, cluster has slow\n      held by kubectl-edit (Update), kubectl edit, by a person\n\n1 object would be \
             created.\n"
        );
    }

    #[test]
    fn a_secrets_values_are_never_shown() {
        let one = foretold(&object("Secret", "czNjcjN0LXBsYW50ZWQ="), Some(&held("Secret", "b3RoZXI=")));
        assert_eq!(one.prediction.conflicts.len(), 1);
        let page = human("Subject", std::slice::from_ref(&one), &Style::plain(120));
        let record = record("Subject", std::slice::from_ref(&one)).to_string();
        for text in [page.as_str(), &record] {
            assert!(
                text.contains("redacted") && !text.contains("czNjcjN0") && !text.contains("b3RoZXI"),
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_in_the_way_is_said_too() {
        let page = human("Subject", &[], &Style::plain(80));
        assert_eq!(page.as_str(), "Subject\n\n0 objects would be applied with nobody in the way.\n");
    }
}
