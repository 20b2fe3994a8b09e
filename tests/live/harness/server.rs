//! The three servers of a control plane: their command lines, and waiting until they serve.

use std::path::Path;
use std::time::Duration;

use super::assets::Assets;
use super::failure::StartFailure;
use super::guard::Guarded;
use super::ports::Ports;
use super::wait;

/// Two cores under a full test run have needed 15 s; an answer that takes longer than this is none.
pub const START_LIMIT: Duration = Duration::from_secs(90);

/// Those that the cases need. Without `serviceaccount-token` and the like a plane is up sooner and its log is
/// quieter.
const CONTROLLERS: [&str; 10] = [
    "deployment",
    "replicaset",
    "statefulset",
    "horizontal-pod-autoscaler",
    "namespace",
    "garbage-collector",
    "job",
    "serviceaccount",
    "disruption",
    // Without it a quota has no numbers and refuses everything with another text.
    "resourcequota",
];

pub const AUDIT_POLICY: &str = "\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
";

pub fn etcd(assets: &Assets, folder: &Path, ports: Ports) -> Result<Guarded, StartFailure> {
    let client = format!("http://127.0.0.1:{}", ports.etcd);
    let peer = format!("http://127.0.0.1:{}", ports.etcd_peer);
    Guarded::start(
        "etcd",
        folder,
        &assets.program("etcd"),
        &[
            "--data-dir".to_owned(),
            folder.join("etcd").display().to_string(),
            format!("--listen-client-urls={client}"),
            format!("--advertise-client-urls={client}"),
            format!("--listen-peer-urls={peer}"),
            format!("--initial-advertise-peer-urls={peer}"),
            format!("--initial-cluster=default={peer}"),
            // Nobody reads the data after a crash.
            "--unsafe-no-fsync".to_owned(),
            "--log-level=error".to_owned(),
        ],
    )
}

pub fn apiserver(assets: &Assets, folder: &Path, ports: Ports) -> Result<Guarded, StartFailure> {
    let path = |name: &str| folder.join(name).display().to_string();
    Guarded::start(
        "kube-apiserver",
        folder,
        &assets.program("kube-apiserver"),
        &[
            format!("--etcd-servers=http://127.0.0.1:{}", ports.etcd),
            format!("--cert-dir={}", path("certificates")),
            format!("--secure-port={}", ports.apiserver),
            "--bind-address=127.0.0.1".to_owned(),
            // It refuses to advertise a loopback address, so it must not advertise any.
            "--endpoint-reconciler-type=none".to_owned(),
            "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
            "--authorization-mode=RBAC".to_owned(),
            format!("--token-auth-file={}", path("tokens.csv")),
            "--service-account-issuer=https://kubernetes.default.svc".to_owned(),
            format!("--service-account-key-file={}", path("sa.key")),
            format!("--service-account-signing-key-file={}", path("sa.key")),
            // It would hold pods back until somebody made tokens for them.
            "--disable-admission-plugins=ServiceAccount".to_owned(),
            "--allow-privileged".to_owned(),
            format!("--audit-policy-file={}", path("audit-policy.yaml")),
            format!("--audit-log-path={}", path("audit.log")),
        ],
    )
}

pub fn controller_manager(assets: &Assets, folder: &Path, ports: Ports) -> Result<Guarded, StartFailure> {
    let path = |name: &str| folder.join(name).display().to_string();
    let controllers = CONTROLLERS.map(|name| format!("{name}-controller")).join(",");
    Guarded::start(
        "kube-controller-manager",
        folder,
        &assets.program("kube-controller-manager"),
        &[
            format!("--kubeconfig={}", path("kubeconfig")),
            "--use-service-account-credentials=false".to_owned(),
            "--leader-elect=false".to_owned(),
            format!("--service-account-private-key-file={}", path("sa.key")),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--secure-port={}", ports.controller_manager),
            format!("--controllers={controllers}"),
        ],
    )
}

/// Waits until `ready`, or until one of the servers has ended, or the limit. The last server is the one
/// waited for; the others are those that it needs.
pub fn await_ready<T>(
    servers: &mut [&mut Guarded],
    limit: Duration,
    mut ready: impl FnMut() -> Option<T>,
) -> Result<T, StartFailure> {
    let outcome = wait::until(limit, || {
        for server in servers.iter_mut() {
            if let Some(status) = server.ended() {
                return Ok(Err(StartFailure::ended(server, status)));
            }
        }
        ready().map(Ok).ok_or(())
    });
    outcome.unwrap_or_else(|()| {
        let awaited = servers.last().expect("a server to wait for");
        Err(StartFailure::not_ready(awaited, limit))
    })
}
