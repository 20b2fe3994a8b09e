//! URL paths of the Kubernetes API. Names come from clusters, so every part is escaped.

use std::fmt::Write as _;

use crate::source::{Query, Resource};

/// `/api/v1/namespaces/shop/secrets`, or of all namespaces where `namespace` is empty.
pub(super) fn collection(resource: &Resource, namespace: &str) -> String {
    let mut path = group_version(&resource.api_version());
    if resource.namespaced && !namespace.is_empty() {
        path.push_str("/namespaces/");
        push_escaped(&mut path, namespace);
    }
    path.push('/');
    push_escaped(&mut path, &resource.plural);
    path
}

/// `/api/v1/namespaces/shop/secrets/sh.helm.release.v1.shop.v2`.
pub(super) fn object(resource: &Resource, namespace: &str, name: &str) -> String {
    let mut path = collection(resource, namespace);
    path.push('/');
    push_escaped(&mut path, name);
    path
}

/// `/apis/apps/v1`; `/api/v1` for the core group.
pub(super) fn group_version(api_version: &str) -> String {
    let mut path = String::from(if api_version.contains('/') { "/apis" } else { "/api" });
    for part in api_version.split('/') {
        path.push('/');
        push_escaped(&mut path, part);
    }
    path
}

/// Rancher's way to the API server of one of its clusters: `/k8s/clusters/c-kqgtk`.
pub(super) fn rancher_proxy(cluster_id: &str) -> String {
    let mut path = String::from("/k8s/clusters/");
    push_escaped(&mut path, cluster_id);
    path
}

/// One page of a listing: `?limit=500&labelSelector=owner%3Dhelm`.
pub(super) fn page(query: &Query, limit: usize, continue_token: Option<&str>) -> String {
    let mut text = format!("?limit={limit}");
    let parts = [
        ("labelSelector", query.labels.as_str()),
        ("fieldSelector", query.fields.as_str()),
        ("continue", continue_token.unwrap_or_default()),
    ];
    for (key, value) in parts.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push('&');
        text.push_str(key);
        text.push('=');
        push_escaped(&mut text, value);
    }
    text
}

/// Percent-escapes all but RFC 3986's unreserved characters; a lone `.` or `..` cannot climb.
fn push_escaped(to: &mut String, part: &str) {
    let climbs = part.bytes().all(|byte| byte == b'.');
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) || (byte == b'.' && !climbs) {
            to.push(char::from(byte));
        } else {
            let _ = write!(to, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::resources;

    #[test]
    fn paths_are_the_api_servers() {
        let cases = [
            (collection(&resources::SECRETS, ""), "/api/v1/secrets"),
            (collection(&resources::SECRETS, "shop"), "/api/v1/namespaces/shop/secrets"),
            (collection(&resources::NAMESPACES, "shop"), "/api/v1/namespaces"),
            (object(&resources::DEPLOYMENTS, "shop", "a.b"), "/apis/apps/v1/namespaces/shop/deployments/a.b"),
            (group_version("v1"), "/api/v1"),
            (group_version("fleet.cattle.io/v1alpha1"), "/apis/fleet.cattle.io/v1alpha1"),
            (rancher_proxy("c-m-1"), "/k8s/clusters/c-m-1"),
        ];
        for (path, wanted) in cases {
            assert_eq!(path, wanted);
        }
    }

    #[test]
    fn a_name_cannot_leave_its_place() {
        assert_eq!(object(&resources::PODS, "..", "a/b?c"), "/api/v1/namespaces/%2E%2E/pods/a%2Fb%3Fc");
        assert_eq!(rancher_proxy("../../v3/tokens"), "/k8s/clusters/..%2F..%2Fv3%2Ftokens");
    }

    #[test]
    fn selectors_and_the_token_are_escaped() {
        let query = Query::all(resources::SECRETS).labelled("owner=helm,name=a b").selected("type=x/y");
        assert_eq!(
            page(&query, 50, Some("a+b")),
            "?limit=50&labelSelector=owner%3Dhelm%2Cname%3Da%20b&fieldSelector=type%3Dx%2Fy&continue=a%2Bb"
        );
    }
}
