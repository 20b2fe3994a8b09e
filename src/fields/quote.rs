//! Go's `%q`: how the API server prints strings inside paths and manager names.

/// `text` as Go's `strconv.Quote` prints it.
pub fn go_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            _ if is_printable(character) => out.push(character),
            _ => {
                let code = u32::from(character);
                out.push_str(&match code {
                    0..0x80 => format!("\\x{code:02x}"),
                    0x80..0x1_0000 => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                });
            }
        }
    }
    out.push('"');
    out
}

/// Reads a Go-quoted string at the start of `text`; gives the string and what follows it.
pub fn go_unquote(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let character = rest.chars().next()?;
        rest = rest.get(character.len_utf8()..)?;
        match character {
            '"' => return Some((out, rest)),
            '\\' => {
                let escape = rest.chars().next()?;
                rest = rest.get(escape.len_utf8()..)?;
                let digits = match escape {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                if digits > 0 {
                    let code = u32::from_str_radix(rest.get(..digits)?, 16).ok()?;
                    out.push(char::from_u32(code)?);
                    rest = rest.get(digits..)?;
                    continue;
                }
                out.push(match escape {
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'v' => '\u{b}',
                    '"' | '\\' | '\'' => escape,
                    _ => return None,
                });
            }
            _ => out.push(character),
        }
    }
}

/// Go calls marks printable where `char::escape_debug` escapes them; behind a letter both agree.
fn is_printable(character: char) -> bool {
    character == '\'' || format!("a{character}").escape_debug().count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        for (text, quoted) in [
            ("TCP", r#""TCP""#),
            ("/etc/x/config.yaml", r#""/etc/x/config.yaml""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("tab\there\n", r#""tab\there\n""#),
            ("\u{1b}[31m", r#""\x1b[31m""#),
            ("\u{202e}x", r#""\u202ex""#),
            ("é 世 '", "\"é 世 '\""),
            ("e\u{301}", "\"e\u{301}\""),
            ("\u{e0001}", r#""\U000e0001""#),
        ] {
            assert_eq!(go_quote(text), quoted);
            assert_eq!(go_unquote(quoted), Some((text.to_owned(), "")));
        }
    }

    #[test]
    fn what_is_not_quoted_is_refused() {
        for text in ["", "a", "\"", "\"a", "\"\\", "\"\\q\"", "\"\\x4\"", "\"\\xé\"", "\"\\U00110000\""] {
            assert_eq!(go_unquote(text), None, "{text}");
        }
        assert_eq!(go_unquote("\"a\",b"), Some(("a".to_owned(), ",b")));
    }
}
