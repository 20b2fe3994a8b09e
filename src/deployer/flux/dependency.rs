//! A HelmRelease that waits for another one: follow it to the one that is really in trouble.

use super::collect::World;
use super::helm_release::HelmRelease;
use super::state::State;
use super::statement;
use crate::deployer::Sign;
use crate::object::ObjectRef;
use crate::report::{Confidence, Evidence};

/// The way from a HelmRelease to the one that everything waits for.
struct Root<'a> {
    /// HelmReleases on the way, the root last.
    way: Vec<ObjectRef>,
    /// The root, if it is there.
    found: Option<&'a HelmRelease>,
    /// The way leads back to itself.
    is_circle: bool,
}

/// The sign of a dependency that is not ready.
pub fn sign(helm_release: &HelmRelease, world: &World) -> Option<Sign> {
    let ready = helm_release.condition("Ready")?;
    if !ready.is_false() || ready.reason != "DependencyNotReady" {
        return None;
    }
    let root = root(helm_release, world)?;
    let last = root.way.last()?;
    let summary = match root.found {
        _ if root.is_circle => format!("waits for itself: {}", names(&root.way)),
        None => format!("waits for {last}, which does not exist"),
        Some(found) => format!("waits for {last}, which is {}", State::of(found).word()),
    };
    let mut evidence: Vec<Evidence> = root
        .way
        .iter()
        .map(|object| Evidence {
            source: format!("{}, spec.dependsOn", helm_release.as_object()),
            says: format!("{object} has to be ready first"),
        })
        .collect();
    let told = root.found.map(statement::statements).unwrap_or_default();
    evidence.extend(
        told.into_iter()
            .filter(|statement| statement.is_current)
            .take(1)
            .map(|statement| Evidence { source: statement.source, says: statement.text }),
    );
    Some(Sign::new("dependency", Confidence::Certain, summary, evidence))
}

fn names(way: &[ObjectRef]) -> String {
    way.iter().map(ToString::to_string).collect::<Vec<_>>().join(" -> ")
}

fn root<'a>(start: &'a HelmRelease, world: &'a World) -> Option<Root<'a>> {
    let mut way: Vec<ObjectRef> = Vec::new();
    let mut at = start;
    loop {
        let Some((object, found)) = first_unready(at, world) else {
            return (!way.is_empty()).then_some(Root { way, found: Some(at), is_circle: false });
        };
        let is_circle = way.contains(&object) || object.is_same_object(&start.as_object());
        way.push(object);
        match found {
            Some(next) if !is_circle => at = next,
            found => return Some(Root { way, found, is_circle }),
        }
    }
}

/// The first dependency that is absent or not ready.
fn first_unready<'a>(
    helm_release: &HelmRelease,
    world: &'a World,
) -> Option<(ObjectRef, Option<&'a HelmRelease>)> {
    helm_release.spec.depends_on.iter().find_map(|reference| {
        let (namespace, name) = helm_release.resolve(reference);
        let object = ObjectRef::new(&helm_release.as_object().api_version, "HelmRelease", &namespace, &name);
        match world.helm_release(&namespace, &name) {
            None => Some((object, None)),
            Some(found) => {
                let is_ready = found.condition("Ready").is_some_and(|ready| ready.is_true());
                (!is_ready).then_some((object, Some(found)))
            }
        }
    })
}
