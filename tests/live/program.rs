//! The program under test, run as a person runs it and believed by nothing but what it prints.

use serde_json::Value;

use crate::harness::chart::RELEASE;
use crate::harness::control_plane::ControlPlane;
use crate::harness::tools::{Outcome, Tools};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-helm_forensics");
/// What its User-Agent starts with.
pub const AGENT: &str = "kubectl-helm_forensics/";

/// The record that a command prints as JSON.
#[track_caller]
pub fn record(tools: &Tools, arguments: &[&str]) -> Value {
    parse(&tools.run(PROGRAM, &[arguments, &["--output=json"]].concat()).succeeded())
}

#[track_caller]
fn parse(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("no JSON, {error}: {outcome}"))
}

/// The findings that `why` prints about a target.
#[track_caller]
pub fn why(tools: &Tools, arguments: &[&str]) -> Findings {
    let words: Vec<&str> = [&["why", "--output=json"], arguments].concat();
    let outcome = tools.run(PROGRAM, &words).succeeded();
    let report = parse(&outcome);
    assert!(report["findings"].is_array(), "a report without findings: {outcome}");
    Findings { report, outcome }
}

/// What `why` says of the release of a namespace.
#[track_caller]
pub fn why_release(plane: &ControlPlane, namespace: &str) -> Findings {
    let (context, _) = plane.context();
    let target = format!("release/{namespace}/{RELEASE}");
    why(plane.tools(), &["--context", context, &target])
}

pub struct Findings {
    report: Value,
    outcome: Outcome,
}

impl Findings {
    /// Without those of older failed revisions, which plain Helm keeps on show after later ones.
    pub fn current(&self) -> Vec<&Value> {
        let all = self.report["findings"].as_array();
        all.into_iter().flatten().filter(|finding| finding["overtakenBy"].is_null()).collect()
    }

    /// The one current finding that there has to be.
    #[track_caller]
    pub fn only(&self) -> &Value {
        match self.current().as_slice() {
            [finding] => finding,
            others => panic!("{} findings instead of one: {}", others.len(), self.outcome),
        }
    }

    /// The commands of ways out that break nothing, in the order of the report, each way's together.
    #[track_caller]
    pub fn safe_ways(&self) -> Vec<Vec<String>> {
        let ways = self.only()["waysOut"].as_array().expect("ways out");
        ways.iter()
            .filter(|way| way["risk"] == "safe")
            .map(|way| {
                let commands = way["commands"].as_array().expect("commands");
                commands.iter().map(|it| it.as_str().expect("a command").to_owned()).collect::<Vec<_>>()
            })
            .filter(|commands| !commands.is_empty())
            .collect()
    }
}
