//! `predict` and `owners` end to end, held against conflicts that real servers answered.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::incident::Incident;

/// Recordings whose living objects are no longer as they were when the server answered, and why.
const CHANGED_SINCE: [(&str, &str); 6] = [
    ("-2-healed", "the way out was taken"),
    ("-3-next-change", "the way out was taken, and a later revision conflicts"),
    ("helm-ssa-fix-force", "forced: Helm is the sole owner"),
    ("helm-ssa-force-conflicts-after", "forced: Helm is the sole owner"),
    ("helm-ssa-service-port", "the port was changed once more"),
    ("flux-", "helm-controller forces; what was refused is a hook, or a person's own helm"),
];

/// `Kind name path manager` of the recorded conflicts, by release, revision and cluster.
fn recorded(incident: &Incident) -> BTreeMap<(String, i64, String), BTreeSet<String>> {
    let mut conflicts: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for finding in incident.case["findings"].as_array().into_iter().flatten() {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        if finding["class"] != "ssa.conflict" || text("field").is_empty() || text("release").is_empty() {
            continue;
        }
        let object = match &finding["object"] {
            Value::String(words) => words.replace('/', " ").split(' ').map(str::to_owned).collect::<Vec<_>>(),
            object => ["kind", "name"].map(|key| object[key].as_str().unwrap_or_default().to_owned()).into(),
        };
        let (Some(kind), Some(name)) = (object.first(), object.last()) else { continue };
        let key = (text("release"), finding["revision"].as_i64().unwrap_or_default(), text("cluster"));
        let conflict = format!("{kind} {name} {} {}", text("field"), text("manager"));
        conflicts.entry(key).or_default().insert(conflict);
    }
    conflicts
}

#[test]
fn a_failed_revision_is_foretold_as_the_server_answered_it() {
    let mut judged = 0;
    let mut wrong = Vec::new();
    for incident in Incident::all("") {
        if CHANGED_SINCE.iter().any(|(part, _)| incident.name.contains(part)) {
            continue;
        }
        for ((release, revision, cluster), expected) in recorded(&incident) {
            let release = format!("release/{release}");
            let revision = revision.to_string();
            let mut command = vec!["predict", &release, "--revision", &revision];
            if !cluster.is_empty() {
                command.extend(["--cluster-name", &cluster]);
            }
            let told = incident.report(&command);
            let mut conflicts = BTreeSet::new();
            for object in told["objects"].as_array().unwrap() {
                for conflict in object["conflicts"].as_array().unwrap() {
                    conflicts.insert(format!(
                        "{} {} {} {}",
                        object["object"]["kind"].as_str().unwrap(),
                        object["object"]["name"].as_str().unwrap(),
                        conflict["path"].as_str().unwrap(),
                        conflict["manager"].as_str().unwrap()
                    ));
                }
            }
            judged += 1;
            if conflicts != expected {
                wrong.push(format!("{} {release}: {conflicts:?} is not {expected:?}", incident.name));
            }
        }
    }
    assert!(judged >= 48, "only {judged} revisions");
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

fn shop() -> Incident {
    Incident::named("fleet-scale-conflict").unwrap()
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn with_stdin(incident: &Incident, arguments: &[&str], text: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(arguments)
        .arg("--from")
        .arg(&incident.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    program.wait_with_output().unwrap()
}

const DEPLOYMENT: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop-podinfo}\nspec: {replicas: 2}\n";

#[test]
fn a_rendered_chart_is_foretold_from_standard_input() {
    let command = ["predict", "-", "-n", "shop", "--cluster-name", "c-prod", "--manager", "fleetagent"];
    let told = out(&with_stdin(&shop(), &command, DEPLOYMENT));
    for line in [
        "Deployment shop/shop-podinfo\n  would be refused: somebody else holds it with another value\n    .spec.replicas\n",
        "      wanted 2, cluster has 4\n      held by Mozilla (Update, subresource scale), a person in a web browser\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let fits = out(&with_stdin(&shop(), &command, &DEPLOYMENT.replace("replicas: 2", "replicas: 4")));
    assert!(!fits.contains("would be refused") && fits.contains("is shared and equal today"), "{fits}");
    let forced = out(&with_stdin(&shop(), &[&command[..], &["--method", "forced"]].concat(), DEPLOYMENT));
    assert!(forced.contains("would be overwritten without a word"), "{forced}");
}

#[test]
fn what_cannot_be_foretold_is_refused_with_the_reason() {
    let shop = shop();
    let error = |output: Output| {
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (arguments, says) in [
        (
            &["predict", "release/shop/shop"][..],
            "is on 2 clusters (c-prod, c-stage); choose one with --cluster-name",
        ),
        (&["predict", "release/shop/nope"], "no stored revision of release nope was found"),
        (
            &["predict", "release/shop/shop", "--cluster-name", "c-prod", "--revision", "99"],
            "revision 99 is not stored; there are ",
        ),
        (&["predict", "nowhere.yaml", "--cluster-name", "c-prod"], "cannot read nowhere.yaml"),
    ] {
        let text = error(shop.run(arguments));
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    let text = error(with_stdin(&shop, &["predict", "-", "--cluster-name", "c-prod"], "a: 1\n"));
    assert!(text.contains("holds no Kubernetes object"), "{text}");
    let half = format!("{DEPLOYMENT}---\na: 1\n");
    let text = error(with_stdin(&shop, &["predict", "-", "--cluster-name", "c-prod"], &half));
    assert!(text.contains("document 2 of - has no kind"), "{text}");
}

#[test]
fn owners_tells_who_holds_every_conflicting_field() {
    let mut asked = 0;
    for incident in Incident::all("")
        .into_iter()
        .filter(|it| it.name.starts_with("helm-ssa-c") || it.name.starts_with("fleet-"))
    {
        for finding in incident.report(&["why"])["findings"].as_array().unwrap() {
            for conflict in finding["conflicts"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                if finding["class"] != "ssa.conflict" || conflict["live"].is_null() {
                    continue;
                }
                let object = &conflict["object"];
                let kind = match text(&object["apiVersion"]).split_once('/') {
                    Some((group, version)) if group.contains('.') => {
                        format!("{}.{version}.{group}", text(&object["kind"]))
                    }
                    _ => text(&object["kind"]).to_lowercase(),
                };
                let named = format!("{kind}/{}", text(&object["name"]));
                let (namespace, path) = (text(&object["namespace"]), text(&conflict["path"]));
                let cluster = text(&finding["cluster"]);
                let mut command = vec!["owners", &named, "-n", &namespace, "--field", &path];
                if !cluster.is_empty() {
                    command.extend(["--cluster-name", &cluster]);
                }
                let told = incident.report(&command);
                let field = told["fields"].as_array().unwrap().iter().find(|it| it["path"] == path.as_str());
                let owners = field.map(|it| it["owners"].as_array().unwrap().clone()).unwrap_or_default();
                asked += 1;
                assert!(
                    owners.iter().any(|it| it["manager"] == conflict["manager"]),
                    "{} {named} {path}: {owners:?}",
                    incident.name
                );
            }
        }
    }
    assert!(asked >= 10, "only {asked} fields");
}

#[test]
fn owners_lets_stand_out_what_the_release_sets_and_another_holds() {
    let told =
        out(&shop().run(&["owners", "deployment/shop-podinfo", "-n", "shop", "--cluster-name", "c-prod"]));
    assert!(told.contains("Mozilla") && told.contains("a person in a web browser"), "{told}");
    assert!(told.contains(".spec.replicas"), "{told}");
}

#[test]
fn hidden_managed_fields_are_told_with_the_command_that_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let object = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":4}}"#;
    std::fs::write(folder.path().join("deployment.json"), object).unwrap();
    let bare = Incident { name: "hidden".into(), folder: folder.path().to_owned(), case: Value::Null };
    let owners = bare.run(&["owners", "deployment/web", "-n", "shop"]);
    let says = String::from_utf8_lossy(&owners.stderr).into_owned();
    assert_eq!(owners.status.code(), Some(1));
    assert!(says.contains("--show-managed-fields"), "{says}");
    let predict =
        out(&with_stdin(&bare, &["predict", "-", "-n", "shop"], &DEPLOYMENT.replace("shop-podinfo", "web")));
    assert!(predict.contains("--show-managed-fields"), "{predict}");
}
