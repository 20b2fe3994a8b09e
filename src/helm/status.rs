//! Helm's word for the state of one revision.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// `info.status` of a release, and the label `status` of its Secret (Helm 3 and 4: `release.Status`).
///
/// An open set: what Helm may add later is kept as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// `unknown`, and an empty or absent status.
    #[default]
    Unknown,
    /// `deployed`: what runs, as far as Helm knows. Not: what runs well.
    Deployed,
    /// `uninstalled`, kept with `--keep-history`.
    Uninstalled,
    /// `superseded`: another revision came later. Its description may still tell of a failure.
    Superseded,
    /// `failed`.
    Failed,
    /// `uninstalling`: a deletion runs, or died.
    Uninstalling,
    /// `pending-install`.
    PendingInstall,
    /// `pending-upgrade`.
    PendingUpgrade,
    /// `pending-rollback`.
    PendingRollback,
    /// Anything else, as stored.
    Other(String),
}

/// Every word that Helm 4.3 knows.
const WORDS: &[(&str, Status)] = &[
    ("unknown", Status::Unknown),
    ("deployed", Status::Deployed),
    ("uninstalled", Status::Uninstalled),
    ("superseded", Status::Superseded),
    ("failed", Status::Failed),
    ("uninstalling", Status::Uninstalling),
    ("pending-install", Status::PendingInstall),
    ("pending-upgrade", Status::PendingUpgrade),
    ("pending-rollback", Status::PendingRollback),
];

impl Status {
    /// Helm's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Other(word) => word,
            known => WORDS.iter().find(|(_, status)| status == known).map_or("unknown", |(word, _)| word),
        }
    }

    /// One of the three `pending-…`: Helm works on it, or died while it did. Upgrades are refused with
    /// `another operation (install/upgrade/rollback) is in progress`.
    pub fn pending(&self) -> bool {
        matches!(self, Self::PendingInstall | Self::PendingUpgrade | Self::PendingRollback)
    }

    /// Pending, or `uninstalling`: no result was written.
    pub fn unfinished(&self) -> bool {
        self.pending() || *self == Self::Uninstalling
    }

    /// `failed`. Other revisions may have failed too: read the description (field-guide 4).
    pub fn failed(&self) -> bool {
        *self == Self::Failed
    }
}

impl From<&str> for Status {
    fn from(word: &str) -> Self {
        if word.is_empty() {
            return Self::Unknown;
        }
        WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map_or_else(|| Self::Other(word.into()), |(_, status)| status.clone())
    }
}

impl FromStr for Status {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Self, Infallible> {
        Ok(word.into())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_both_ways() {
        for (word, status) in WORDS {
            assert_eq!(Status::from(*word), *status);
            assert_eq!(status.to_string(), *word);
        }
        assert_eq!(Status::from("pending-teleport").as_str(), "pending-teleport");
        assert_eq!(Status::from(""), Status::Unknown);
    }

    #[test]
    fn uninstalling_is_unfinished_and_not_pending() {
        assert!(Status::Uninstalling.unfinished() && !Status::Uninstalling.pending());
        assert!(Status::PendingRollback.pending() && !Status::Failed.unfinished());
    }
}
