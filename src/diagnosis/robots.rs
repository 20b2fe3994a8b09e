//! Two programs that undo each other on one field, named as a pair.

use serde_json::Value;

use crate::deployer::evidence;
use crate::evidence::Case;
use crate::fields::robots;
use crate::helm::Manifest;
use crate::report::{Finding, Risk, WayOut};

/// Adds the pairs to a finding about fields that somebody else holds.
pub fn add(case: &Case, finding: &mut Finding) {
    let release = super::drift::deployed(case).map(|release| (Manifest::of(release), release));
    let scalers: Vec<&Value> = case.scalers.iter().collect();
    let mut objects: Vec<_> = finding.conflicts.iter().map(|it| it.object.clone()).collect();
    objects.dedup();
    for object in objects {
        let Some(live) = case.live(&object) else { continue };
        let desired = release
            .as_ref()
            .and_then(|(manifest, release)| super::drift::as_applied(manifest, release, &object));
        for pair in robots(live, desired.as_ref(), &scalers) {
            let [one, other] = &pair.pair;
            let field = pair.field.as_ref().map_or("the whole object".to_owned(), ToString::to_string);
            finding.evidence.push(evidence(
                pair.sign.clone(),
                format!("{one} and {other} both write {field} of {object}"),
            ));
            let way = WayOut {
                title: format!("end the contest of {one} and {other} over {field}"),
                risk: Risk::Safe,
                who: "owners of both".into(),
                commands: Vec::new(),
                then: pair.way_out.to_owned(),
            };
            if !finding.ways_out.contains(&way) {
                finding.ways_out.push(way);
            }
        }
    }
}
