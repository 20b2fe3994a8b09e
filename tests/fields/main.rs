//! Ownership and prediction against recorded incidents.

mod recorded;

mod conflicts;
mod stages;
