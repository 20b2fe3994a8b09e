//! The real binary on every recorded incident: what it finds must be what was recorded, and nothing more.

mod audit;
mod bad_input;
mod expected;
mod foretold;
mod history;
mod incident;
mod known_commands;
mod pairs;
mod streams;
mod truth;
