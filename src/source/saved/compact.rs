//! JSON without the white space between its tokens.

use memchr::memchr2;

/// The same JSON on one line. The text must be valid JSON.
///
/// Dumps are pretty-printed: half of a `kubectl get -o json` is indentation.
pub(super) fn compact(json: &str) -> String {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(json.len() / 2 + 16);
    let mut at = 0;
    let mut kept_from = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b' ' | b'\n' | b'\r' | b'\t' => {
                out.push_str(&json[kept_from..at]);
                at += 1;
                while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
                    at += 1;
                }
                kept_from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(json.get(kept_from..).unwrap_or_default());
    out
}

/// The position behind the closing quote of a string whose content starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn only_white_space_between_tokens_goes() {
        for (json, want) in [
            ("{ \"a\" : [ 1 , 2 ] }\n", "{\"a\":[1,2]}"),
            ("\"a b\\\" c\"", "\"a b\\\" c\""),
            ("{\"a\\\\\" :\t\"ü \"}", "{\"a\\\\\":\"ü \"}"),
            ("", ""),
            ("\"open \\", "\"open \\"),
        ] {
            assert_eq!(compact(json), want);
        }
    }
}
