//! The lead-ins that programs put around a cause. The names are the corpus'.

use super::rule::{Rule, strong};

/// Name, needle, pattern. Named groups become entities. A name that begins with `~` is outside the corpus'
/// vocabulary: it is peeled and kept among the entities as `peeled`.
pub(super) const WRAPPERS: &[(&str, Rule)] = &[
    ("helm-cli", strong(" FAILED", r"(?:UPGRADE|INSTALLATION|ROLLBACK|UNINSTALL) FAILED(?:: | Error: |$)")),
    (
        "release-description",
        strong("failed: ", r#"(?:Upgrade|Release|Rollback) "(?P<release>[^"]*)" failed: "#),
    ),
    (
        "atomic",
        strong(
            " being set: ",
            r"release (?P<release>[^ ]+) failed, and has been (?:rolled back|uninstalled) due to (?:atomic|rollback-on-failure|a tomic) being set: ",
        ),
    ),
    (
        "rollback-failed",
        strong(
            "while rolling back",
            r"an error occurred while rolling back the release\. original (?:upgrade|install) error: ",
        ),
    ),
    (
        "uninstall-failed",
        strong(
            "while uninstalling",
            r"an error occurred while uninstalling the release\. original (?:upgrade|install) error: ",
        ),
    ),
    (
        "cleanup-failed",
        strong(
            "while cleaning up",
            r"an error occurred while cleaning up resources\. original (?:upgrade|install) error: ",
        ),
    ),
    (
        "history-failed",
        strong(
            "while finding last",
            r"an error occurred while finding last successful release\. original (?:upgrade|install) error: ",
        ),
    ),
    (
        "no-previous-release",
        strong(
            "unable to find a previously",
            r"unable to find a previously successful release when attempting to rollback\. original (?:upgrade|install) error: ",
        ),
    ),
    (
        "hooks",
        strong(
            " hooks failed: ",
            r"(?P<hook.phase>(?:pre|post)-(?:install|upgrade|rollback|delete)) hooks failed: ",
        ),
    ),
    (
        "hooks",
        strong("failed p", r"failed (?P<hook.phase>(?:pre|post)-(?:install|upgrade|rollback|delete)): "),
    ),
    (
        "hook-warning",
        strong("arning: Hook ", r"[Ww]arning: Hook (?P<hook.phase>[a-z-]+) (?P<hook.path>[^ ]+) failed: "),
    ),
    ("create-resource", strong("failed to create resource: ", "failed to create resource: ")),
    (
        "replace-object",
        strong("failed to replace object", r#"failed to replace object(?: "[^"]*" with kind [^ :]+)?: "#),
    ),
    ("cannot-patch", strong("annot patch", r#"cannot patch "(?:[^"]*)" with kind [^ :]+"#)),
    ("ssa-apply", strong("server-side apply failed", "server-side apply failed for object ")),
    ("crd-install", strong("failed to install CRD", r"failed to install CRD (?P<crd>[^ ]+): ")),
    ("multierror", strong(" occurred:", r"[0-9]+ errors? occurred: ")),
    ("fleet-deploy", strong("failed deploying bundle", "failed deploying bundle: ")),
    ("fleet-not-installed", strong("not installed: ", "not installed: ")),
    ("fleet-not-ready", strong("not ready: ", r"(?:^|[\[:;] )not ready: ")),
    (
        "flux-release",
        strong(
            " failed for release ",
            r"Helm (?:install|upgrade|rollback|uninstall|test) failed for release (?P<namespace>[a-z0-9.-]+)/(?P<release>[a-z0-9.-]+) with chart (?P<chart>[^ ]+): ",
        ),
    ),
    ("flux-short", strong("Helm ", r"Helm (?:install|upgrade|rollback|uninstall|test) failed: ")),
    (
        "flux-reconcile",
        strong("econciliation failed", r"(?:HelmRelease |install |upgrade )?reconciliation failed: "),
    ),
    ("~flux-state", strong("Could not determine release state", "Could not determine release state: ")),
    ("argo-apply", strong("objects failed to apply", "one or more objects failed to apply(?:, reason: )?")),
    (
        "argo-apply",
        strong(
            "one or more synchronization tasks",
            r"one or more synchronization tasks (?:completed unsuccessfully|are not valid)(?:, reason: |: )?",
        ),
    ),
    ("argo-sync", strong("ailed ", r"Failed (?:last )?sync attempt to [^ ]+: ")),
    (
        "~argo-target",
        strong(
            "Failed to load target state",
            r"Failed to load target state: (?:failed to generate manifest for source [0-9]+ of [0-9]+: )?(?:rpc error: code = [A-Za-z]+ desc = )?(?:Manifest generation error \(cached\): )?",
        ),
    ),
    (
        "~argo-compare",
        strong("Failed to compare desired state", "Failed to compare desired state to live state: "),
    ),
    (
        "~kubectl",
        strong(
            "error when ",
            r#"error when (?:patching|creating|applying patch|replacing|deleting) "[^"]*": "#,
        ),
    ),
];
