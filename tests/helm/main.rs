//! The codec, history and manifests against the recordings.

mod payloads;
mod recorded;
