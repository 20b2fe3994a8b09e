//! Defaults that the API server fills in where nobody sets a field any more.

use serde_json::Value;

use super::super::path::Path;

/// Kinds (empty: any), end of the path, default as JSON. From Kubernetes 1.37's defaulting; those alone that
/// charts set and leave out again.
const DEFAULTS: &[(&[&str], &str, &str)] = &[
    (&["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"], ".spec.replicas", "1"),
    (&["Deployment"], ".spec.revisionHistoryLimit", "10"),
    (&["Deployment"], ".spec.progressDeadlineSeconds", "600"),
    (&["Deployment"], ".spec.strategy.type", "\"RollingUpdate\""),
    (&["Deployment"], ".spec.strategy.rollingUpdate.maxSurge", "\"25%\""),
    (&["Deployment"], ".spec.strategy.rollingUpdate.maxUnavailable", "\"25%\""),
    (&["StatefulSet"], ".spec.podManagementPolicy", "\"OrderedReady\""),
    (&["StatefulSet", "DaemonSet"], ".spec.updateStrategy.type", "\"RollingUpdate\""),
    (&["StatefulSet", "DaemonSet"], ".spec.revisionHistoryLimit", "10"),
    (&["DaemonSet"], ".spec.updateStrategy.rollingUpdate.maxUnavailable", "1"),
    (&["Service"], ".spec.type", "\"ClusterIP\""),
    (&["Service"], ".spec.sessionAffinity", "\"None\""),
    (&["Service"], ".spec.internalTrafficPolicy", "\"Cluster\""),
    (&["Service"], ".spec.externalTrafficPolicy", "\"Cluster\""),
    (&["HorizontalPodAutoscaler"], ".spec.minReplicas", "1"),
    (&["Job"], ".spec.backoffLimit", "6"),
    (&["Job"], ".spec.completions", "1"),
    (&["Job"], ".spec.parallelism", "1"),
    (&["CronJob"], ".spec.concurrencyPolicy", "\"Allow\""),
    (&["CronJob"], ".spec.suspend", "false"),
    (&["CronJob"], ".spec.successfulJobsHistoryLimit", "3"),
    (&["CronJob"], ".spec.failedJobsHistoryLimit", "1"),
    (&["Secret"], ".type", "\"Opaque\""),
    (&["PersistentVolumeClaim"], ".spec.volumeMode", "\"Filesystem\""),
    (&["Deployment", "DaemonSet", "StatefulSet", "CronJob", "Pod"], ".restartPolicy", "\"Always\""),
    (&[], ".terminationGracePeriodSeconds", "30"),
    (&[], ".dnsPolicy", "\"ClusterFirst\""),
    (&[], ".terminationMessagePath", "\"/dev/termination-log\""),
    (&[], ".terminationMessagePolicy", "\"File\""),
    (&[], "Probe.failureThreshold", "3"),
    (&[], "Probe.periodSeconds", "10"),
    (&[], "Probe.successThreshold", "1"),
    (&[], "Probe.timeoutSeconds", "1"),
];

/// The default of this field, where the table knows one.
pub(super) fn default_of(kind: &str, path: &Path) -> Option<Value> {
    let path = path.to_string();
    let (.., default) = DEFAULTS.iter().find(|(kinds, end, _)| {
        let is_whole = end.starts_with(".spec") || *end == ".type";
        (kinds.is_empty() || kinds.contains(&kind))
            && if is_whole { path == *end } else { path.ends_with(end) }
    })?;
    serde_json::from_str(default).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_json_and_known_by_its_place() {
        for (.., default) in DEFAULTS {
            assert!(serde_json::from_str::<Value>(default).is_ok(), "{default}");
        }
        let default = |kind: &str, path: &str| default_of(kind, &Path::parse(path).unwrap());
        assert_eq!(default("Deployment", ".spec.replicas"), Some(1.into()));
        assert_eq!(default("Deployment", ".spec.template.spec.dnsPolicy"), Some("ClusterFirst".into()));
        let probe = ".spec.template.spec.containers[name=\"a\"].livenessProbe.timeoutSeconds";
        assert_eq!(default("DaemonSet", probe), Some(1.into()));
        assert_eq!(default("ConfigMap", ".data.replicas"), None);
    }
}
