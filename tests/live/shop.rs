//! The release that the incident happens to.

use std::time::Duration;

use serde_json::Value;

use crate::harness::api::BROWSER;
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::ControlPlane;
use crate::harness::managed_fields::{Owner, owners};
use crate::harness::tools::Outcome;
use crate::harness::{planes, release, wait};
use crate::program::{Findings, why_release};

/// How Helm's words about it end.
pub const CONFLICT: &str =
    "conflict with \"Mozilla\" with subresource \"scale\" using apps/v1: .spec.replicas";

/// A release with 2 replicas, in a namespace of its own.
pub struct Shop {
    pub plane: &'static ControlPlane,
    pub namespace: String,
    pub chart: String,
}

impl Shop {
    pub fn installed(purpose: &str) -> Option<Self> {
        let plane = planes::shared()?;
        let shop =
            Self { plane, namespace: plane.namespace(purpose), chart: Chart::new("6.14.0").write(plane) };
        plane.tools().helm4(&["install", RELEASE, &shop.chart, "--namespace", &shop.namespace]).succeeded();
        Some(shop)
    }

    /// Scaled to 4 by a person in a browser, then refused an upgrade to 3.
    pub fn refused(purpose: &str) -> Option<Self> {
        let shop = Self::installed(purpose)?;
        shop.plane.api().scale(BROWSER, &shop.namespace, DEPLOYMENT, 4);
        shop.upgrade(3).failed();
        shop.await_quiet(4);
        Some(shop)
    }

    /// Until the controllers have written all that they will about the Deployment: each of their writes can
    /// shift the entry that a guarded patch names, which is a refusal too, but not the one that a test is
    /// about.
    pub fn await_quiet(&self, replicas: u32) {
        wait::expect("the Deployment's status to settle", Duration::from_secs(30), || {
            let deployment = self.deployment();
            let status = &deployment["status"];
            let observed = status["observedGeneration"] == deployment["metadata"]["generation"];
            // Nobody plays kubelet, so none gets available.
            if observed && status["replicas"] == replicas && status["unavailableReplicas"] == replicas {
                Ok(())
            } else {
                Err(status.to_string())
            }
        });
    }

    pub fn upgrade(&self, replicas: u32) -> Outcome {
        let replicas = format!("replicas={replicas}");
        self.plane.tools().helm4(&[
            "upgrade",
            RELEASE,
            &self.chart,
            "--namespace",
            &self.namespace,
            "--set",
            &replicas,
        ])
    }

    /// What the program says of it.
    #[track_caller]
    pub fn why(&self) -> Findings {
        why_release(self.plane, &self.namespace)
    }

    pub fn newest(&self) -> release::Revision {
        release::newest(self.plane.api(), &self.namespace, RELEASE)
    }

    pub fn deployment(&self) -> Value {
        let path = format!("/apis/apps/v1/namespaces/{}/deployments/{DEPLOYMENT}", self.namespace);
        self.plane.api().get(&path).ok()
    }

    pub fn replicas_owners(&self) -> Vec<Owner> {
        owners(&self.deployment(), &["spec", "replicas"])
    }

    /// The browser's entry was dropped: no value has changed, every next upgrade lands, and Helm alone owns.
    #[track_caller]
    pub fn assert_helms_alone_after_the_drop(&self) {
        assert_eq!(self.deployment()["spec"]["replicas"], 4, "dropping an entry changes no value");
        assert_eq!(self.replicas_owners(), []);

        self.upgrade(3).succeeded();

        assert_eq!(self.deployment()["spec"]["replicas"], 3);
        assert_eq!(self.replicas_owners(), [helm()]);

        self.upgrade(5).succeeded();

        assert_eq!(self.deployment()["spec"]["replicas"], 5);
    }

    pub fn patch(&self, patch: &Value) -> Outcome {
        self.plane.tools().kubectl(&[
            "patch",
            "deployment",
            DEPLOYMENT,
            "--namespace",
            &self.namespace,
            "--type=json",
            "--patch",
            &patch.to_string(),
        ])
    }
}

pub fn helm() -> Owner {
    Owner::new("helm", "Apply", "")
}

pub fn browser() -> Owner {
    Owner::new("Mozilla", "Update", "scale")
}
