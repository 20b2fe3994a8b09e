//! The files of a folder, in the order of their names.

use std::fs;
use std::path::{Path, PathBuf};

use super::Limits;
use super::trouble::{Matter, Trouble};

/// What a folder holds.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Path on disk, and path relative to the folder with `/`.
    pub files: Vec<(PathBuf, String)>,
    pub troubles: Vec<Trouble>,
}

/// Walks a folder. Links are not followed: they can lead out of the dump, or round and round.
pub(super) fn walk(root: &Path, limits: &Limits) -> Walked {
    let mut walked = Walked::default();
    walked.folder(root, "", 0, limits);
    walked
}

impl Walked {
    fn folder(&mut self, folder: &Path, origin: &str, depth: usize, limits: &Limits) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.trouble(origin, unreadable(&error)),
        };
        let mut entries: Vec<fs::DirEntry> = entries.flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let origin = if origin.is_empty() { name.into_owned() } else { format!("{origin}/{name}") };
            match entry.file_type() {
                Err(error) => self.trouble(&origin, unreadable(&error)),
                Ok(kind) if kind.is_symlink() => self.trouble(&origin, Matter::Link),
                Ok(kind) if kind.is_dir() && depth >= limits.depth => {
                    let what = format!("more than {} folders inside each other", limits.depth);
                    self.trouble(&origin, Matter::TooMuch { what });
                }
                Ok(kind) if kind.is_dir() => self.folder(&entry.path(), &origin, depth + 1, limits),
                Ok(kind) if !kind.is_file() => self.trouble(&origin, Matter::Device),
                Ok(_) if self.files.len() >= limits.files => {
                    let what = format!("more than {} files", limits.files);
                    return self.trouble(&origin, Matter::TooMuch { what });
                }
                Ok(_) => self.files.push((entry.path(), origin)),
            }
        }
    }

    fn trouble(&mut self, origin: &str, matter: Matter) {
        let origin = if origin.is_empty() { ".".to_owned() } else { origin.to_owned() };
        self.troubles.push(Trouble { origin, matter });
    }
}

/// The system's words, without Rust's error number.
pub(super) fn unreadable(error: &std::io::Error) -> Matter {
    let why = error.to_string();
    Matter::Unreadable { why: why.split(" (os error").next().unwrap_or(&why).to_lowercase() }
}
