//! The release's name and namespace where `status.release` is empty.

use md5::{Digest, Md5};

use super::records::BundleDeployment;
use crate::deployer::ReleaseTarget;

/// Helm's limit for a release name.
const LONGEST: usize = 53;

/// Where the release of a BundleDeployment is kept: `status.release` where the agent filled it, else
/// computed as Fleet 0.16 does (`internal/helmdeployer`, `internal/names`).
pub fn release_target(deployment: &BundleDeployment) -> ReleaseTarget {
    claimed(&deployment.status.release).unwrap_or_else(|| computed(deployment))
}

/// `namespace/name:revision`.
fn claimed(text: &str) -> Option<ReleaseTarget> {
    let (namespace, rest) = text.split_once('/')?;
    let (name, revision) = rest.rsplit_once(':')?;
    Some(ReleaseTarget {
        namespace: namespace.into(),
        name: name.into(),
        claimed_revision: Some(revision.parse().ok()?),
    })
}

fn computed(deployment: &BundleDeployment) -> ReleaseTarget {
    let options = &deployment.spec.options;
    let namespace = [options.namespace.as_str(), options.default_namespace.as_str(), "default"]
        .into_iter()
        .find(|namespace| !namespace.is_empty())
        .unwrap_or_default();
    let name = match options.helm.release_name.as_str() {
        "" => helm_release_name(&deployment.metadata.name),
        name => name.to_owned(),
    };
    ReleaseTarget { namespace: namespace.into(), name, claimed_revision: None }
}

/// Fleet's `HelmReleaseName`: a valid release name out of any bundle name.
fn helm_release_name(text: &str) -> String {
    let plain = text.replace('/', "-");
    let is_plain = plain.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let marked = if is_plain { plain } else { format!("{plain}-{}", digest(text, 8)) };
    let lower = marked.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words.join("-") {
        name if name.is_empty() => digest(text, 24),
        name if name.len() <= LONGEST => name,
        name => {
            let kept = name[..LONGEST - 6].trim_end_matches('-');
            format!("{kept}-{}", digest(text, 5))
        }
    }
}

/// The first hex digits of the md5.
fn digest(text: &str, digits: usize) -> String {
    Md5::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..digits]
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deployment(json: serde_json::Value) -> BundleDeployment {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_agent_is_believed_where_it_says_something() {
        let target = release_target(&deployment(serde_json::json!({"status": {"release": "shop/shop:18"}})));
        assert_eq!((&*target.namespace, &*target.name, target.claimed_revision), ("shop", "shop", Some(18)));
    }

    #[test]
    fn an_emptied_status_is_computed() {
        let target = release_target(&deployment(serde_json::json!({
            "metadata": {"name": "cart2-cart2"},
            "spec": {"options": {"defaultNamespace": "cart", "helm": {"releaseName": "cart2"}}},
        })));
        assert_eq!((&*target.namespace, &*target.name, target.claimed_revision), ("cart", "cart2", None));
    }

    #[test]
    fn names_follow_fleets_rules() {
        let long = "longer-name-for-the-release-than-fifty-three-characters-allow-\
                    longer-name-for-the-release-than-fifty-three-characters-allow";
        for (bundle, release) in [
            ("shop-shop", "shop-shop".to_owned()),
            ("a//b", "a-b".to_owned()),
            ("-trim-", "trim".to_owned()),
            ("Upper", format!("upper-{}", digest("Upper", 8))),
            ("under_score", format!("under-score-{}", digest("under_score", 8))),
            // Recorded: Fleet 0.16.1 named GitRepo `longer-name-…-allow` so.
            (long, "longer-name-for-the-release-than-fifty-three-ch-ba9e2".to_owned()),
            ("---", digest("---", 24)),
        ] {
            assert_eq!(helm_release_name(bundle), release, "{bundle}");
            assert!(release.len() <= LONGEST);
        }
    }
}
