//! Plain Helm: releases that nobody but Helm itself keeps, in Secrets or ConfigMaps.
//!
//! A release is listed by its records' metadata; what its revisions tell is `helm`'s and `diagnosis`'
//! matter. Releases that another deployer claims are dropped where all deliveries come together. The SQL
//! driver keeps nothing in the cluster and cannot be read.

mod collect;
mod delivery;

pub use collect::Plain;

#[cfg(test)]
mod tests;
