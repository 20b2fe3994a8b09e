//! The way from text to record, with buffers that are used again for the next payload.

use libdeflater::Decompressor;
use serde::Deserialize;

use super::{DecodeError, Fault, Layer, Limit, Payload, ReleaseView, base64, inflate, prefix};
use crate::helm::Release;

/// Decodes one payload after the other. Views borrow from it.
pub struct Decoder {
    limit: Limit,
    inflater: Decompressor,
    binary: Vec<u8>,
    json: Vec<u8>,
    streamed: Vec<u8>,
    sizes: Sizes,
}

/// Bytes of one payload at each layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// As given.
    pub given: usize,
    /// Helm's own base64 text, which counts against the 1 MiB that a Secret holds; 0 for a bare payload.
    pub stored: usize,
    /// The gzip stream; equal to `json` where Helm did not compress.
    pub compressed: usize,
    /// The record.
    pub json: usize,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new(Limit::default())
    }
}

impl Decoder {
    /// A decoder that refuses records above the limit.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            inflater: Decompressor::new(),
            binary: Vec::new(),
            json: Vec::new(),
            streamed: Vec::new(),
            sizes: Sizes::default(),
        }
    }

    /// The release, borrowed from this decoder.
    ///
    /// # Errors
    /// It is no release, or damaged, or larger than the limit.
    pub fn view<'a>(&'a mut self, payload: &'a Payload<'_>) -> Result<ReleaseView<'a>, DecodeError> {
        let view: ReleaseView<'a> = self.read(payload)?;
        if view.name.as_ref().is_none_or(|name| name.as_str().is_empty()) {
            let fault = Fault::NotARelease("it has no release name, so it is no Helm release".into());
            return Err(DecodeError::new(Layer::Json, None, fault));
        }
        Ok(view)
    }

    /// The release as an owned record.
    ///
    /// # Errors
    /// As [`Decoder::view`].
    pub fn release(&mut self, payload: &Payload<'_>) -> Result<Release, DecodeError> {
        let limit = self.limit;
        let view = self.view(payload)?;
        view.into_release().map_err(|error| {
            prefix::rescue(payload, DecodeError::new(Layer::Json, None, shape(&error)), limit)
        })
    }

    /// The record as any type that serde can read.
    ///
    /// # Errors
    /// As [`Decoder::view`].
    pub fn read<'a, T: Deserialize<'a>>(&'a mut self, payload: &'a Payload<'_>) -> Result<T, DecodeError> {
        let limit = self.limit;
        self.read_or_fail(payload).map_err(|error| prefix::rescue(payload, error, limit))
    }

    /// The sizes of the payload that was decoded last.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn read_or_fail<'a, T: Deserialize<'a>>(
        &'a mut self,
        payload: &'a Payload<'_>,
    ) -> Result<T, DecodeError> {
        let Self { limit, inflater, binary, json, streamed, sizes } = self;
        *sizes = Sizes { given: payload.len(), ..Sizes::default() };
        let binary = unwrap(payload, binary, sizes)?;
        sizes.compressed = binary.len();
        if !binary.starts_with(&inflate::MAGIC) {
            sizes.json = binary.len();
            return parse(binary);
        }
        if let Some(size) = inflate::at_once(binary, *limit, inflater, json)
            && let Ok(record) = parse(&json[..size])
        {
            sizes.json = size;
            return Ok(record);
        }
        let size = inflate::stream(binary, *limit, streamed)?;
        sizes.json = size;
        parse(&streamed[..size])
    }
}

/// Undoes base64.
fn unwrap<'a>(
    payload: &'a Payload<'_>,
    buffer: &'a mut Vec<u8>,
    sizes: &mut Sizes,
) -> Result<&'a [u8], DecodeError> {
    if payload.len() == 0 {
        let layer = payload.base64_layers().first().copied().unwrap_or(Layer::Input);
        return Err(DecodeError::new(layer, Some(0), Fault::Empty));
    }
    let length = match payload.base64_layers() {
        [outer, inner] => {
            let length = base64::decode(payload.bytes(), buffer, *outer)?;
            sizes.stored = length;
            base64::decode_in_place(buffer, length, *inner)?
        }
        [layer, ..] => {
            sizes.stored = payload.len();
            base64::decode(payload.bytes(), buffer, *layer)?
        }
        [] => return Ok(payload.bytes()),
    };
    Ok(&buffer[..length])
}

fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, DecodeError> {
    serde_json::from_slice(json).map_err(|error| judge(json, &error))
}

#[cold]
fn judge(json: &[u8], error: &serde_json::Error) -> DecodeError {
    if json.is_empty() {
        return DecodeError::new(Layer::Json, None, Fault::Empty);
    }
    let at = Some(offset(json, error.line(), error.column()));
    let fault = match error.classify() {
        serde_json::error::Category::Data => shape(error),
        serde_json::error::Category::Eof => Fault::Json("it is cut off: the end is missing".into()),
        _ if !json.trim_ascii_start().starts_with(b"{") => {
            Fault::Json("what was unwrapped is not JSON".into())
        }
        _ => Fault::Json(format!("it is damaged ({})", without_place(error))),
    };
    DecodeError::new(Layer::Json, at, fault)
}

/// serde quotes the offending value, which may be a secret: only what it expected is kept.
fn shape(error: &serde_json::Error) -> Fault {
    let text = without_place(error);
    let expected = text.rsplit_once("expected ").map_or("another shape", |(_, expected)| expected);
    Fault::NotARelease(format!("it does not have the shape of a Helm release (expected {expected} here)"))
}

fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn offset(json: &[u8], line: usize, column: usize) -> usize {
    let before = json.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1));
    (before.map(<[u8]>::len).sum::<usize>() + column).saturating_sub(1).min(json.len())
}
