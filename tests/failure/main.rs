//! Texts that programs really printed, against what they mean.

mod corpus;
mod invented;
mod properties;
mod recorded;
