//! Who deploys: Fleet, Flux, Argo CD, k3s and plain Helm, behind one trait.
//!
//! A deployer is one folder that reads its own records and says, per cluster, what it delivers, in
//! which state, by which release. It does not judge release texts: `diagnosis` does, for all alike.
//! May use `source`'s reader, `object`, `failure::Class` and the report's plain types.

mod argo;
mod delivery;
pub mod fleet;
mod flux;
mod k3s;
#[cfg(test)]
mod known_commands;
mod plain;
pub mod quote;
mod read;
#[cfg(test)]
pub mod testing;

pub use delivery::{Delivery, Deployer, Hints, ReleaseTarget, Sign, Standing, Statement, evidence};

/// Every deployer. A new one is one folder and one line here.
pub const ALL: &[&dyn Deployer] = &[&fleet::Fleet, &flux::Flux, &argo::Argo, &k3s::K3s, &plain::Plain];
