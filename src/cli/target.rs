//! Where a capture goes: a folder, an archive, or standard output. Whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use crate::capture::{File, Package};
use crate::source::saved::CaptureManifest;

/// Why a capture was not written. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// There is something already.
    #[error("{path} exists; --force replaces it")]
    Exists {
        /// The target.
        path: String,
    },
    /// There is something that is no capture, and `--force` was given.
    #[error("{path} is no earlier capture, so it is not replaced; remove it or choose another path")]
    NotACapture {
        /// The target.
        path: String,
    },
    /// Standard output was closed.
    #[error("the reader closed the pipe before the capture was whole")]
    ClosedPipe,
    /// No room.
    #[error("no room left on the disk of {path}; the unfinished capture was removed")]
    Full {
        /// The target.
        path: String,
    },
    /// Anything else.
    #[error("cannot write {path}: {why}; the unfinished capture was removed")]
    Write {
        /// The target.
        path: String,
        /// The system's words.
        why: String,
    },
}

/// Writes a capture to `path`: a `.tar.gz` or `.tgz`, `-` for an archive on standard output, else a folder.
///
/// # Errors
/// When it cannot be written whole; then nothing of it stays.
pub fn write(package: &Package, path: &Path, force: bool) -> Result<(), TargetError> {
    if path == Path::new("-") {
        return archive(&package.files, io::stdout().lock()).map_err(|error| failed(&error, path));
    }
    let is_replaced = fs::symlink_metadata(path).is_ok();
    if is_replaced && !force {
        return Err(TargetError::Exists { path: path.display().to_string() });
    }
    if is_replaced && !is_capture(path) {
        return Err(TargetError::NotACapture { path: path.display().to_string() });
    }
    let unfinished = beside(path);
    let written = match is_archive(path) {
        true => archive_file(&package.files, &unfinished),
        false => folder(&package.files, &unfinished),
    };
    let done = written.and_then(|()| {
        if is_replaced {
            remove(path)?;
        }
        fs::rename(&unfinished, path)
    });
    done.map_err(|error| {
        let _ = remove(&unfinished);
        failed(&error, path)
    })
}

/// Only what is a capture, or an empty folder, is ever replaced.
fn is_capture(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {
            path.join(CaptureManifest::FILE).is_file()
                || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
        }
        Ok(found) => found.is_file(),
        Err(_) => false,
    }
}

fn is_archive(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".tar.gz") || name.ends_with(".tgz")
}

/// A name in the same folder, so that the last step is a rename.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.unfinished-{}", std::process::id()))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

fn folder(files: &[File], path: &Path) -> io::Result<()> {
    private_folder(path)?;
    for file in files {
        let target = path.join(&file.path);
        if let Some(parent) = target.parent().filter(|parent| !parent.exists()) {
            private_folder(parent)?;
        }
        let mut written = private_file(&target)?;
        written.write_all(&file.content)?;
        written.flush()?;
    }
    Ok(())
}

fn archive_file(files: &[File], path: &Path) -> io::Result<()> {
    let file = private_file(path)?;
    archive(files, &file)?;
    file.sync_all()
}

/// The same files make the same bytes: no times, no owners, one order.
fn archive(files: &[File], to: impl Write) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzBuilder::new().mtime(0).write(to, Compression::best()));
    for file in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.content.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(0);
        archive.append_data(&mut header, &file.path, file.content.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

fn failed(error: &io::Error, path: &Path) -> TargetError {
    let path = path.display().to_string();
    match error.kind() {
        io::ErrorKind::BrokenPipe => TargetError::ClosedPipe,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => TargetError::Full { path },
        _ => {
            let why = error.to_string();
            let why = why.split(" (os error").next().unwrap_or(&why).to_lowercase();
            TargetError::Write { path, why }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(content: &str) -> Package {
        let file = |path: &str, content: &str| File { path: path.into(), content: content.into() };
        let files = vec![file("capture.json", "{}"), file("clusters/c/pods.json", content)];
        Package { files, ..Package::default() }
    }

    #[test]
    fn the_same_capture_makes_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.tar.gz"), folder.path().join("b.tgz"));
        write(&package("x"), &a, false).unwrap();
        write(&package("x"), &b, false).unwrap();
        assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
    }

    #[test]
    fn only_captures_are_replaced_and_only_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("capture");
        write(&package("old"), &path, false).unwrap();
        assert!(matches!(write(&package("new"), &path, false), Err(TargetError::Exists { .. })));
        assert_eq!(fs::read_to_string(path.join("clusters/c/pods.json")).unwrap(), "old");
        write(&package("new"), &path, true).unwrap();
        assert_eq!(fs::read_to_string(path.join("clusters/c/pods.json")).unwrap(), "new");

        fs::write(folder.path().join("mine"), "x").unwrap();
        let error = write(&package("new"), folder.path(), true).unwrap_err();
        assert!(matches!(error, TargetError::NotACapture { .. }), "{error}");
        assert!(folder.path().join("mine").exists());
    }

    #[test]
    fn nothing_stays_of_a_capture_that_failed() {
        let folder = tempfile::tempdir().unwrap();
        let mut broken = package("x");
        broken.files.push(File { path: "capture.json/not-a-folder".into(), content: Vec::new() });
        let error = write(&broken, &folder.path().join("capture"), false).unwrap_err().to_string();
        assert!(error.contains("the unfinished capture was removed"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

        let error = failed(&io::ErrorKind::StorageFull.into(), Path::new("x")).to_string();
        assert_eq!(error, "no room left on the disk of x; the unfinished capture was removed");
        assert!(matches!(failed(&io::ErrorKind::BrokenPipe.into(), Path::new("-")), TargetError::ClosedPipe));
    }
}
