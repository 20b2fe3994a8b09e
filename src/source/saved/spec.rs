//! `--from PATH`, `--from NAME=PATH`, `--from -`.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One piece of saved evidence, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSpec {
    /// The cluster that it is of, where the user says so.
    pub name: Option<String>,
    /// Where it is.
    pub path: PathOrStdin,
}

/// A path, or `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOrStdin {
    /// A file, a folder or an archive.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

impl FromSpec {
    /// A path whose cluster is told by its layout.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self { name: None, path: PathOrStdin::Path(path.into()) }
    }

    /// A path of one named cluster.
    pub fn named(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { name: Some(name.into()), path: PathOrStdin::Path(path.into()) }
    }
}

/// A `=` splits only where what stands before it can be a cluster's name: `./a=b/dump` is a path.
impl FromStr for FromSpec {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !name.contains(['/', '\\']) => {
                (Some(name.to_owned()), path)
            }
            _ => (None, text),
        };
        let path = if path == "-" { PathOrStdin::Stdin } else { PathOrStdin::Path(path.into()) };
        Ok(Self { name, path })
    }
}

/// The path as it was given.
impl fmt::Display for PathOrStdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_before_the_equals_sign() {
        for (text, want) in [
            ("dump", FromSpec::path("dump")),
            ("prod=dump", FromSpec::named("prod", "dump")),
            ("prod eu=dump=2", FromSpec::named("prod eu", "dump=2")),
            ("./a=b/dump", FromSpec::path("./a=b/dump")),
            ("=dump", FromSpec::path("=dump")),
            ("-", FromSpec { name: None, path: PathOrStdin::Stdin }),
            ("c-prod=-", FromSpec { name: Some("c-prod".into()), path: PathOrStdin::Stdin }),
        ] {
            assert_eq!(text.parse::<FromSpec>(), Ok(want), "{text}");
        }
    }
}
