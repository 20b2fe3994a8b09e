//! Gzip with a bound: in one shot where the trailer can be believed, else streamed.

use std::io::{self, Read};

use flate2::bufread::MultiGzDecoder;
use libdeflater::Decompressor;

use super::{DecodeError, Fault, Layer, Limit};

/// What every gzip stream begins with; Helm looks for these three bytes.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// Header and trailer of a gzip stream that holds nothing.
const SMALLEST: usize = 18;

/// No deflate stream inflates to more than this many times its size.
const DEFLATE_MAXIMUM: usize = 1032;

/// Inflates the whole stream at once if its last four bytes (ISIZE) tell the size, `None` where that is
/// not the case: several members, a lie, damage, or over the limit. Only [`stream`] can tell these apart.
///
/// `Some` is not yet certain: libdeflater stops after the first of several members, and equally long
/// members pass the length check. If the JSON does not parse, stream.
pub(super) fn at_once(
    gzip: &[u8],
    limit: Limit,
    inflater: &mut Decompressor,
    buffer: &mut Vec<u8>,
) -> Option<usize> {
    let size = isize_of(gzip)?;
    if size > limit.0 || size > gzip.len().saturating_mul(DEFLATE_MAXIMUM) {
        return None;
    }
    if buffer.len() < size {
        buffer.resize(size, 0);
    }
    let written = inflater.gzip_decompress(gzip, &mut buffer[..size]).ok()?;
    (written == size).then_some(size)
}

/// Inflates every member in order. Two passes: the first one only counts, so that a bomb costs time and
/// no memory.
pub(super) fn stream(gzip: &[u8], limit: Limit, buffer: &mut Vec<u8>) -> Result<usize, DecodeError> {
    let mut counted = bounded(gzip, limit);
    let size = match io::copy(&mut counted, &mut io::sink()) {
        Ok(size) => usize::try_from(size).unwrap_or(usize::MAX),
        Err(error) => return Err(damage(gzip, &error)),
    };
    if size > limit.0 {
        return Err(DecodeError::new(Layer::Gzip, None, Fault::TooLarge(limit)));
    }
    buffer.clear();
    buffer.reserve_exact(size);
    bounded(gzip, limit).read_to_end(buffer).map_err(|error| damage(gzip, &error))
}

/// Whatever can be inflated before the damage, at most `limit`.
pub(super) fn prefix(gzip: &[u8], limit: usize) -> Vec<u8> {
    let mut saved = Vec::new();
    // The error is known already: this only saves what stands before it.
    let _ = bounded(gzip, Limit(limit)).read_to_end(&mut saved);
    saved.truncate(limit);
    saved
}

fn bounded(gzip: &[u8], limit: Limit) -> impl Read + '_ {
    MultiGzDecoder::new(gzip).take(limit.0 as u64 + 1)
}

fn isize_of(gzip: &[u8]) -> Option<usize> {
    if gzip.len() < SMALLEST {
        return None;
    }
    let (_, tail) = gzip.split_last_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*tail)).ok()
}

fn damage(gzip: &[u8], error: &io::Error) -> DecodeError {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut off: the end is missing".to_owned(),
        _ if gzip.len() < SMALLEST => "too short for a gzip stream".to_owned(),
        _ => format!("it is damaged ({error})"),
    };
    let at = (error.kind() == io::ErrorKind::UnexpectedEof).then_some(gzip.len());
    DecodeError::new(Layer::Gzip, at, Fault::Gzip(what))
}
