//! The class of what became of a HelmChart, where no text of the release tells it.

use super::attempt::{Attempt, Outcome};
use super::{job, values};
use crate::deployer::quote::quote;
use crate::deployer::{Sign, read};
use crate::report::{Confidence, Evidence, Gap, Risk, WayOut};

/// Reasons of a waiting container that mean that an image cannot be had.
const IMAGE: [&str; 5] =
    ["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable"];

/// Every sign of a HelmChart, the strongest first.
pub fn signs(attempt: &Attempt, outcome: Outcome) -> Vec<Sign> {
    let mut signs: Vec<Sign> = match outcome {
        Outcome::Unmanaged => vec![unmanaged(attempt)],
        Outcome::Deleting => vec![deleting(attempt)],
        Outcome::Refused => vec![refused(attempt)],
        Outcome::NoJob => vec![no_job(attempt)],
        Outcome::Pending => vec![pending(attempt)],
        Outcome::JobHeld => vec![held(attempt)],
        Outcome::NoRevision => vec![no_revision(attempt)],
        Outcome::NotTried => vec![not_tried(attempt)],
        Outcome::Begun => vec![begun(attempt)],
        Outcome::Landed | Outcome::Failed => Vec::new(),
    };
    signs.extend(attempt.rollouts.iter().cloned().map(read::rollout_sign));
    signs
}

fn seen(source: impl ToString, says: impl Into<String>) -> Evidence {
    Evidence { source: source.to_string(), says: says.into() }
}

fn unmanaged(attempt: &Attempt) -> Sign {
    let object = attempt.chart.as_object();
    let (namespace, name) = (quote(&object.namespace).into_owned(), quote(&object.name).into_owned());
    Sign {
        ways_out: vec![WayOut {
            title: "let the controller manage it again".into(),
            risk: Risk::Restarts,
            who: "whoever set the annotation".into(),
            commands: vec![format!(
                "kubectl -n {namespace} annotate helmcharts.helm.cattle.io {name} \
                 helmcharts.helm.cattle.io/unmanaged-"
            )],
            then: "a new Job installs what the HelmChart wants now".into(),
        }],
        ..Sign::new(
            "suspended",
            Confidence::Certain,
            "unmanaged: the controller leaves it alone, and its status stays as it was".into(),
            vec![seen(format!("{object}, annotation helmcharts.helm.cattle.io/unmanaged"), "present")],
        )
    }
}

fn deleting(attempt: &Attempt) -> Sign {
    let object = attempt.chart.as_object();
    let since = attempt.chart.metadata.deletion_timestamp.map_or(String::new(), |at| at.to_string());
    let job = attempt.delete_job.as_ref().map_or("no Job does it", |job| {
        if job.status.active > 0 { "its Job is at work" } else { "its Job has ended" }
    });
    Sign::new(
        "pending",
        Confidence::Likely,
        format!(
            "being deleted since {since}, {job}; after 5 minutes Helm gives up waiting and everything reads done"
        ),
        vec![seen(format!("{object}, metadata.deletionTimestamp"), since)],
    )
}

fn refused(attempt: &Attempt) -> Sign {
    let object = attempt.chart.as_object();
    let failed = attempt.chart.condition("Failed");
    let (reason, message) =
        failed.map_or(("", ""), |failed| (failed.reason.as_str(), failed.message.as_str()));
    Sign::new(
        "deployer.denied",
        Confidence::Certain,
        format!("the controller refuses it: {message}"),
        vec![seen(format!("{object}, condition Failed"), format!("{reason}: {message}"))],
    )
}

fn no_job(attempt: &Attempt) -> Sign {
    let object = attempt.chart.as_object();
    let (namespace, name) = (quote(&object.namespace), quote(&object.name));
    Sign {
        gaps: vec![Gap {
            missing: "what the controller says".into(),
            why: "it runs inside the k3s or RKE2 server process".into(),
            fill: Some(format!(
                "kubectl -n {namespace} get events --field-selector involvedObject.name={name}"
            )),
        }],
        ..Sign::new(
            "deployer.down",
            Confidence::Likely,
            "the controller has made no Job for it".into(),
            vec![seen(object, "no Job helm-install-NAME of it exists")],
        )
    }
}

fn pending(attempt: &Attempt) -> Sign {
    let newest = attempt.newest();
    let (number, status) = newest.map_or((0, ""), |newest| (newest.number, newest.status.as_str()));
    let is_running = attempt.pods.iter().any(job::is_running);
    let killed = attempt.pods.iter().find_map(job::last_exit);
    let summary = match (is_running, killed) {
        (true, _) => format!("revision {number} is {status} and a pod of the Job works on it"),
        (false, Some(code)) => format!(
            "revision {number} is {status} and nothing works on it: the last run ended with exit code {code}; \
             the next one turns it into a failed revision without a cause"
        ),
        (false, None) => format!("revision {number} is {status} and no container of the Job runs"),
    };
    let evidence = attempt
        .pods
        .iter()
        .map(|pod| {
            let says = if job::is_running(pod) { "running".to_owned() } else { format!("{killed:?}") };
            seen(format!("Pod {}/{}", pod.metadata.namespace, pod.metadata.name), says)
        })
        .collect();
    let confidence = if is_running { Confidence::Likely } else { Confidence::Certain };
    Sign { gaps: log_gap(attempt), ..Sign::new("pending", confidence, summary, evidence) }
}

/// The Job's own pod does not start: image, scheduling or a Secret with values.
fn held(attempt: &Attempt) -> Sign {
    if let Some(secret) = &attempt.missing_secret {
        let namespace = &attempt.chart.metadata.namespace;
        return Sign::new(
            "values.missing",
            Confidence::Certain,
            format!("Secret {namespace}/{secret} does not exist; the Job's pod waits for it"),
            vec![seen(format!("Secret {namespace}/{secret}"), "not found")],
        );
    }
    let pod = attempt.pods.first();
    let trouble = pod.and_then(|pod| pod.trouble(&[]));
    let (reason, message) = trouble
        .map_or_else(|| ("Pending".to_owned(), String::new()), |trouble| (trouble.reason, trouble.message));
    let name = pod.map_or("", |pod| pod.metadata.name.as_str());
    let what = if IMAGE.contains(&reason.as_str()) { "its image cannot be had" } else { "it does not start" };
    let source = format!("Pod {}/{name}", attempt.chart.metadata.namespace);
    Sign::new(
        "deployer.down",
        Confidence::Likely,
        format!("the Job that runs Helm cannot work, {what}: {reason}"),
        vec![seen(source, format!("{reason} {message}").trim_end())],
    )
}

/// Helm ran and wrote no revision: its text is in the pod's log and nowhere else. What the objects allow
/// to tell is told.
fn no_revision(attempt: &Attempt) -> Sign {
    let release = attempt.release();
    let creates = attempt.job.as_ref().is_some_and(super::job::Job::creates_namespace);
    let pod = attempt.pods.first();
    let words = pod.and_then(job::last_words).unwrap_or_default();
    let mut evidence = vec![seen(
        format!("Pod {}/{}", attempt.chart.metadata.namespace, pod.map_or("", |pod| &pod.metadata.name)),
        format!(
            "exit code {}, termination message: {words}",
            pod.and_then(job::last_exit).unwrap_or_default()
        ),
    )];
    let spec = &attempt.chart.spec;
    let (class, confidence, summary) = if attempt.has_namespace == Some(false) && !creates {
        (
            "namespace",
            Confidence::Likely,
            format!("namespace {} does not exist, and createNamespace is off", release.namespace),
        )
    } else if let Some((object, error)) = values::broken_yaml(attempt) {
        evidence.push(seen(&object, &*error));
        ("yaml", Confidence::Likely, format!("{object}: {error}"))
    } else if let Some(error) = values::against_schema(attempt) {
        evidence.push(seen("values.schema.json of the chart", &*error));
        ("values.schema", Confidence::Likely, format!("the values do not meet the chart's schema: {error}"))
    } else if spec.chart_content.is_empty() {
        let chart = attempt.chart.chart_in_words();
        let from = if spec.repo.is_empty() { String::new() } else { format!(" from {}", spec.repo) };
        (
            "chart.fetch",
            Confidence::Possible,
            format!(
                "Helm ends without writing a revision: chart {chart}{from} may not be had, or not be rendered"
            ),
        )
    } else {
        (
            "template",
            Confidence::Possible,
            "Helm ends without writing a revision: template, values, API versions or ownership".to_owned(),
        )
    };
    Sign { gaps: log_gap(attempt), ..Sign::new(class, confidence, summary, evidence) }
}

/// The Job reads Complete and did nothing.
fn not_tried(attempt: &Attempt) -> Sign {
    let expected = attempt.expected_revision().unwrap_or_default();
    let newest = attempt.newest().map_or(0, |newest| newest.number);
    let words = attempt.pods.iter().find_map(job::last_words).unwrap_or_default();
    Sign::new(
        "unknown",
        Confidence::Likely,
        format!(
            "the present spec was never tried: the Job expected revision {expected}, found {newest} and ended \
             with 0; without targetNamespace a release of the same name in another namespace decides that"
        ),
        vec![seen(
            attempt.job.as_ref().map_or_else(String::new, |job| job.as_object().to_string()),
            format!("Complete, termination message: {words}"),
        )],
    )
}

fn begun(attempt: &Attempt) -> Sign {
    let source = attempt.job.as_ref().map_or_else(String::new, |job| job.as_object().to_string());
    Sign {
        gaps: log_gap(attempt),
        ..Sign::new(
            "sync.running",
            Confidence::Possible,
            "the Job that runs Helm has begun and not ended".into(),
            vec![seen(source, "active")],
        )
    }
}

/// The command that shows what no object has.
fn log_gap(attempt: &Attempt) -> Vec<Gap> {
    let namespace = quote(&attempt.chart.metadata.namespace);
    let name = attempt.job.as_ref().map(|job| quote(&job.metadata.name));
    name.map(|name| Gap {
        missing: "what Helm printed".into(),
        why: "only the log of the Job's pod has it; it goes with the pod".into(),
        fill: Some(format!("kubectl -n {namespace} logs job/{name} --all-containers --tail=100")),
    })
    .into_iter()
    .collect()
}
