//! A recorded incident, unpacked, and the binary to ask about it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::TempDir;

/// One recorded incident.
pub struct Incident {
    /// The recording's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What was recorded of it.
    pub case: Value,
}

/// All recordings, unpacked once for this test binary.
fn recordings() -> &'static TempDir {
    static UNPACKED: OnceLock<TempDir> = OnceLock::new();
    UNPACKED.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let archive = std::fs::File::open("fixtures/recorded.tar.gz").unwrap();
        tar::Archive::new(GzDecoder::new(archive)).unpack(folder.path()).unwrap();
        folder
    })
}

impl Incident {
    /// Every recording whose name begins so.
    pub fn all(prefix: &str) -> Vec<Self> {
        let mut names: Vec<String> = std::fs::read_dir(recordings().path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with(prefix))
            .collect();
        names.sort();
        let incidents: Vec<Self> = names.into_iter().filter_map(|name| Self::named(&name)).collect();
        assert!(!incidents.is_empty(), "no recording begins with {prefix}");
        incidents
    }

    /// One recording.
    pub fn named(name: &str) -> Option<Self> {
        let folder = recordings().path().join(name);
        let case = std::fs::read(folder.join("case.json")).ok()?;
        Some(Self { name: name.to_owned(), case: serde_json::from_slice(&case).unwrap(), folder })
    }

    /// Whether one of its files holds these bytes.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let files = walk(&self.folder).into_iter().filter_map(|file| std::fs::read(file).ok());
        files.into_iter().any(|text| memchr::memmem::find(&text, bytes).is_some())
    }

    /// Runs the binary with `--from` this incident's clusters.
    pub fn run(&self, arguments: &[&str]) -> std::process::Output {
        Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
            .args(arguments)
            .arg("--from")
            .arg(&self.folder)
            .output()
            .unwrap()
    }

    /// The report that a command prints as JSON.
    pub fn report(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["-o", "json"]].concat());
        assert!(
            output.status.success(),
            "{}: {arguments:?} ended with {}\n{}",
            self.name,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{}: no JSON: {error}\n{}", self.name, String::from_utf8_lossy(&output.stdout))
        })
    }
}

fn walk(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
