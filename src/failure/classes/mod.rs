//! The catalogue's table: a class is one line here, its rules in the file of that name, and its page for
//! people in the `.md` file of that name. The order is the guide's: within one error the first class wins.

use super::model::Class;
use super::rule::Rule;

/// A class with its rules and its page.
pub(super) struct Entry {
    /// The guide's name for it.
    pub class: Class,
    /// What tells it in a text; none for a class that only objects tell.
    pub rules: &'static [Rule],
    /// Markdown, read by `catalogue`.
    pub page: &'static str,
}

/// `NAME FILE` registers a class with rules, `NAME FILE without text` one that only objects tell.
macro_rules! classes {
    ($($name:literal $file:ident $($without:ident text)?,)*) => {
        $(classes!(@module $file $($without)?);)*
        /// All classes.
        pub(super) const TABLE: &[Entry] = &[$(Entry {
            class: Class($name),
            rules: classes!(@rules $file $($without)?),
            page: include_str!(concat!(stringify!($file), ".md")),
        }),*];
    };
    (@module $file:ident without) => {};
    (@module $file:ident) => { mod $file; };
    (@rules $file:ident without) => { &[] };
    (@rules $file:ident) => { $file::RULES };
}

classes! {
    "ssa.conflict" ssa_conflict,
    "ssa.schema" ssa_schema,
    "ssa.options" ssa_options,
    "conflict.modified" conflict_modified,
    "immutable.field" immutable_field,
    "ownership" ownership,
    "storage" storage,
    "exists" exists,
    "api.missing" api_missing,
    "api.discovery" api_discovery,
    "api.unreachable" api_unreachable,
    "hook.failed" hook_failed,
    "wait.timeout" wait_timeout,
    "policy.denied" policy_denied,
    "webhook.denied" webhook_denied,
    "webhook.unreachable" webhook_unreachable,
    "rbac.escalation" rbac_escalation,
    "rbac.forbidden" rbac_forbidden,
    "quota" quota,
    "limitrange" limitrange,
    "podsecurity" podsecurity,
    "crd" crd,
    "too.large" too_large,
    "validation" validation,
    "chart.kubeversion" chart_kubeversion,
    "values.schema" values_schema,
    "values.missing" values_missing,
    "template" template,
    "yaml" yaml,
    "postrender" postrender,
    "namespace" namespace,
    "chart.fetch" chart_fetch,
    "kubeconfig.missing" kubeconfig_missing,
    "dependency" dependency,
    "pending" pending,
    "no_deployed" no_deployed,
    "release.missing" release_missing,
    "interrupted" interrupted,
    "deployer.denied" deployer_denied,
    "ownership.shared" ownership_shared,
    "deployer.down" deployer_down,
    "sync.window" sync_window,
    "sync.running" sync_running,
    "drift" drift,
    "rollout.deadline" rollout_deadline,
    "rollout.refused" rollout_refused,
    "rollout.progressing" rollout_progressing,
    "ssa.apply" ssa_apply without text,
    "rollback.nested" rollback_nested without text,
    "unknown" unknown without text,
    "drift.endless" drift_endless without text,
    "suspended" suspended without text,
    "sync.manual" sync_manual without text,
    "sync.prune" sync_prune without text,
    "sync.retrying" sync_retrying without text,
    "sync.queued" sync_queued without text,
    "landmine.conflict" landmine_conflict without text,
    "landmine.coowner" landmine_coowner without text,
    "landmine.overwrite" landmine_overwrite without text,
    "landmine.reset" landmine_reset without text,
}
