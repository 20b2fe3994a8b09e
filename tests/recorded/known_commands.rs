//! Every command for Flux and Argo CD that is printed or stands in the catalogue, held against a table of
//! what those programs know.

use serde_json::Value;

use crate::incident::Incident;

#[path = "../../src/deployer/known_commands.rs"]
mod table;

/// Recordings of everybody who is not Fleet, and what is asked of them; an audit adds nothing where no owner
/// is Flux's or Argo CD's.
const NEIGHBOURS: [(&str, &[&str]); 4] =
    [("flux-", &["why", "audit"]), ("argo-", &["why", "audit"]), ("k3s-", &["why"]), ("helm-", &["why"])];

fn is_held(command: &str) -> bool {
    ["flux ", "argocd "].iter().any(|program| command.starts_with(program))
}

#[test]
fn every_printed_command_exists() {
    let mut checked = 0;
    let mut unknown = Vec::new();
    let asked = NEIGHBOURS.iter().flat_map(|(prefix, questions)| {
        Incident::all(prefix).into_iter().map(move |incident| (incident, questions))
    });
    for (incident, questions) in asked {
        for question in *questions {
            let report = incident.report(&[question]);
            let findings = report["findings"].as_array().unwrap();
            let ways = findings.iter().flat_map(|it| it["waysOut"].as_array().unwrap());
            let commands = ways.flat_map(|way| way["commands"].as_array().unwrap()).filter_map(Value::as_str);
            let gaps = findings.iter().flat_map(|it| it["gaps"].as_array().unwrap());
            for command in
                commands.chain(gaps.filter_map(|gap| gap["fill"].as_str())).filter(|it| is_held(it))
            {
                unknown.extend(table::trouble(command).map(|why| format!("{}: {why}", incident.name)));
                checked += 1;
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(checked > 60, "{checked}");
}

#[test]
fn every_command_of_the_catalogue_exists() {
    let mut checked = 0;
    let mut unknown = Vec::new();
    for page in std::fs::read_dir("src/failure/classes").unwrap().map(|it| it.unwrap().path()) {
        if page.extension().is_none_or(|it| it != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&page).unwrap();
        for command in text.lines().filter_map(|line| line.strip_prefix("$ ")).filter(|it| is_held(it)) {
            unknown.extend(table::trouble(command).map(|why| format!("{}: {why}", page.display())));
            checked += 1;
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(checked > 10, "{checked}");
}
