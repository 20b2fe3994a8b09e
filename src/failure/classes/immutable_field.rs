//! A field that may not change after creation. API server validation; `apimachinery` `ValidateImmutableField`.

use crate::failure::rule::{Rule, field_path, strong};

pub(super) const RULES: &[Rule] = &[
    strong(
        "immutable",
        concat!(
            "(?P<field>",
            field_path!(),
            r"): (?:Invalid value: |Forbidden: )?[\x01.]{0,}:? ?(?:[Ff]ield|[Vv]alue|spec) is immutable"
        ),
    ),
    strong("field is immutable", "field is immutable"),
    strong(
        "may not change once set",
        concat!("(?:(?P<field>", field_path!(), r"): Invalid value: [^ ]+ )?may not change once set"),
    ),
    strong("cannot change roleRef", "cannot change roleRef"),
    strong(
        "fields other than",
        concat!(
            "(?:(?P<field>",
            field_path!(),
            "): )?Forbidden: (?:updates to (?P<updates>[a-z]+ )?spec for fields other than|pod updates may not change fields other than)(?P<allowed>.*? (?:are forbidden|$))?"
        ),
    ),
    strong(
        "immutable after creation",
        concat!("(?:(?P<field>", field_path!(), "): )?Forbidden: (?:spec )?is immutable after creation"),
    ),
    strong(
        "an not be less than",
        concat!(
            "(?:(?P<field>",
            field_path!(),
            "): )?Forbidden: field can not be less than (?P<bound>[^ ,]+)"
        ),
    ),
    strong("Forbidden: updates to ", "Forbidden: updates to [a-zA-Z ]{1,60} (?:is|are) forbidden"),
    strong("may not be changed", "Forbidden: (?:field )?may not be (?:changed|updated|unset)").likely(),
    strong("may not be updated", "Forbidden: (?:field )?may not be (?:changed|updated|unset)").likely(),
    strong("can not be unset", "(?:primary clusterIP|field) can not be (?:unset|removed|changed)").likely(),
    strong("immutable", "(?:[Vv]alue|[Ff]ield|[Ss]pec|[a-z][A-Za-z.]+) (?:is|are) immutable").likely(),
    // Cut inside the quoted template: only a Job's template is refused whole (failure-guide 4, 15).
    strong(
        "spec.template: Invalid value",
        r#"Job\.batch "[^"]*" is invalid: (?P<field>spec\.template): Invalid value: \x01+$"#,
    )
    .likely(),
];
