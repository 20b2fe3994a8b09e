//! Everything that can hold a BundleDeployment, each told apart by its own evidence.
//!
//! The fixtures are the recorded incident with a named edit each: what Fleet 0.16.1 writes in that case
//! (field-guide 3), derived and not recorded.

mod holds;
mod incident;
mod owners;
