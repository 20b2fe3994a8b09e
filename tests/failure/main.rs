//! Texts that programs really printed, against what they mean.

mod corpus;
mod recorded;
