//! Why a payload is no release.

use std::fmt;

use super::{Head, Limit};

/// One payload that cannot be read: what is wrong, in which layer, at which byte, and what was saved.
///
/// Helm skips such a record without a word; if it is the newest one, every later upgrade fails with
/// `release: already exists` (Helm 3.22, 4.3).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{layer}{}: {fault}{}", place(*at), rescued(*saved_bytes, saved.is_some()))]
pub struct DecodeError {
    /// Where.
    pub layer: Layer,
    /// At which byte of that layer, counted from 0.
    pub at: Option<usize>,
    /// What.
    pub fault: Fault,
    /// Name, info and chart metadata, as far as they stand in the readable beginning.
    pub saved: Option<Box<Head>>,
    /// JSON bytes that could be read before the damage.
    pub saved_bytes: usize,
}

/// One wrapping of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Kubernetes' base64, around every Secret's data.
    OuterBase64,
    /// Helm's own base64.
    InnerBase64,
    /// The compression.
    Gzip,
    /// The record itself.
    Json,
    /// None of them: the input as a whole.
    Input,
}

/// What is wrong with a layer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing there.
    #[error("it is empty")]
    Empty,
    /// A byte that base64 does not have.
    #[error("byte {} is not base64", byte(*.0))]
    NotBase64(u8),
    /// Not a whole number of base64 groups.
    #[error("it ends in the middle of a group: the end is missing")]
    CutBase64,
    /// Wrong padding, or bits after the end.
    #[error("its end is damaged")]
    Base64Tail,
    /// The compressed stream is cut, changed, or followed by something else.
    #[error("{0}")]
    Gzip(String),
    /// More than the limit.
    #[error("it inflates to more than {} MiB (raise it with {} if you trust it)", .0.mebibytes(), Limit::FLAG)]
    TooLarge(Limit),
    /// Not JSON, or cut.
    #[error("{0}")]
    Json(String),
    /// JSON of another shape.
    #[error("{0}")]
    NotARelease(String),
    /// Neither base64, nor gzip, nor JSON.
    #[error("it is neither base64, nor gzip, nor JSON")]
    Unknown,
}

impl DecodeError {
    pub(super) fn new(layer: Layer, at: Option<usize>, fault: Fault) -> Self {
        Self { layer, at, fault, saved: None, saved_bytes: 0 }
    }

    /// What to do about it, one sentence.
    pub fn advice(&self) -> &'static str {
        match self.fault {
            Fault::TooLarge(_) => {
                "an honest release is far smaller (5 MB at most in a Secret): look at who wrote it, or raise --max-payload"
            }
            Fault::NotARelease(_) => {
                "give the Secret or ConfigMap that `kubectl get secret -l owner=helm -o yaml` prints, or its data.release"
            }
            Fault::Empty | Fault::Unknown | Fault::CutBase64 | Fault::Json(_)
                if self.layer <= Layer::Json =>
            {
                "if this was copied by hand, copy it whole; if it is so in the cluster, restore the record from a backup or delete it: Helm skips it without a word"
            }
            Fault::Empty | Fault::Unknown => {
                "give a release Secret or ConfigMap, as YAML or JSON, or the text of its data.release"
            }
            _ => {
                "restore the record from a backup or delete it: Helm skips it without a word, and as the newest one it makes every upgrade fail with `release: already exists`"
            }
        }
    }

    /// Whether the record is damaged, as opposed to being too large or something else altogether.
    pub fn is_damage(&self) -> bool {
        !matches!(self.fault, Fault::TooLarge(_) | Fault::NotARelease(_))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OuterBase64 => "the outer base64 (Kubernetes')",
            Self::InnerBase64 => "the inner base64 (Helm's)",
            Self::Gzip => "the gzip stream",
            Self::Json => "the JSON",
            Self::Input => "the input",
        })
    }
}

fn place(at: Option<usize>) -> String {
    at.map(|at| format!(" at byte {at}")).unwrap_or_default()
}

fn rescued(bytes: usize, head: bool) -> String {
    match (bytes, head) {
        (0, _) => String::new(),
        (bytes, true) => format!(" ({bytes} bytes of JSON could be saved, with the head of the release)"),
        (bytes, false) => format!(" ({bytes} bytes of JSON could be saved)"),
    }
}

fn byte(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", char::from(byte)) } else { format!("0x{byte:02x}") }
}
