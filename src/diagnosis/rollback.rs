//! What a rollback that is advised would run.

use crate::deployer::evidence;
use crate::evidence::Case;
use crate::helm::rollback;
use crate::report::{Evidence, Finding};

/// Images that the last good revision names by tag, where a way out goes back to it.
pub fn images(case: &Case, finding: &Finding) -> Option<Evidence> {
    let commands = || finding.ways_out.iter().flat_map(|way| &way.commands);
    commands().find(|command| command.split(' ').any(|word| word == "rollback"))?;
    let good = case.history.as_ref()?.last_good()?;
    let images: Vec<String> =
        rollback::images_by_tag(good.release()?).into_iter().map(|it| it.image).collect();
    (!images.is_empty()).then(|| {
        let says = format!(
            "a rollback to revision {} pulls by tag, not by digest: {}; a tag can have moved since",
            good.number(),
            images.join(", ")
        );
        evidence(good.meta.source(), says)
    })
}
