//! A payload as it was found, and in which wrappings.

use std::borrow::Cow;

use serde_json::Value;

use super::{DecodeError, Decoder, Fault, Head, Layer, Limit, base64, inflate, prefix};
use crate::helm::Release;

/// The release in a pasted or saved payload of any wrapping ([`Payload::sniff`]).
///
/// # Errors
/// It is no release, or damaged, or larger than the limit.
pub fn decode(payload: &[u8], limit: Limit) -> Result<Release, DecodeError> {
    Payload::sniff(payload)?.release(limit)
}

/// Name, info and chart metadata of a payload of any wrapping, without reading the bulk.
///
/// # Errors
/// It is no release, or damaged before these.
pub fn decode_head(payload: &[u8]) -> Result<Head, DecodeError> {
    Payload::sniff(payload)?.head()
}

/// An encoded release.
#[derive(Clone, Debug)]
pub struct Payload<'a> {
    bytes: Cow<'a, [u8]>,
    wrapping: Wrapping,
}

/// How many base64 layers lie around the gzip stream or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrapping {
    /// The gzip stream or JSON itself.
    Bare,
    /// Helm's base64: `data.release` of a ConfigMap, or of a Secret that was decoded once
    /// (`kubectl get -o jsonpath … | base64 -d`, `stringData`).
    Helm,
    /// Kubernetes' base64 around Helm's: `data.release` of a Secret.
    Kubernetes,
}

impl Wrapping {
    const ALL: [Self; 3] = [Self::Bare, Self::Helm, Self::Kubernetes];

    fn base64_layers(self) -> &'static [Layer] {
        match self {
            Self::Bare => &[],
            Self::Helm => &[Layer::InnerBase64],
            Self::Kubernetes => &[Layer::OuterBase64, Layer::InnerBase64],
        }
    }
}

impl<'a> Payload<'a> {
    /// `data.release` of a Secret: base64 twice.
    pub fn from_secret_data(release: &'a str) -> Self {
        Self { bytes: Cow::Borrowed(release.as_bytes()), wrapping: Wrapping::Kubernetes }
    }

    /// `data.release` of a ConfigMap: base64 once.
    pub fn from_config_map_data(release: &'a str) -> Self {
        Self { bytes: Cow::Borrowed(release.as_bytes()), wrapping: Wrapping::Helm }
    }

    /// A payload on its own, wrappings found by content; white space and quotes around and line breaks
    /// and blanks inside pasted text are dropped.
    ///
    /// # Errors
    /// It is empty, or begins like no payload.
    pub fn sniff(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let bytes = trim(bytes);
        if bytes.is_empty() {
            return Err(DecodeError::new(Layer::Input, None, Fault::Empty));
        }
        if is_record(bytes) {
            return Ok(Self { bytes: Cow::Borrowed(bytes), wrapping: Wrapping::Bare });
        }
        let text = without_white_space(bytes);
        // A multiple of four, so that it can be decoded twice.
        let mut beginning = text[..text.len().min(64)].to_vec();
        for wrapping in Wrapping::ALL.into_iter().skip(1) {
            if !base64::looks_like(&beginning) {
                break;
            }
            beginning = base64::prefix(&beginning);
            if is_record(&beginning) {
                return Ok(Self { bytes: text, wrapping });
            }
        }
        Err(DecodeError::new(Layer::Input, None, Fault::Unknown))
    }

    /// The same, with its own copy of the text.
    pub fn into_owned(self) -> Payload<'static> {
        Payload { bytes: Cow::Owned(self.bytes.into_owned()), wrapping: self.wrapping }
    }

    /// The wrapping that was named or found.
    pub fn wrapping(&self) -> Wrapping {
        self.wrapping
    }

    /// Name, info and chart metadata. Reads the beginning only: a record that is damaged behind its
    /// beginning still has a head.
    ///
    /// # Errors
    /// It is no release, or damaged before these.
    pub fn head(&self) -> Result<Head, DecodeError> {
        let reading = prefix::head(self, Limit::default());
        if reading.is_complete() {
            return Ok(reading.head);
        }
        // Either damaged, or a record that lacks one of them: only a full reading tells.
        Decoder::default().view(self).map(|_| reading.head)
    }

    /// The release, without chart templates and files.
    ///
    /// # Errors
    /// It is no release, or damaged, or larger than the limit.
    pub fn release(&self, limit: Limit) -> Result<Release, DecodeError> {
        Decoder::new(limit).release(self)
    }

    /// The record whole, as stored.
    ///
    /// # Errors
    /// As [`Payload::release`].
    pub fn json(&self, limit: Limit) -> Result<Value, DecodeError> {
        let mut decoder = Decoder::new(limit);
        decoder.view(self)?;
        decoder.read(self)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn base64_layers(&self) -> &'static [Layer] {
        self.wrapping.base64_layers()
    }
}

/// Gzip or a JSON object.
fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(&inflate::MAGIC) || bytes.starts_with(b"{")
}

fn trim(bytes: &[u8]) -> &[u8] {
    let mut bytes = bytes.trim_ascii();
    for quote in [b'"', b'\''] {
        if let [first, inner @ .., last] = bytes
            && (*first, *last) == (quote, quote)
        {
            bytes = inner.trim_ascii();
        }
    }
    bytes
}

fn without_white_space(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.iter().any(u8::is_ascii_whitespace) {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect())
}
