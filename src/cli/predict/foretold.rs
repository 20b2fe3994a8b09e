//! What would become of one object.

use serde::Serialize;
use serde_json::{Value, json};

use crate::fields::{Applied, Method, Path, Prediction, Robots, predict, robots};
use crate::object::ObjectRef;
use crate::redact;

/// What would become of one object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Foretold {
    /// The object.
    pub object: ObjectRef,
    /// How it would be applied.
    pub method: Method,
    /// The deployer's field manager.
    pub manager: String,
    /// What that would do.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// Programs that undo each other on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub robots: Vec<Robots>,
}

impl Foretold {
    /// What this apply would do to the object, and which programs contend for it as it lives.
    pub fn of(object: ObjectRef, applied: &Applied<'_>, scalers: &[&Value]) -> Self {
        let contended = |live| robots(live, Some(applied.desired), scalers);
        Self {
            object,
            method: applied.method,
            manager: applied.manager.to_owned(),
            prediction: predict(applied),
            robots: applied.live.map(contended).unwrap_or_default(),
        }
    }

    /// Whether there is anything that a person should know before applying.
    pub fn is_quiet(&self) -> bool {
        let it = &self.prediction;
        it.conflicts.is_empty()
            && it.overwrites.is_empty()
            && it.resets.is_empty()
            && it.released.is_empty()
            && it.shared.is_empty()
            && it.invalid.is_empty()
            && self.robots.is_empty()
    }

    /// The same without values that must not be seen: a Secret's.
    #[must_use]
    pub fn masked(mut self) -> Self {
        if self.object.kind != "Secret" {
            return self;
        }
        let it = &mut self.prediction;
        let both = it.conflicts.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live));
        let both =
            both.chain(it.overwrites.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live)));
        let both = both.chain(it.changes.iter_mut().map(|one| (&one.path, &mut one.wanted, &mut one.live)));
        for (_, wanted, live) in both.filter(|(path, ..)| holds_secrets(path)) {
            (*wanted, *live) = (redact::hidden(), redact::hidden());
        }
        let single = it.resets.iter_mut().map(|one| (&one.path, &mut one.live));
        let single = single.chain(it.released.iter_mut().map(|one| (&one.path, &mut one.live)));
        let single = single.chain(it.shared.iter_mut().map(|one| (&one.path, &mut one.value)));
        for (_, value) in single.filter(|(path, _)| holds_secrets(path)) {
            *value = redact::hidden();
        }
        self
    }
}

fn holds_secrets(path: &Path) -> bool {
    let top = path.0.first().and_then(|element| element.as_field());
    matches!(top, Some("data" | "stringData"))
}

/// The answer as a record: `{"apiVersion", "kind": "Prediction", "subject", "objects": […]}`.
pub fn record(subject: &str, foretold: &[Foretold]) -> Value {
    let objects: Vec<Foretold> = foretold.iter().cloned().map(Foretold::masked).collect();
    json!({"apiVersion": crate::report::Report::API_VERSION, "kind": "Prediction", "subject": subject, "objects": objects})
}
