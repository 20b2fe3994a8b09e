//! What an apply would do to a live object, decided as the API server decides it, without writing.
//!
//! One file per way of applying; the answer's types stand in `model`. May use `typed`, `schema` and
//! `managed`.

mod client_side;
mod defaults;
mod helm_metadata;
mod model;
mod server_side;
mod string_data;

pub use helm_metadata::as_helm_applies;
pub use model::{
    Applied, Change, Conflict, Method, Overwrite, Prediction, Released, Reset, Shared, WhyOverwritten,
};

/// What applying would do.
pub fn predict(applied: &Applied<'_>) -> Prediction {
    match (applied.live, applied.method) {
        (None, _) => Prediction { creates: true, ..Prediction::default() },
        (Some(live), Method::ClientSide) => client_side::predict(applied, live),
        (Some(live), _) => server_side::predict(applied, live),
    }
}
