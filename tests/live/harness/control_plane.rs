//! One cluster's control plane: etcd, kube-apiserver and kube-controller-manager on loopback.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tempfile::TempDir;

use super::api::{Api, HARNESS, Verb};
use super::assets::Assets;
use super::audit::Audit;
use super::failure::StartFailure;
use super::guard::Guarded;
use super::kubeconfig::{ADMIN_TOKEN, Access, kubeconfig};
use super::ports::Ports;
use super::server::{self, START_LIMIT, await_ready};
use super::tools::Tools;

const ATTEMPTS: usize = 5;

/// Dropping it ends the servers and removes the folder. Fields drop in this order: clients before servers,
/// servers before the folder that they write to.
pub struct ControlPlane {
    name: String,
    api: Api,
    tools: Tools,
    access: Access,
    audit: Audit,
    assets: Assets,
    counter: AtomicU32,
    _controller_manager: Guarded,
    _apiserver: Guarded,
    _etcd: Guarded,
    folder: TempDir,
}

impl ControlPlane {
    /// `name` is the context's name in the kubeconfig.
    pub fn start(assets: &Assets, name: &str) -> Result<Self, StartFailure> {
        Self::start_on(assets, name, Ports::free)
    }

    pub fn start_on(
        assets: &Assets,
        name: &str,
        mut ports: impl FnMut() -> io::Result<Ports>,
    ) -> Result<Self, StartFailure> {
        let mut attempt = 1;
        loop {
            let ports = ports().map_err(|error| StartFailure::setup("free ports", error))?;
            match Self::attempt(assets, name, ports) {
                // Another process came between asking for free ports and taking them.
                Err(StartFailure::PortTaken { .. }) if attempt < ATTEMPTS => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    fn attempt(assets: &Assets, name: &str, ports: Ports) -> Result<Self, StartFailure> {
        let home = tempfile::Builder::new()
            .prefix("helm-forensics-live-")
            .tempdir()
            .map_err(|source| StartFailure::io(&std::env::temp_dir(), source))?;
        let folder = home.path();
        // Before anything is written: from here on the folder goes even if this process is killed.
        let mut etcd = server::etcd(assets, folder, ports)?;
        write_configuration(assets, folder)?;
        // It waits for etcd by itself.
        let mut apiserver = server::apiserver(assets, folder, ports)?;

        let certificate = folder.join("certificates/apiserver.crt");
        // The key is written after the certificate, so its presence says that the certificate is whole.
        let key = folder.join("certificates/apiserver.key");
        await_ready(&mut [&mut etcd, &mut apiserver], START_LIMIT, || {
            fs::metadata(&key).is_ok_and(|key| key.len() > 0).then_some(())
        })?;
        let access = Access::read(&format!("https://127.0.0.1:{}", ports.apiserver), &certificate)?;
        let config = kubeconfig(&[(name, &access)]);
        let tools = Tools::new(assets, folder, &config.to_string())
            .map_err(|source| StartFailure::io(folder, source))?;
        let api = Api::connect(&config)?;
        await_ready(&mut [&mut etcd, &mut apiserver], START_LIMIT, || api.probe("/readyz").then_some(()))?;

        let mut controller_manager = server::controller_manager(assets, folder, ports)?;
        let health = Api::to_health_port(ports.controller_manager)?;
        await_ready(&mut [&mut etcd, &mut apiserver, &mut controller_manager], START_LIMIT, || {
            health.probe("/healthz").then_some(())
        })?;

        Ok(Self {
            name: name.to_owned(),
            audit: Audit::new(&folder.join("audit.log")),
            assets: assets.clone(),
            api,
            tools,
            access,
            counter: AtomicU32::new(0),
            _controller_manager: controller_manager,
            _apiserver: apiserver,
            _etcd: etcd,
            folder: home,
        })
    }

    pub fn api(&self) -> &Api {
        &self.api
    }

    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    pub fn access(&self) -> &Access {
        &self.access
    }

    /// For a kubeconfig with several planes.
    pub fn context(&self) -> (&str, &Access) {
        (&self.name, &self.access)
    }

    /// Tools that know these contexts, the first one being current. They go with this plane.
    #[track_caller]
    pub fn tools_for(&self, contexts: &[(&str, &Access)]) -> Tools {
        let folder = self.scratch("tools");
        Tools::new(&self.assets, &folder, &kubeconfig(contexts).to_string())
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    }

    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// A namespace that no other test uses.
    #[track_caller]
    pub fn namespace(&self, purpose: &str) -> String {
        let name = self.unused(purpose);
        self.create_namespace(&name);
        name
    }

    /// An empty folder that goes with the plane, also when the test process is killed.
    #[track_caller]
    pub fn scratch(&self, purpose: &str) -> PathBuf {
        let folder = self.folder.path().join(self.unused(purpose));
        fs::create_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        folder
    }

    fn unused(&self, purpose: &str) -> String {
        format!("{purpose}-{}", self.counter.fetch_add(1, Ordering::Relaxed))
    }

    #[track_caller]
    pub fn create_namespace(&self, name: &str) {
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        self.api.send(HARNESS, Verb::Create, "/api/v1/namespaces", &body).ok();
    }
}

/// The files that the servers' command lines name.
fn write_configuration(assets: &Assets, folder: &Path) -> Result<(), StartFailure> {
    write(&folder.join("sa.key"), &signing_key(assets, folder)?)?;
    write(&folder.join("tokens.csv"), &format!("{ADMIN_TOKEN},admin,1,system:masters\n"))?;
    write(&folder.join("audit-policy.yaml"), server::AUDIT_POLICY)
}

pub fn write(path: &Path, content: &str) -> Result<(), StartFailure> {
    fs::write(path, content).map_err(|source| StartFailure::io(path, source))
}

/// The API server insists on a key for service account tokens. Helm's templates can make one, and Helm is
/// here; a key in the repository would alarm every scanner of secrets, and openssl is not on every machine.
fn signing_key(assets: &Assets, folder: &Path) -> Result<String, StartFailure> {
    let chart = folder.join("key-chart");
    let templates = chart.join("templates");
    fs::create_dir_all(&templates).map_err(|source| StartFailure::io(&templates, source))?;
    write(&chart.join("Chart.yaml"), "apiVersion: v2\nname: key\nversion: 0.0.0\n")?;
    write(&templates.join("key.yaml"), "key: {{ genPrivateKey \"ecdsa\" | b64enc }}\n")?;
    let tools = Tools::new(assets, folder, "").map_err(|source| StartFailure::io(folder, source))?;
    let outcome = tools.helm4(&["template".as_ref(), "key".as_ref(), chart.as_os_str()]);
    let encoded = outcome
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("key: "))
        .ok_or_else(|| StartFailure::setup("a signing key from helm template", &outcome))?;
    let key = STANDARD
        .decode(encoded)
        .map_err(|error| StartFailure::setup("a signing key from helm template", error))?;
    String::from_utf8(key).map_err(|error| StartFailure::setup("a signing key from helm template", error))
}
