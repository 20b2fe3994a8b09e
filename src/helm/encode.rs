//! The other direction: a record to what Helm would store. `capture` rewrites payloads without values,
//! tests make payloads.

use base64_simd::STANDARD;
use libdeflater::{CompressionLvl, Compressor};

/// Helm's level (`gzip.BestCompression`, Helm 3 and 4).
const LEVEL: i32 = 9;

/// `data.release` of a Secret, as the API server shows it: JSON, gzip, base64 twice.
pub fn secret_data(json: &[u8]) -> String {
    STANDARD.encode_to_string(config_map_data(json))
}

/// `data.release` of a ConfigMap: JSON, gzip, base64 once.
pub fn config_map_data(json: &[u8]) -> String {
    STANDARD.encode_to_string(gzip(json))
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let level = CompressionLvl::new(LEVEL).unwrap_or_default();
    let mut compressor = Compressor::new(level);
    let mut out = vec![0; compressor.gzip_compress_bound(bytes.len())];
    // The bound is the compressor's own, so there is always room.
    let length = compressor.gzip_compress(bytes, &mut out).unwrap_or_default();
    out.truncate(length);
    out
}
