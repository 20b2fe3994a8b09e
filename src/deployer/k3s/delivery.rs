//! A HelmChart as a delivery.

use serde_json::Value;

use super::attempt::{Attempt, Outcome};
use super::{policy, sign};
use crate::deployer::{Delivery, Hints, Standing, Statement};
use crate::source::ClusterWanted;

/// What one HelmChart delivers.
pub fn delivery(attempt: &Attempt, hub: &str) -> Delivery {
    let outcome = attempt.outcome();
    let signs = sign::signs(attempt, outcome);
    let standing = match outcome {
        Outcome::Landed if signs.is_empty() => Standing::Landed,
        Outcome::Landed | Outcome::Unmanaged | Outcome::NotTried => Standing::LooksReady,
        _ => Standing::Stuck,
    };
    let object = attempt.chart.as_object();
    let config = attempt.config.as_ref().map(super::helm_chart::HelmChartConfig::as_object);
    let words = attempt.chart.chart_in_words();
    Delivery {
        deployer: "k3s",
        manager: "helm",
        owner: Some(object.clone()),
        chain: [object.clone()].into_iter().chain(config).collect(),
        cluster: Some(ClusterWanted { id: hub.to_owned(), is_hub: true, ..ClusterWanted::default() }),
        state: Value::Null,
        standing,
        release: Some(attempt.release()),
        wanted: (!words.is_empty()).then(|| format!("chart {words}")),
        wanted_since: attempt.chart.metadata.last_written(&["k3s", "rke2", "helm-controller", "deploy"]),
        statements: attempt
            .chart
            .condition("Failed")
            .filter(|failed| failed.is_true())
            .map(|failed| Statement {
                text: failed.message.clone(),
                source: format!("{object}, condition Failed"),
                is_current: false,
            })
            .into_iter()
            .collect(),
        signs,
        heals_itself: false,
        paused: outcome == Outcome::Unmanaged,
        evidence: policy::evidence(attempt, outcome),
        gaps: Vec::new(),
        objects: Vec::new(),
        first_aid: policy::first_aid(attempt, outcome),
        ways_out: policy::go_on(attempt, outcome),
        hints: Hints::default(),
    }
}
