//! The codec, history and manifests against the recordings.

mod corrupt;
mod history;
mod payloads;
mod recorded;
mod round_trip;
