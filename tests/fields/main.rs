//! Ownership and prediction against recorded incidents.

mod recorded;

mod conflicts;
mod properties;
mod stages;
