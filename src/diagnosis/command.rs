//! kubectl commands for the cluster of a case.

use crate::evidence::Case;
use crate::object::ObjectRef;
use crate::redact;
use crate::shell;

/// `kubectl --context C -n NS …`, whole on one line. `None` where a name cannot be quoted, or a mask would be written
/// in the place of a value.
pub fn kubectl(case: &Case, namespace: &str, words: &[&str]) -> Option<String> {
    if words.iter().any(|word| redact::holds_mask(word)) {
        return None;
    }
    let mut line = vec!["kubectl"];
    if let Some(context) = case.context.as_deref() {
        line.extend(["--context", context]);
    }
    if !namespace.is_empty() {
        line.extend(["-n", namespace]);
    }
    line.extend(words);
    shell::command(line)
}

/// `deployment/shop-podinfo`, or `widgets.example.com/blue` with the group of a custom resource.
pub fn target(object: &ObjectRef) -> String {
    let kind = object.kind.to_lowercase();
    let builtin =
        ["", "apps", "batch", "autoscaling", "policy", "networking.k8s.io", "rbac.authorization.k8s.io"];
    if builtin.contains(&object.group()) {
        format!("{kind}/{}", object.name)
    } else {
        // kubectl takes KIND.VERSION.GROUP where the plural is not known.
        let version = object.api_version.rsplit('/').next().unwrap_or_default();
        format!("{kind}.{version}.{}/{}", object.group(), object.name)
    }
}
