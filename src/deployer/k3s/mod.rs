//! k3s and RKE2: HelmCharts and HelmChartConfigs (`helm.cattle.io/v1`), installed by Jobs.
//!
//! No status tells a failure. What counts is the Job's environment, its pods and the release, joined by
//! the hash of the configuration. Facts without another mark: helm-controller 0.17.7, job image 0.13.3.

mod attempt;
mod collect;
mod delivery;
mod helm_chart;
mod job;
mod leftover;
mod policy;
mod sign;
mod values;

pub use collect::K3s;

#[cfg(test)]
mod tests;
