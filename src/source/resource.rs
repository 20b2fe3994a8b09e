//! What the API server calls a resource: group, version, plural and kind.

use std::borrow::Cow;
use std::fmt;

/// One kind of object and where the API serves it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource {
    /// `apps`; `""` for core.
    pub group: Cow<'static, str>,
    /// `v1`.
    pub version: Cow<'static, str>,
    /// `deployments`.
    pub plural: Cow<'static, str>,
    /// `Deployment`.
    pub kind: Cow<'static, str>,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
}

impl Resource {
    /// A resource known when the program is built.
    pub const fn fixed(
        group: &'static str,
        version: &'static str,
        plural: &'static str,
        kind: &'static str,
        namespaced: bool,
    ) -> Self {
        Self {
            group: Cow::Borrowed(group),
            version: Cow::Borrowed(version),
            plural: Cow::Borrowed(plural),
            kind: Cow::Borrowed(kind),
            namespaced,
        }
    }

    /// `apps/v1`, or `v1` for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

/// `deployments.apps`, as kubectl prints it.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plural)?;
        if !self.group.is_empty() {
            write!(f, ".{}", self.group)?;
        }
        Ok(())
    }
}

pub mod known {
    //! The table of resources that the program reads.
    use super::Resource;

    macro_rules! resources {
        ($($name:ident = $group:literal $version:literal $plural:literal $kind:literal $namespaced:literal;)*) => {
            $(#[doc = concat!("`", $plural, "` of `", $group, "/", $version, "`.")]
            pub const $name: Resource = Resource::fixed($group, $version, $plural, $kind, $namespaced);)*
            /// Every resource of this table.
            pub const ALL: &[Resource] = &[$($name),*];
        };
    }

    resources! {
        SECRETS = "" "v1" "secrets" "Secret" true;
        CONFIG_MAPS = "" "v1" "configmaps" "ConfigMap" true;
        EVENTS = "" "v1" "events" "Event" true;
        PODS = "" "v1" "pods" "Pod" true;
        SERVICES = "" "v1" "services" "Service" true;
        NAMESPACES = "" "v1" "namespaces" "Namespace" false;
        PERSISTENT_VOLUME_CLAIMS = "" "v1" "persistentvolumeclaims" "PersistentVolumeClaim" true;
        DEPLOYMENTS = "apps" "v1" "deployments" "Deployment" true;
        REPLICA_SETS = "apps" "v1" "replicasets" "ReplicaSet" true;
        STATEFUL_SETS = "apps" "v1" "statefulsets" "StatefulSet" true;
        DAEMON_SETS = "apps" "v1" "daemonsets" "DaemonSet" true;
        JOBS = "batch" "v1" "jobs" "Job" true;
        HORIZONTAL_POD_AUTOSCALERS = "autoscaling" "v2" "horizontalpodautoscalers" "HorizontalPodAutoscaler" true;
        SCALED_OBJECTS = "keda.sh" "v1alpha1" "scaledobjects" "ScaledObject" true;
        GIT_REPOS = "fleet.cattle.io" "v1alpha1" "gitrepos" "GitRepo" true;
        HELM_OPS = "fleet.cattle.io" "v1alpha1" "helmops" "HelmOp" true;
        BUNDLES = "fleet.cattle.io" "v1alpha1" "bundles" "Bundle" true;
        BUNDLE_DEPLOYMENTS = "fleet.cattle.io" "v1alpha1" "bundledeployments" "BundleDeployment" true;
        FLEET_CLUSTERS = "fleet.cattle.io" "v1alpha1" "clusters" "Cluster" true;
        FLEET_CLUSTER_GROUPS = "fleet.cattle.io" "v1alpha1" "clustergroups" "ClusterGroup" true;
        FLEET_CONTENTS = "fleet.cattle.io" "v1alpha1" "contents" "Content" false;
        FLEET_SCHEDULES = "fleet.cattle.io" "v1alpha1" "schedules" "Schedule" true;
        HELM_RELEASES = "helm.toolkit.fluxcd.io" "v2" "helmreleases" "HelmRelease" true;
        FLUX_KUSTOMIZATIONS = "kustomize.toolkit.fluxcd.io" "v1" "kustomizations" "Kustomization" true;
        FLUX_HELM_CHARTS = "source.toolkit.fluxcd.io" "v1" "helmcharts" "HelmChart" true;
        FLUX_HELM_REPOSITORIES = "source.toolkit.fluxcd.io" "v1" "helmrepositories" "HelmRepository" true;
        FLUX_GIT_REPOSITORIES = "source.toolkit.fluxcd.io" "v1" "gitrepositories" "GitRepository" true;
        FLUX_OCI_REPOSITORIES = "source.toolkit.fluxcd.io" "v1" "ocirepositories" "OCIRepository" true;
        APPLICATIONS = "argoproj.io" "v1alpha1" "applications" "Application" true;
        APPLICATION_SETS = "argoproj.io" "v1alpha1" "applicationsets" "ApplicationSet" true;
        APP_PROJECTS = "argoproj.io" "v1alpha1" "appprojects" "AppProject" true;
        K3S_HELM_CHARTS = "helm.cattle.io" "v1" "helmcharts" "HelmChart" true;
        K3S_HELM_CHART_CONFIGS = "helm.cattle.io" "v1" "helmchartconfigs" "HelmChartConfig" true;
    }
}
