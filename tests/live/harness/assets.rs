//! Where the binaries are, and what happens when they are not.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// envtest's name for it, so that a machine set up for other Kubernetes projects needs nothing new.
const VARIABLE: &str = "KUBEBUILDER_ASSETS";
const REQUIRED: &str = "CI_LIVE_REQUIRED";

const PROGRAMS: [&str; 6] =
    ["etcd", "kube-apiserver", "kube-controller-manager", "helm4", "helm3", "kubectl"];

/// A folder that was checked to hold every program.
#[derive(Clone, Debug)]
pub struct Assets(PathBuf);

impl Assets {
    /// None if the variable is unset: the caller's test returns then. A folder that lacks a program is an
    /// error whatever the environment: whoever sets the variable wants the tests to run.
    pub fn find() -> Option<Self> {
        match Self::look(env::var_os(VARIABLE), env::var_os(REQUIRED)) {
            Ok(Some(assets)) => Some(assets),
            Ok(None) => {
                let test = std::thread::current();
                // Straight to the descriptor: libtest swallows what a passing test prints through the macros.
                let _ = writeln!(
                    std::io::stderr(),
                    "skipped: {VARIABLE} is not set, so {} did not run; see tests/rig/build",
                    test.name().unwrap_or("a live test"),
                );
                None
            }
            Err(problem) => panic!("{problem}"),
        }
    }

    pub fn look(folder: Option<OsString>, required: Option<OsString>) -> Result<Option<Self>, String> {
        let Some(folder) = folder.filter(|folder| !folder.is_empty()) else {
            return if required.is_some_and(|required| required == "1") {
                Err(format!(
                    "{REQUIRED}=1 but {VARIABLE} is not set: run export {VARIABLE}=\"$(tests/rig/build)\" first"
                ))
            } else {
                Ok(None)
            };
        };
        let folder = PathBuf::from(folder);
        let missing: Vec<&str> =
            PROGRAMS.into_iter().filter(|program| !folder.join(program).is_file()).collect();
        if missing.is_empty() {
            Ok(Some(Self(folder)))
        } else {
            Err(format!(
                "{VARIABLE} is {}, which lacks {}; tests/rig/build makes a folder that has all",
                folder.display(),
                missing.join(", ")
            ))
        }
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}
