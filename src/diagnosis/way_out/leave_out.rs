//! A controller that is alive holds the field: stop rendering it.

use crate::report::{Conflict, Risk, WayOut};

/// One way out for the fields of controllers.
pub fn ways(conflicts: &[&Conflict]) -> Option<WayOut> {
    let [first, ..] = conflicts else { return None };
    let fields = super::fields_of(conflicts);
    Some(WayOut {
        title: format!("stop rendering {fields} in the chart: {} owns it and writes it again", first.manager),
        risk: Risk::Safe,
        who: "owner of the chart".into(),
        commands: Vec::new(),
        then: format!(
            "the next try lands and the value stays as {} sets it; do not drop its entry or set the value back, it \
             would only be written again. Safe as long as it still owns the field: where the deployer is the sole \
             owner, leaving a field out resets it to its default",
            first.manager
        ),
    })
}
