//! Reading the beginning of a payload only: for the head, and to save what stands before a damage.

use std::borrow::Cow;

use super::head::{self, Reading};
use super::{DecodeError, Fault, Limit, Payload, base64, inflate};

/// The first look: `info` ends near byte 350 of the JSON, the chart's metadata mostly before 1 500.
const FIRST_TEXT: usize = 2 << 10;
const FIRST_JSON: usize = 2 << 10;

/// How much more the next look takes (long notes, another key order).
const GROWTH: usize = 8;

/// Reads on until the head is complete or the payload ends.
pub(super) fn head(payload: &Payload<'_>, limit: Limit) -> Reading {
    let (mut text, mut json) = (FIRST_TEXT, FIRST_JSON);
    loop {
        let beginning = beginning(payload, text, json.min(limit.0));
        let reading = head::read(&beginning);
        let is_all = text >= payload.len() && (beginning.len() < json || json >= limit.0);
        if reading.is_complete() || reading.ended || is_all {
            return reading;
        }
        (text, json) = (text.saturating_mul(GROWTH), json.saturating_mul(GROWTH));
    }
}

/// The error, with what stands before the damage.
#[cold]
pub(super) fn rescue(payload: &Payload<'_>, mut error: DecodeError, limit: Limit) -> DecodeError {
    let reading = match error.fault {
        Fault::NotARelease(_) => return error,
        Fault::TooLarge(_) => head(payload, Limit(FIRST_JSON * GROWTH * GROWTH)),
        _ => {
            let beginning = beginning(payload, usize::MAX, limit.0);
            error.saved_bytes = beginning.len();
            head::read(&beginning)
        }
    };
    if reading.has_anything() {
        error.saved = Some(Box::new(reading.head));
    } else {
        error.saved_bytes = 0;
    }
    error
}

/// At most `json` bytes of the record, from at most `text` bytes of the payload.
fn beginning(payload: &Payload<'_>, text: usize, json: usize) -> Vec<u8> {
    let given = payload.bytes();
    let mut bytes = Cow::Borrowed(&given[..given.len().min(text)]);
    for _ in payload.base64_layers() {
        bytes = Cow::Owned(base64::prefix(&bytes));
    }
    if bytes.starts_with(&inflate::MAGIC) {
        return inflate::prefix(&bytes, json);
    }
    bytes[..bytes.len().min(json)].to_vec()
}
