//! Helm, kubectl and a shell, pointed at the test's clusters and at nothing of the person who runs the tests.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::assets::Assets;

/// Far above what any test waits for. The guard against a hang is outside the test process, so it also ends a
/// program whose test has died.
const LIMIT_SECONDS: &str = "120";

#[derive(Clone, Debug)]
pub struct Tools {
    assets: Assets,
    kubeconfig: PathBuf,
    home: PathBuf,
}

/// What a program did, with all that a person needs to see if it was not what the test expected.
#[derive(Debug)]
pub struct Outcome {
    command: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Tools {
    /// `folder` gets the kubeconfig and the programs' caches.
    pub fn new(assets: &Assets, folder: &Path, kubeconfig: &str) -> std::io::Result<Self> {
        let tools =
            Self { assets: assets.clone(), kubeconfig: folder.join("kubeconfig"), home: folder.join("home") };
        fs::create_dir_all(&tools.home)?;
        fs::write(&tools.kubeconfig, kubeconfig)?;
        Ok(tools)
    }

    #[track_caller]
    pub fn helm4<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        self.run("helm4", arguments)
    }

    #[track_caller]
    pub fn helm3<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        self.run("helm3", arguments)
    }

    #[track_caller]
    pub fn kubectl<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        self.run("kubectl", arguments)
    }

    /// Runs a text as a person would who pasted it.
    #[track_caller]
    pub fn shell(&self, text: &str) -> Outcome {
        self.run("sh", &["-c", text])
    }

    #[track_caller]
    pub fn run<S: AsRef<OsStr>>(&self, program: &str, arguments: &[S]) -> Outcome {
        let output = self
            .command("timeout")
            .args(["--kill-after=5", LIMIT_SECONDS, program])
            .args(arguments)
            .output()
            .unwrap_or_else(|error| panic!("could not run timeout {program}: {error}"));
        Outcome {
            command: line(program, arguments),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Starts a program that the test will stop. It should have a time limit of its own, for a test that is
    /// killed.
    #[track_caller]
    pub fn begin<S: AsRef<OsStr>>(&self, program: &str, arguments: &[S]) -> Running {
        let child = self
            .command(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("could not run {}: {error}", line(program, arguments)));
        Running(child)
    }

    pub fn command(&self, program: &str) -> Command {
        let path = env::join_paths(
            std::iter::once(self.assets.folder().to_owned())
                .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
        )
        .expect("a PATH without colons inside");
        let mut command = Command::new(program);
        command
            // HELM_DRIVER, HELM_NAMESPACE, a proxy or a plugin of the person would change what is proven.
            .env_clear()
            .env("PATH", path)
            .env("HOME", &self.home)
            .env("KUBECONFIG", &self.kubeconfig)
            .current_dir(&self.home);
        command
    }
}

/// A command line to show; not quoted.
pub fn line<S: AsRef<OsStr>>(program: &str, arguments: &[S]) -> String {
    let words = arguments.iter().map(|argument| argument.as_ref().to_string_lossy());
    std::iter::once(program.into()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Killed when dropped.
pub struct Running(Child);

impl Running {
    /// Sends it and waits for the end.
    #[track_caller]
    pub fn signal(mut self, name: &str) {
        let kill = Command::new("kill").args(["-s", name, &self.0.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()), "could not send {name}: it has ended by itself");
        self.0.wait().expect("its end");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Outcome {
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "should have succeeded: {self}");
        self
    }

    /// Failed by its own account: a program that ran into the time limit did not.
    #[track_caller]
    pub fn failed(self) -> Self {
        assert_eq!(self.code, Some(1), "should have failed with 1: {self}");
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\nexit code {:?}\nstdout: {}\nstderr: {}",
            self.command, self.code, self.stdout, self.stderr
        )
    }
}
