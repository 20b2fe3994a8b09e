//! Where a text quotes a whole value: JSON, a Go dump, a quoted string. The API server quotes what it
//! refused, Fleet quotes what drifted.

use std::ops::Range;

use memchr::memmem;

/// What stands before a quoted value, and how many of its bytes belong to the value.
const LEADS: [(&str, usize); 7] = [
    ("Invalid value: ", 0),
    ("Unsupported value: ", 0),
    ("Not found: ", 0),
    (" modified {", 1),
    ("patch list: ", 0),
    ("setElementOrder list: ", 0),
    ("byte of ...|", 1),
];

/// What ends a value that never closes, because somebody cut it.
const AFTER: [&str; 3] = [": field is immutable", " && ", ": cannot change roleRef"];

/// The quoted values, in order, without overlap. Plain numbers and words are no dumps.
pub(crate) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = LEADS
        .iter()
        .flat_map(|(lead, own)| memmem::find_iter(text.as_bytes(), lead).map(move |at| at + lead.len() - own))
        .collect();
    starts.sort_unstable();
    let mut spans: Vec<Range<usize>> = Vec::new();
    for start in starts {
        if spans.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let end = end_of_value(text, start);
        // Fleet's `modified {` must stay readable: only what is inside is the value.
        let inside =
            start + usize::from(text.get(..start).is_some_and(|before| before.ends_with(" modified ")));
        if end > inside {
            spans.push(inside..end);
        }
    }
    spans
}

/// The end of the value that starts here; the start itself where none does.
pub(crate) fn end_of_value(text: &str, start: usize) -> usize {
    let Some(value) = text.get(start..) else { return start };
    if value.starts_with('|') {
        // The JSON decoder's context: `error found in #10 byte of ...|…|..., bigger context ...|…|...`.
        return value.rfind('|').map_or(start, |end| start + end + 1);
    }
    let bytes = value.as_bytes();
    let backslashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    if bytes.get(backslashes) == Some(&b'"') {
        return start + end_of_string(bytes, backslashes);
    }
    if !is_dump(value) {
        return start;
    }
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(bytes.get(at..).unwrap_or_default(), 0) + at;
                continue;
            }
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => {
                if depth == 0 {
                    return start + at;
                }
                depth -= 1;
            }
            // Outside of strings no value holds these: it was cut, and looking on would make reading quadratic.
            b' ' | b':' if depth > 0 && AFTER.iter().any(|end| starts_with(bytes, at, end)) => {
                return start + at;
            }
            _ if depth == 0 && !(byte.is_ascii_alphanumeric() || b"._*&<>".contains(byte)) => {
                return start + at;
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn starts_with(bytes: &[u8], at: usize, with: &str) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
}

/// `{…}`, `[…]`, `&x{…}`, `core.PodTemplateSpec{…}`, `map[string]string{…}`: brackets right after a Go type.
fn is_dump(value: &str) -> bool {
    let after_type =
        value.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '*' | '&'));
    after_type.starts_with(['{', '[', '('])
}

/// Length of a Go or JSON string that is carried with so many extra backslashes; to the end where it is cut.
fn end_of_string(bytes: &[u8], backslashes: usize) -> usize {
    let mut at = backslashes + 1;
    while let Some(found) = memchr::memchr(b'"', bytes.get(at..).unwrap_or_default()) {
        let quote = at + found;
        let run =
            bytes.get(..quote).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\').count();
        let closes = if backslashes == 0 { run % 2 == 0 } else { run <= backslashes };
        if closes {
            return quote + 1;
        }
        at = quote + 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_whole() {
        for (text, quoted) in [
            (r#"spec.selector: Invalid value: {"a":{"b":"}"}}: field is immutable"#, r#"{"a":{"b":"}"}}"#),
            (
                r#"Invalid value: v1.L{M:map[string]string{"a":"x"}, E:[]v1.R(nil)}: field"#,
                r#"v1.L{M:map[string]string{"a":"x"}, E:[]v1.R(nil)}"#,
            ),
            (r#"Invalid value: "{\"a\":\"b\"}": json: x"#, r#""{\"a\":\"b\"}""#),
            (r#"Invalid value: \"{\\\"a\\\":1}\": x"#, r#"\"{\\\"a\\\":1}\""#),
            (r#"Invalid value: core.X{A:"b", ...: field is immutable && y"#, r#"core.X{A:"b", ..."#),
            (r#"deployment.apps a/b modified {"spec":{}}; c"#, r#""spec":{}}"#),
            (r#"at byte of ...|a"b|..., bigger context ...|c|..."#, r#"|a"b|..., bigger context ...|c|"#),
        ] {
            let found: Vec<&str> = spans(text).into_iter().filter_map(|span| text.get(span)).collect();
            assert_eq!(found, [quoted], "{text}");
        }
        assert!(spans("spec.replicas: Invalid value: -1: must be").is_empty());
    }
}
