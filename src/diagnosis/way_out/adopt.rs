//! Keep the living value: put it into Git or the chart's values.

use crate::report::{Conflict, Risk, WayOut};

/// One way out for all fields.
pub fn ways(conflicts: &[&Conflict]) -> Option<WayOut> {
    let differing: Vec<&&Conflict> =
        conflicts.iter().filter(|it| it.wanted != it.live && !it.live.is_null()).collect();
    let [first, ..] = differing.as_slice() else { return None };
    let what = match differing.as_slice() {
        [one] if one.object.kind != "Secret" => format!("commit {} = {}", one.path, one.live),
        [_] => format!("commit the living value of {}", first.path),
        many => format!("commit the living values of the {} fields", many.len()),
    };
    Some(WayOut {
        title: format!("or keep what lives: {what} for this cluster"),
        risk: Risk::Safe,
        who: "owner of the repository".into(),
        commands: Vec::new(),
        then: "the next try lands; the ownership stays shared, and the next change of that value conflicts again".into(),
    })
}
