//! A place in a text, with the few moves that the conflict grammar needs.

use std::borrow::Cow;

/// Moves forward only, so that reading is linear.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// Byte that comes next.
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// What is left.
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Any white-space run, also none: terminals and YAML fold where the grammar has a blank.
    pub fn blanks(&mut self) -> &mut Self {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self
    }

    /// These words, with any white space between them.
    pub fn words(&mut self, words: &[&str]) -> bool {
        let mut ahead = *self;
        for word in words {
            ahead.blanks();
            if !ahead.rest().starts_with(word) {
                return false;
            }
            ahead.at += word.len();
        }
        *self = ahead;
        true
    }

    /// Up to the first of these characters.
    pub fn until(&mut self, stop: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = rest.get(..rest.find(stop).unwrap_or(rest.len())).unwrap_or_default();
        self.at += taken.len();
        taken
    }

    /// A string as Go's `%q` prints it; `None` where none begins or it does not end.
    pub fn quoted(&mut self) -> Option<Cow<'t, str>> {
        let inside = self.rest().strip_prefix('"')?;
        let mut escaped = false;
        let end = inside.find(|c| match c {
            _ if escaped => {
                escaped = false;
                false
            }
            '\\' => {
                escaped = true;
                false
            }
            c => c == '"',
        })?;
        self.at += end + 2;
        inside.get(..end).map(unquoted)
    }
}

/// Undoes Go's escapes. What is none stays as it is.
fn unquoted(inside: &str) -> Cow<'_, str> {
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    let mut out = String::with_capacity(inside.len());
    let mut bytes: Vec<u8> = Vec::new();
    let mut rest = inside.chars();
    while let Some(character) = rest.next() {
        let escape = if character == '\\' { rest.next() } else { None };
        if let Some('x') = escape {
            // `\xff` is a byte that is no UTF-8; several make up nothing readable either.
            if let Some(byte) = rest.as_str().get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                rest = rest.as_str().get(2..).unwrap_or_default().chars();
                bytes.push(byte);
                continue;
            }
        }
        out.push_str(&String::from_utf8_lossy(&bytes));
        bytes.clear();
        match (character, escape) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some('a')) => out.push('\u{7}'),
            ('\\', Some('b')) => out.push('\u{8}'),
            ('\\', Some('f')) => out.push('\u{c}'),
            ('\\', Some('v')) => out.push('\u{b}'),
            ('\\', Some(sized @ ('u' | 'U'))) => {
                let digits = if sized == 'u' { 4 } else { 8 };
                let decoded = rest
                    .as_str()
                    .get(..digits)
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok())
                    .and_then(char::from_u32);
                match decoded {
                    Some(decoded) => {
                        out.push(decoded);
                        rest = rest.as_str().get(digits..).unwrap_or_default().chars();
                    }
                    None => out.extend(['\\', sized]),
                }
            }
            ('\\', Some(plain @ ('"' | '\\' | '\''))) => out.push(plain),
            ('\\', Some(other)) => out.extend(['\\', other]),
            (plain, _) => out.push(plain),
        }
    }
    out.push_str(&String::from_utf8_lossy(&bytes));
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_strings_are_read() {
        for (printed, read) in [
            (r#""a""#, "a"),
            (r#""a\"b\\c\nd""#, "a\"b\\c\nd"),
            (r#""\u202e\U0001f600\x41\x00z""#, "\u{202e}\u{1f600}A\u{0}z"),
        ] {
            assert_eq!(Cursor::new(printed, 0).quoted().as_deref(), Some(read));
        }
        assert_eq!(Cursor::new(r#""cut"#, 0).quoted(), None);
    }
}
