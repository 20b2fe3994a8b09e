//! What we foretell of a client-side apply against what Helm 3 then does, over seeded random charts and writers.

use std::collections::BTreeMap;

use helm_forensics::fields::{Applied, Live, Method, Path, Prediction, as_helm_applies, predict, same};
use serde_json::Value;

use super::objects::KINDS;
use super::seeded::Seeded;
use super::server::{self, Server};
use crate::harness::chart::Chart;
use crate::harness::planes;

/// Each takes an install and an upgrade by a real Helm.
const CASES: u64 = 30;
const SEED: u64 = 7_000;

fn is_part_of(part: &Value, whole: &Value) -> bool {
    let (Some(part), Some(whole)) = (part.as_object(), whole.as_object()) else { return false };
    part.iter().all(|(key, value)| whole.get(key) == Some(value))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// What of the prediction Helm's upgrade contradicts.
fn contradictions(prediction: &Prediction, live: &Value, after: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let overwrites = prediction.overwrites.iter().map(|it| (&it.path, &it.wanted));
    let set: Vec<(&Path, &Value)> =
        overwrites.chain(prediction.changes.iter().map(|it| (&it.path, &it.wanted))).collect();
    for (path, wanted) in &set {
        // The server drops what its type does not have (`kind` of a ServiceAccount's secret).
        let is_there = path.get(after).is_some_and(|it| same(it, wanted) || is_part_of(it, wanted));
        // What is empty is not stored; quantities are stored in their shortest form.
        let is_rewritten = is_empty(wanted) || path.get(after).is_some_and(Value::is_string);
        if !is_there && !is_rewritten {
            wrong.push(format!("foretold {path} = {wanted}, it is {:?}", path.get(after)));
        }
    }
    let touched: Vec<String> = set.iter().map(|(path, _)| path.to_string()).collect();
    let resets: Vec<String> = prediction.resets.iter().map(|it| it.path.to_string()).collect();
    for path in server::gone(live, &serde_json::json!({})) {
        let Ok(parsed) = Path::resolve(&path, [], Some(live)) else { continue };
        let (before, now) = (parsed.get(live), parsed.get(after));
        let is_same = match (before, now) {
            (Some(before), Some(now)) => same(before, now),
            (before, now) => before.is_none() == now.is_none(),
        };
        let is_foretold = touched
            .iter()
            .chain(&resets)
            .any(|foretold| path.starts_with(foretold.as_str()) || foretold.starts_with(path.as_str()));
        if !is_same && !is_foretold && !server::depends(&path) {
            wrong.push(format!("{path} changed without notice from {before:?} to {now:?}"));
        }
    }
    for reset in &prediction.resets {
        let stays = reset.path.get(after).is_some_and(|it| same(it, &reset.live));
        if stays
            && !is_empty(&reset.live)
            && reset.default.is_none()
            && !server::is_defaulted(&reset.path.to_string())
        {
            wrong.push(format!("foretold {} as gone, it is there", reset.path));
        }
    }
    wrong
}

#[test]
fn client_side_predictions_equal_what_helm_3_does() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("predict-csa");
    let server = Server::new(plane.api(), &namespace);
    let mut counts = BTreeMap::<&str, u64>::new();
    let mut wrong = Vec::new();
    let (mut case, mut judged) = (SEED, 0);
    while judged < CASES {
        case += 1;
        let mut seeded = Seeded::new(case);
        let kind = seeded.pick(KINDS);
        // Custom resources are patched another way; the definition is another test's.
        if kind.kind == "Widget" {
            continue;
        }
        let release = format!("csa-{case}");
        let (first, next) = (kind.object(&mut seeded, &release, 7), kind.object(&mut seeded, &release, 7));
        let chart = |object: &Value| {
            Chart::new("1.0.0").file("templates/objects.yaml", &object.to_string()).write(plane)
        };
        let helm = |verb: &str, object: &Value| {
            plane.tools().helm3(&[verb, &release, &chart(object), "--namespace", &namespace])
        };
        if helm("install", &first).code != Some(0) {
            *counts.entry("refused at first").or_default() += 1;
            continue;
        }
        for _ in 0..seeded.below(4) {
            let part = kind.object(&mut seeded, &release, 2);
            match seeded.below(4) {
                0 => _ = server.apply(kind, &release, "terraform", &part),
                1 if kind.has_scale => _ = server.scale(kind, &release, "kubectl", seeded.below(4)),
                _ => _ = server.update(kind, &release, seeded.pick(&["kubectl-edit", "Mozilla"]), &part),
            }
        }
        let live = server.get(kind, &release).expect("the installed object");
        if helm("upgrade", &next).code != Some(0) {
            *counts.entry("refused").or_default() += 1;
            continue;
        }
        let after = server.get(kind, &release).expect("the upgraded object");
        let sent = |object: &Value| as_helm_applies(object, &release, &namespace, true);
        let prediction = predict(&Applied {
            desired: &sent(&next),
            live: Some(&Live::of(&live)),
            previous: Some(&sent(&first)),
            manager: "helm",
            method: Method::ClientSide,
            schema: None,
        });
        judged += 1;
        *counts.entry("overwrites").or_default() += prediction.overwrites.len() as u64;
        *counts.entry("resets").or_default() += prediction.resets.len() as u64;
        let contradictions = contradictions(&prediction, &live, &after);
        if !contradictions.is_empty() {
            wrong.push(format!(
                "case {case} {}:\n{}\nfirst {first}\nnext {next}\nlive {live}",
                kind.kind,
                contradictions.join("\n")
            ));
        }
    }
    eprintln!("{judged} upgrades by Helm 3 from seed {SEED}: {counts:?}, {} wrong", wrong.len());
    assert!(counts.get("overwrites").is_some_and(|many| *many > 20), "too few overwrites: {counts:?}");
    assert!(wrong.is_empty(), "{} of {judged} wrong\n\n{}", wrong.len(), wrong.join("\n\n"));
}
