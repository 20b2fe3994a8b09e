//! What we foretell of an apply against what the API server answers, over seeded random objects and writers.
//!
//! `PREDICT_CASES` sets how many answers are judged (1,000 without it), `PREDICT_SEED` where they start. Objects that
//! another rule of the server refuses are not counted.

mod client_side;
mod objects;
mod seeded;
mod server;

use helm_forensics::fields::{Applied, Live, Method, Prediction, Schema, predict};
use serde_json::Value;

use crate::harness::planes;
use objects::{DEFINITION, KINDS, Kind};
use seeded::Seeded;
use server::{Server, Verdict};

const CASES: u64 = 1000;
const OWN: &str = "helm";

/// One object: how it came to be, and what is applied to it.
struct Story {
    live: Value,
    desired: Value,
    told: Vec<String>,
}

/// Writers before the apply in question: the deployer, people, other deployers.
fn live_through(seeded: &mut Seeded, server: &Server<'_>, kind: &Kind, name: &str) -> Option<Story> {
    let mut told = Vec::new();
    let first = kind.object(seeded, name, 7);
    let mut tell = |what: &str, body: &Value, is_done: bool| told.push(format!("{what} {is_done} {body}"));
    if seeded.one_in(3) {
        let made = server.create(kind, "kubectl-create", &first);
        tell("create by kubectl-create", &first, made);
    }
    let applied = server.apply(kind, name, OWN, &first);
    tell("apply by helm", &first, applied);
    for _ in 0..seeded.below(4) {
        let part = kind.object(seeded, name, 2);
        match seeded.below(5) {
            0 | 1 => {
                let done = server.update(kind, name, seeded.pick(&["kubectl-edit", "Mozilla", "k9s"]), &part);
                tell("update", &part, done);
            }
            2 => {
                let done = server.apply(kind, name, seeded.pick(&["terraform", "argocd-controller"]), &part);
                tell("apply", &part, done);
            }
            3 => {
                let again = kind.object(seeded, name, 6);
                let done = server.apply(kind, name, OWN, &again);
                tell("apply by helm", &again, done);
            }
            _ if kind.has_scale => {
                let replicas = seeded.below(4);
                let done = server.scale(kind, name, "kubectl", replicas);
                tell("scale", &replicas.into(), done);
            }
            _ => {}
        }
    }
    let desired = kind.object(seeded, name, 7);
    let live = server.get(kind, name)?;
    Some(Story { live, desired, told })
}

/// The server's own words for these conflicts (apimachinery's `getConflictMessage`).
fn in_the_servers_words(prediction: &Prediction) -> Option<String> {
    use helm_forensics::fields::go_quote;
    let manager = |owner: &helm_forensics::fields::Owner| {
        let mut text = go_quote(&owner.manager);
        if !owner.subresource.is_empty() {
            text += &format!(" with subresource {}", go_quote(&owner.subresource));
        }
        if format!("{:?}", owner.operation) == "Update" {
            text += &format!(" using {}", owner.api_version);
        }
        text
    };
    match prediction.conflicts.as_slice() {
        [] => None,
        [only] => Some(format!(
            "Apply failed with 1 conflict: conflict with {}: {}",
            manager(&only.owner),
            only.path
        )),
        many => {
            let mut lines = Vec::new();
            let mut before = None;
            for conflict in many {
                if before != Some(conflict.owner.index) {
                    lines.push(format!("conflicts with {}:", manager(&conflict.owner)));
                }
                before = Some(conflict.owner.index);
                lines.push(format!("- {}", conflict.path));
            }
            Some(format!("Apply failed with {} conflicts: {}", many.len(), lines.join("\n")))
        }
    }
}

/// What of the prediction the answer contradicts.
fn contradiction(prediction: &Prediction, verdict: &Verdict, live: &Value) -> Option<String> {
    match verdict {
        Verdict::Conflict(text) => {
            let foretold = in_the_servers_words(prediction);
            (foretold.as_deref() != Some(text)).then(|| format!("foretold {foretold:?}\nserver   {text:?}"))
        }
        Verdict::Applied(after) => {
            if let Some(text) = in_the_servers_words(prediction) {
                return Some(format!("foretold {text:?}\nserver   applied it"));
            }
            if let Some(invalid) = prediction.invalid.first() {
                return Some(format!("foretold {invalid}\nserver   applied it"));
            }
            let gone = server::gone(live, after);
            // What changes as a whole loses its old parts.
            let changed = prediction.changes.iter().map(|change| change.path.to_string());
            let resets = prediction.resets.iter().map(|reset| reset.path.to_string());
            let resets: Vec<String> = resets.chain(changed).collect();
            let unforeseen: Vec<&String> = gone
                .iter()
                .filter(|path| !server::depends(path))
                .filter(|path| !resets.iter().any(|reset| path.starts_with(reset.as_str())))
                .collect();
            let stayed: Vec<String> =
                prediction
                    .resets
                    .iter()
                    .filter(|reset| {
                        // A default may be the value itself.
                        reset.path.get(after).is_some_and(|value| {
                            *value == reset.live && reset.default.as_ref() != Some(value)
                        }) && reset.live.as_object().is_none_or(|fields| !fields.is_empty())
                            && reset.default.is_none()
                            && !server::is_defaulted(&reset.path.to_string())
                    })
                    .map(|reset| reset.path.to_string())
                    .collect();
            (!unforeseen.is_empty() || !stayed.is_empty()).then(|| {
                format!("gone without notice {unforeseen:?}\nforetold as gone, but there {stayed:?}")
            })
        }
        Verdict::Refused(text) => {
            let is_typed = text.contains("failed to create typed patch object");
            (is_typed == prediction.invalid.is_empty() && (is_typed || !prediction.invalid.is_empty()))
                .then(|| format!("foretold nothing\nserver   {text}"))
        }
    }
}

#[test]
fn predictions_equal_the_servers_answers() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("predict");
    let server = Server::new(plane.api(), &namespace);
    server.define(&serde_json::from_str(DEFINITION).expect("a definition"));
    let number =
        |name: &str, otherwise| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (cases, seed) = (number("PREDICT_CASES", CASES), number("PREDICT_SEED", 1));
    let definition: Value = serde_json::from_str(DEFINITION).expect("a definition");
    let custom = Schema::from_definition(&definition, "v1").expect("a schema");

    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    let mut wrong = Vec::new();
    let (mut case, mut judged) = (seed, 0);
    while judged < cases {
        case += 1;
        let mut seeded = Seeded::new(case);
        let kind = seeded.pick(KINDS);
        let name = format!("{}-{case}", kind.plural);
        let Some(story) = live_through(&mut seeded, &server, kind, &name) else {
            *counts.entry("never made").or_default() += 1;
            continue;
        };
        let schema = (kind.kind == "Widget").then_some(&custom);
        let verdict = server.dry_run(kind, &name, OWN, &story.desired);
        let prediction = predict(&Applied {
            desired: &story.desired,
            live: Some(&Live::of(&story.live)),
            previous: None,
            manager: OWN,
            method: Method::ServerSide,
            schema,
        });
        *counts.entry(verdict.name()).or_default() += 1;
        judged += u64::from(verdict.is_about_fields());
        if let Some(contradiction) = contradiction(&prediction, &verdict, &story.live) {
            wrong.push(format!(
                "case {case} {}:\n{contradiction}\n{}\ndesired {}\nmanaged {}",
                kind.kind,
                story.told.join("\n"),
                story.desired,
                story.live["metadata"]["managedFields"]
            ));
        }
    }
    eprintln!("{judged} judged from seed {seed}: {counts:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} of {judged} wrong\n\n{}", wrong.len(), wrong.join("\n\n"));
}
