//! Base64 as Go's decoder takes it: standard alphabet, padded, line breaks ignored.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64_simd::{Out, STANDARD};

use super::{DecodeError, Fault, Layer};

/// Go's `StdEncoding` does not look at the bits after the end; base64-simd does.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Decodes `text` into `buffer` (reused, never shrunk) and returns the number of bytes.
pub(super) fn decode(text: &[u8], buffer: &mut Vec<u8>, layer: Layer) -> Result<usize, DecodeError> {
    let room = text.len() / 4 * 3 + 3;
    if buffer.len() < room {
        buffer.resize(room, 0);
    }
    if let Ok(bytes) = STANDARD.decode(text, Out::from_slice(buffer)) {
        return Ok(bytes.len());
    }
    decode_leniently(text, buffer, layer)
}

/// Decodes the first `length` bytes of `buffer` where they lie.
pub(super) fn decode_in_place(buffer: &mut [u8], length: usize, layer: Layer) -> Result<usize, DecodeError> {
    let text = &mut buffer[..length];
    if STANDARD.check(text).is_ok()
        && let Ok(bytes) = STANDARD.decode_inplace(text)
    {
        return Ok(bytes.len());
    }
    let text = text.to_vec();
    decode_leniently(&text, buffer, layer)
}

#[cold]
fn decode_leniently(text: &[u8], buffer: &mut [u8], layer: Layer) -> Result<usize, DecodeError> {
    let clean = without_line_breaks(text);
    match LENIENT.decode(&clean) {
        Ok(bytes) => {
            buffer[..bytes.len()].copy_from_slice(&bytes);
            Ok(bytes.len())
        }
        Err(error) => {
            let (at, fault) = judge(&clean, error);
            Err(DecodeError::new(layer, Some(original_offset(text, at)), fault))
        }
    }
}

/// As much as can be decoded from the beginning of `text`.
pub(super) fn prefix(text: &[u8]) -> Vec<u8> {
    let clean = without_line_breaks(text);
    let good = clean.iter().position(|byte| !is_base64(*byte)).unwrap_or(clean.len());
    LENIENT.decode(&clean[..good / 4 * 4]).unwrap_or_default()
}

/// Whether the text can be base64 at all, judged by its beginning.
pub(super) fn looks_like(text: &[u8]) -> bool {
    let beginning = &text[..text.len().min(16)];
    beginning.len() >= 4
        && beginning.iter().enumerate().all(|(at, byte)| is_base64(*byte) || (at > 1 && *byte == b'='))
}

fn judge(clean: &[u8], error: base64::DecodeError) -> (usize, Fault) {
    if clean.is_empty() {
        return (0, Fault::Empty);
    }
    // The crate reports the first trouble that it meets, which may be the padding of a text that is
    // damaged earlier: the first foreign byte is what a person can find.
    let padding = clean.iter().rev().take_while(|byte| **byte == b'=').count().min(2);
    let body = &clean[..clean.len() - padding];
    if let Some(at) = body.iter().position(|byte| !is_base64(*byte)) {
        return (at, Fault::NotBase64(body[at]));
    }
    match error {
        base64::DecodeError::InvalidLength(_) | base64::DecodeError::InvalidPadding => {
            (clean.len(), Fault::CutBase64)
        }
        _ => (body.len().saturating_sub(1), Fault::Base64Tail),
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/'
}

/// Go's `encoding/base64` ignores `\r` and `\n` wherever they stand.
fn without_line_breaks(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'\r', b'\n', text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect())
}

fn original_offset(text: &[u8], clean_offset: usize) -> usize {
    text.iter()
        .enumerate()
        .filter(|(_, byte)| !matches!(byte, b'\r' | b'\n'))
        .nth(clean_offset)
        .map_or(text.len(), |(at, _)| at)
}
