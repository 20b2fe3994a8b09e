//! Flux: HelmReleases (`helm.toolkit.fluxcd.io`), their sources, and the Kustomization above them.
//!
//! A HelmRelease's release Secrets are plain Helm's; the conditions of the HelmRelease tell the state,
//! and several of them mislead: `statement` says which text counts, `sign` what stands in other objects.
//! Facts without another mark: helm-controller 1.6.2, source-controller 1.9.1.

mod collect;
mod delivery;
mod dependency;
mod helm_release;
mod kustomization;
mod name;
mod sign;
mod silence;
mod source;
mod state;
mod statement;
mod way_out;

pub use collect::Flux;

#[cfg(test)]
mod tests;
