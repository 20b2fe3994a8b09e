//! What `failurePolicy` will do, or has done, and how to stop it.

use super::attempt::{Attempt, Outcome};
use crate::deployer::quote::quote;
use crate::report::{Evidence, Risk, WayOut};

/// What the policy means for a release in this state.
pub fn evidence(attempt: &Attempt, outcome: Outcome) -> Vec<Evidence> {
    let source = attempt.job.as_ref().map_or_else(
        || attempt.chart.as_object().to_string(),
        |job| format!("{}, FAILURE_POLICY", job.as_object()),
    );
    let says = match (outcome, attempt.policy()) {
        (Outcome::Failed, "abort") => {
            "abort: nothing is tried while the newest revision is failed, not a fixed spec or forceConflicts \
             either"
        }
        (Outcome::Failed, "retry") => {
            "retry: upgraded again at once and without end, the Job reads Complete each time"
        }
        (Outcome::Failed, _) if attempt.was_reinstalled() => {
            "reinstall: every try uninstalls and installs, the good objects are deleted and made anew each time"
        }
        (Outcome::Failed, _) => {
            "reinstall: about 15 seconds after the failure the release is uninstalled and installed anew, its \
             pods are replaced and the history begins again at revision 1"
        }
        (Outcome::Landed, _) if attempt.was_reinstalled() => {
            "reinstall has acted: the release was uninstalled and installed anew after a failure, whose text \
             and history are gone"
        }
        _ => return Vec::new(),
    };
    let mut evidence = vec![Evidence { source, says: says.into() }];
    if attempt.was_reinstalled()
        && let Some(expected) = attempt.expected_revision()
    {
        evidence.push(Evidence {
            source: "EXPECTED_RELEASE_REVISION of the Job".into(),
            says: format!("revision {expected} was expected, the newest is 1"),
        });
    }
    if let Some(config) = &attempt.config
        && attempt.chart.spec.failure_policy != config.spec.failure_policy
    {
        evidence.push(Evidence {
            source: format!("{}, spec.failurePolicy", config.as_object()),
            says: format!(
                "{} here wins over {} of the HelmChart; it is the default that the API server writes where \
                 nobody names one",
                config.spec.failure_policy, attempt.chart.spec.failure_policy
            ),
        });
    }
    evidence
}

/// Stops `reinstall` before it deletes what still runs.
pub fn first_aid(attempt: &Attempt, outcome: Outcome) -> Vec<WayOut> {
    let is_ahead = outcome == Outcome::Failed && !["abort", "retry"].contains(&attempt.policy());
    if !is_ahead {
        return Vec::new();
    }
    let (namespace, name) = (quote(&attempt.chart.metadata.namespace), quote(&attempt.chart.metadata.name));
    let patch = |resource: &str| {
        format!(
            "kubectl -n {namespace} patch {resource}.helm.cattle.io {name} --type=merge -p \
             '{{\"spec\":{{\"failurePolicy\":\"abort\"}}}}'"
        )
    };
    let mut commands = vec![patch("helmcharts")];
    commands.extend(attempt.config.as_ref().map(|_| patch("helmchartconfigs")));
    vec![WayOut {
        title: "first of all stop the reinstall: it deletes the release with everything that still runs"
            .into(),
        risk: Risk::Safe,
        who: "on call".into(),
        commands,
        then: "failed stays failed and nothing is deleted; a HelmChart that somebody manages in files \
               (server/manifests) has to be changed there as well"
            .into(),
    }]
}

/// What makes the controller go on after the cause is gone.
pub fn go_on(attempt: &Attempt, outcome: Outcome) -> Vec<WayOut> {
    let release = attempt.release();
    let Some(deployed) = attempt.deployed().filter(|_| outcome == Outcome::Failed) else { return Vec::new() };
    vec![WayOut {
        title: format!(
            "after the cause is gone, roll back to revision {} so that a new try may begin",
            deployed.number
        ),
        risk: Risk::Restarts,
        who: "on call".into(),
        commands: vec![format!(
            "helm rollback {} {} -n {}",
            quote(&release.name),
            deployed.number,
            quote(&release.namespace)
        )],
        then: "the newest revision is deployed again, and the controller's next Job upgrades by itself"
            .into(),
    }]
}
