//! Words for what the contract says in terms.

use super::{Confidence, Risk};

/// Class and the words for it that stand as a heading.
const CLASSES: [(&str, &str); 71] = [
    ("api.discovery", "an API of the cluster does not answer"),
    ("api.missing", "kind not known to the cluster"),
    ("api.unreachable", "API server not reached"),
    ("chart.fetch", "chart or source cannot be had"),
    ("chart.kubeversion", "chart forbids this Kubernetes version"),
    ("conflict.modified", "object changed meanwhile"),
    ("crd", "CRD cannot be changed like this"),
    ("dependency", "waits for another release"),
    ("deployer.denied", "refused by the deployer's own rules"),
    ("deployer.down", "controller or agent is silent"),
    ("drift", "changed by hand"),
    ("drift.endless", "never in sync"),
    ("exists", "object exists already"),
    ("hook.failed", "hook failed"),
    ("immutable.field", "field cannot be changed"),
    ("interrupted", "stopped before its end"),
    ("kubeconfig.missing", "kubeconfig Secret missing"),
    ("landmine.conflict", "changed by hand, will be refused"),
    ("landmine.coowner", "shared ownership left behind"),
    ("landmine.overwrite", "changed by hand, will be overwritten"),
    ("landmine.reset", "would fall back to a default"),
    ("limitrange", "outside the limit range"),
    ("namespace", "namespace missing or going away"),
    ("no_deployed", "no deployed release to upgrade"),
    ("ownership", "object belongs to another release"),
    ("ownership.shared", "two owners of one object"),
    ("pending", "operation left half done"),
    ("podsecurity", "refused by Pod Security"),
    ("policy.denied", "refused by an admission policy"),
    ("postrender", "post-renderer failed"),
    ("quota", "quota exceeded"),
    ("rbac.escalation", "may not grant these rights"),
    ("rbac.forbidden", "not permitted (RBAC)"),
    ("release.missing", "release not found"),
    ("rollback.nested", "rollback failed too"),
    ("rollout.config", "pod's configuration is missing"),
    ("rollout.crash", "container crashes"),
    ("rollout.deadline", "new pods not ready, deadline passed"),
    ("rollout.image", "image cannot be pulled"),
    ("rollout.init", "init container fails"),
    ("rollout.job", "job failed"),
    ("rollout.oom", "container runs out of memory"),
    ("rollout.paused", "rollout is paused"),
    ("rollout.probe", "probe fails"),
    ("rollout.progressing", "new pods not ready"),
    ("rollout.refused", "pods refused at creation"),
    ("rollout.scaled", "scaled to zero"),
    ("rollout.unschedulable", "pods cannot be scheduled"),
    ("rollout.volume", "volume cannot be mounted"),
    ("ssa.apply", "apply refused"),
    ("ssa.conflict", "field conflict"),
    ("ssa.options", "apply options contradict each other"),
    ("ssa.schema", "manifest does not fit the schema"),
    ("storage", "release record damaged or lost"),
    ("suspended", "paused"),
    ("sync.manual", "nothing syncs by itself"),
    ("sync.prune", "only a deletion is missing"),
    ("sync.queued", "newer commit waits in line"),
    ("sync.retrying", "still retrying"),
    ("sync.running", "waits for a hook or a wave"),
    ("sync.window", "held back by a schedule"),
    ("template", "template error"),
    ("too.large", "too large"),
    ("unknown", "cause not known"),
    ("validation", "invalid object"),
    ("values.missing", "values are missing"),
    ("values.schema", "values do not fit the chart's schema"),
    ("wait.timeout", "not ready in time"),
    ("webhook.denied", "refused by a webhook"),
    ("webhook.unreachable", "webhook does not answer"),
    ("yaml", "YAML error"),
];

/// The words for a class: `field conflict` for `ssa.conflict`. A class that has none here is said as
/// it is, so that nothing is hidden behind a missing line.
pub fn class_in_words(class: &str) -> String {
    CLASSES
        .iter()
        .find(|(name, _)| *name == class)
        .map_or_else(|| class.to_owned(), |(_, words)| (*words).into())
}

/// Who says what was wanted, by the owner's kind: a GitRepo's values stand in Git, a HelmRelease's in
/// a chart and its values.
const WANTS: [(&str, &str); 5] = [
    ("Application", "Git wants"),
    ("Bundle", "Git wants"),
    ("GitRepo", "Git wants"),
    ("HelmRelease", "chart wants"),
    ("HelmOp", "chart wants"),
];

/// `Git wants`, or `chart wants`.
pub(super) fn wants(owner_kind: Option<&str>) -> &'static str {
    WANTS.iter().find(|(kind, _)| Some(*kind) == owner_kind).map_or("chart wants", |(_, words)| words)
}

pub(super) fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Restarts => "restarts",
        Risk::Destructive => "destructive",
    }
}

pub(super) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Possible => "possible",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_without_words_is_said_as_it_is() {
        assert_eq!(class_in_words("ssa.conflict"), "field conflict");
        assert_eq!(class_in_words("new.class"), "new.class");
    }

    #[test]
    fn every_class_of_the_catalogue_has_words() {
        let without: Vec<&str> = crate::failure::catalogue()
            .iter()
            .map(|it| it.class.0)
            .filter(|it| class_in_words(it) == *it)
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }

    #[test]
    fn no_class_stands_twice() {
        let mut names: Vec<&str> = CLASSES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CLASSES.len());
    }
}
