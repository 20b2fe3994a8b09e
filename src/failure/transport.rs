//! Undoes what carried the text: escape layers of slog and JSON, box drawings, HTML entities, typographic
//! quotes, terminal colours.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// At most so many escape layers are undone; more were never seen.
const LAYERS: usize = 4;

/// The text as its program wrote it, as far as that can be told. Line breaks stay.
pub(super) fn undo(text: &str) -> String {
    let text = without_control(text);
    let text = without_markup(&text);
    let mut out = String::with_capacity(text.len());
    for (nth, line) in without_box(&text).split('\n').enumerate() {
        if nth > 0 {
            out.push('\n');
        }
        out.push_str(&unescaped(line));
    }
    out
}

/// Terminal sequences and control characters other than line feed and tab are nobody's words.
fn without_control(text: &str) -> Cow<'_, str> {
    static SEQUENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("\u{1b}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\u{7}\u{1b}]*(?:\u{7}|\u{1b}\\\\)?)").ok()
    });
    if !text.bytes().any(|byte| byte < 0x20 && !matches!(byte, b'\n' | b'\t') || byte == 0x7f) {
        return Cow::Borrowed(text);
    }
    let plain = match SEQUENCE.as_ref() {
        Some(sequence) => sequence.replace_all(text, ""),
        None => Cow::Borrowed(text),
    };
    Cow::Owned(plain.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_ascii_control()).collect())
}

/// Slack and HTML: `&amp;&amp;`, `<http://k8s.io|k8s.io>`; word processors: curly quotes.
fn without_markup(text: &str) -> Cow<'_, str> {
    static LINK: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"<(?:https?://|mailto:)[^|>\s]*\|([^>\n]*)>").ok());
    let mut text = Cow::Borrowed(text);
    if ["&amp;", "&quot;", "&#34;", "&#39;", "&lt;"].iter().any(|entity| text.contains(entity)) {
        let mut plain = text.into_owned();
        for (entity, character) in
            [("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        {
            plain = plain.replace(entity, character);
        }
        text = Cow::Owned(plain);
    }
    if (text.contains("<http") || text.contains("<mailto"))
        && let Some(link) = LINK.as_ref()
    {
        text = Cow::Owned(link.replace_all(&text, "$1").into_owned());
    }
    // Only where no straight quote is left: a quoted name may hold curly ones of its own.
    if !text.contains('"') && text.contains(['\u{201c}', '\u{201d}', '\u{201e}']) {
        text = Cow::Owned(text.replace(['\u{201c}', '\u{201d}', '\u{201e}'], "\""));
    }
    if text.contains("don\u{2019}t") {
        text = Cow::Owned(text.replace('\u{2019}', "'"));
    }
    text
}

/// Terraform's box has a left edge; a terminal table has two and breaks words.
fn without_box(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{2502}', '\u{2577}', '\u{2575}']) {
        return Cow::Borrowed(text);
    }
    let joined = text.replace("\u{2502}\n\u{2502}", "");
    let mut out = String::with_capacity(joined.len());
    for (nth, line) in joined.split('\n').enumerate() {
        if nth > 0 {
            out.push('\n');
        }
        let line = line.trim_end_matches(['\u{2502}', ' ']);
        let inner = line.trim_start_matches(['\u{2502}', '\u{2577}', '\u{2575}']);
        out.push_str(if inner.len() < line.len() { inner.strip_prefix(' ').unwrap_or(inner) } else { line });
    }
    Cow::Owned(out)
}

/// One physical line without its escape layers. A quote after a word and a blank is the program's own: the
/// backslashes before the first such quote count the layers.
fn unescaped(line: &str) -> Cow<'_, str> {
    if !line.contains('\\') {
        return Cow::Borrowed(line);
    }
    let mut line = Cow::Borrowed(line);
    for _ in 0..LAYERS {
        let carried = match own_quote(&line) {
            Some(backslashes) => backslashes > 0,
            None => is_quoted_value(&line),
        };
        if !carried {
            break;
        }
        line = Cow::Owned(one_layer_less(&line));
    }
    line
}

/// Backslashes before the first quote that follows a letter and a blank. On a line that lists a field path it is
/// the first quote of all: `- .env[name="a \""]`.
fn own_quote(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let lists_a_path = ["- .", "- ["].iter().any(|lead| line.trim_start().starts_with(lead));
    memchr::memchr_iter(b'"', bytes).find_map(|at| {
        let before = bytes.get(..at)?;
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        let word = before.get(..at - backslashes)?;
        match word {
            _ if lists_a_path => Some(backslashes),
            [.., letter, b' '] if letter.is_ascii_alphabetic() => Some(backslashes),
            _ => None,
        }
    })
}

/// `error="…\n…"` and `"message":"…\n…"`: a value of a log line without a quote of its own.
fn is_quoted_value(line: &str) -> bool {
    const KEYS: [&str; 8] =
        ["error=\"", "err=\"", "msg=\"", "\"error\":", "\"err\":", "\"message\":", "\"msg\":", "stderr:"];
    (line.contains("\\n") || line.contains("\\t") || line.contains("\\\""))
        && KEYS.iter().any(|key| line.contains(key))
}

fn one_layer_less(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => {}
            Some('u') => match code_point(rest.as_str()) {
                Some(decoded) => {
                    out.push(decoded);
                    rest = rest.as_str().get(4..).unwrap_or_default().chars();
                }
                None => out.push_str("\\u"),
            },
            Some(escaped @ ('"' | '\\' | '/' | '\'')) => out.push(escaped),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

/// JSON writes `&`, `<` and `>` as `\u0026`, `\u003c`, `\u003e` (Go's HTML escaping).
fn code_point(digits: &str) -> Option<char> {
    let decoded = char::from_u32(u32::from_str_radix(digits.get(..4)?, 16).ok()?)?;
    (!decoded.is_control()).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_at_the_programs_own_quotes() {
        for (carried, plain) in [
            (r#"conflict with "a\"b": .x"#, r#"conflict with "a\"b": .x"#),
            (r#"error="conflict with \"m\" using v1: .x""#, r#"error="conflict with "m" using v1: .x""#),
            (r#"- .f[name="a \""]"#, r#"- .f[name="a \""]"#),
            (r#"with \\"m\\" using"#, r#"with "m" using"#),
            (r#"with \\\\\"m\\\\\" using"#, r#"with "m" using"#),
            (
                r#"error="timed out\ncontext deadline exceeded""#,
                "error=\"timed out\ncontext deadline exceeded\"",
            ),
            (r"regex used for validation is '(\.[a-z])*'", r"regex used for validation is '(\.[a-z])*'"),
            (r#"with \"a\" \u0026\u0026 b"#, r#"with "a" && b"#),
        ] {
            assert_eq!(undo(carried), plain, "{carried}");
        }
    }

    #[test]
    fn boxes_and_markup_go() {
        assert_eq!(undo("due to a\u{2502}\n\u{2502}tomic being set"), "due to atomic being set");
        assert_eq!(undo("\u{2502} Error: x\n\u{2502} \n\u{2502} y\n\u{2575}"), "Error: x\n\ny\n");
        assert_eq!(undo("a &amp;&amp; <http://apps.example|apps.example>/v1"), "a && apps.example/v1");
        assert_eq!(undo("\u{1b}[31mError\u{1b}[0m: x\r\n"), "Error: x\n");
    }
}
