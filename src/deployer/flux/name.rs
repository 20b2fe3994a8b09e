//! Where a HelmRelease keeps its release, and what the release is called.

use sha2::{Digest, Sha256};

use super::helm_release::HelmRelease;
use crate::deployer::ReleaseTarget;

/// Helm refuses longer release names.
const LONGEST: usize = 53;
/// What Flux keeps of a longer one, before `-` and 12 digits of its hash.
const KEPT: usize = 40;
/// Hash digits behind it.
const DIGITS: usize = 12;

/// The release of a HelmRelease, whether it exists or not.
pub fn release_of(helm_release: &HelmRelease) -> ReleaseTarget {
    let status = &helm_release.status;
    let spec = &helm_release.spec;
    let namespace = [&status.storage_namespace, &spec.storage_namespace]
        .into_iter()
        .find(|namespace| !namespace.is_empty())
        .unwrap_or(&helm_release.metadata.namespace);
    let newest = status.history.iter().max_by_key(|snapshot| snapshot.version);
    ReleaseTarget {
        namespace: namespace.clone(),
        name: release_name(&spec.release_name, &spec.target_namespace, &helm_release.metadata.name),
        claimed_revision: newest.map(|snapshot| snapshot.version).or(status.last_release_revision),
    }
}

/// `spec.releaseName`, else `TARGETNAMESPACE-NAME`, else NAME; shortened as helm-controller does
/// (`GetReleaseName`, `release.ShortenName`).
fn release_name(given: &str, target_namespace: &str, name: &str) -> String {
    let whole = match (given, target_namespace) {
        ("", "") => name.to_owned(),
        ("", namespace) => format!("{namespace}-{name}"),
        (given, _) => given.to_owned(),
    };
    if whole.len() <= LONGEST {
        return whole;
    }
    let hash: String = Sha256::digest(whole.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let kept: String = whole.chars().take(KEPT).collect();
    format!("{kept}-{}", hash.get(..DIGITS).unwrap_or(&hash))
}

#[cfg(test)]
mod tests {
    use super::release_name;

    #[test]
    fn names_are_computed_as_the_controller_does() {
        let long = "customer-facing-storefront-web-application-for-europe-central";
        let cases = [
            ("", "", "shop", "shop"),
            ("", "shop-target", "shop", "shop-target-shop"),
            ("storefront", "shop-target", "web", "storefront"),
            ("", "shop-target", long, "shop-target-customer-facing-storefront-w-1517f6c4dcd4"),
        ];
        for (given, target, name, expected) in cases {
            assert_eq!(release_name(given, target, name), expected);
        }
    }
}
