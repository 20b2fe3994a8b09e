//! Why a GitOps deploy did not land: release forensics for Fleet, Flux, Argo CD, k3s and plain Helm.
