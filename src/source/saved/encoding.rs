//! Bytes to text: UTF-8 with or without a mark, UTF-16 as PowerShell's `>` writes it.

use std::borrow::Cow;

/// The text of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// Where in the file a borrowed text starts.
    pub offset: usize,
    /// Some bytes were no text and are replaced by U+FFFD.
    pub is_lossy: bool,
}

/// The text of these bytes.
pub(super) fn decode(bytes: &[u8]) -> Decoded<'_> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest, 3),
        _ => utf8(bytes, 0),
    }
}

fn utf8(bytes: &[u8], offset: usize) -> Decoded<'_> {
    let text = String::from_utf8_lossy(bytes);
    let is_lossy = matches!(text, Cow::Owned(_));
    Decoded { text, offset, is_lossy }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded<'_> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    match String::from_utf16(&units) {
        Ok(text) => Decoded { text: text.into(), offset: 0, is_lossy: !rest.is_empty() },
        Err(_) => Decoded { text: String::from_utf16_lossy(&units).into(), offset: 0, is_lossy: true },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        for (bytes, text, offset, is_lossy) in [
            (&b"a"[..], "a", 0, false),
            (b"\xef\xbb\xbfa", "a", 3, false),
            (b"\xff\xfea\0", "a", 0, false),
            (b"\xfe\xff\0a", "a", 0, false),
            (b"a\xffb", "a\u{fffd}b", 0, true),
        ] {
            assert_eq!(decode(bytes), Decoded { text: text.into(), offset, is_lossy }, "{bytes:?}");
        }
    }
}
