//! Characters that make a terminal do things or a name look like another: shown, not obeyed.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with control and invisible format characters written as `\u{202e}`, so that a hostile name cannot
/// disguise itself. Line breaks and tabs stay where `keep_newlines` is set, else they are shown as `\n` and `\t`.
pub fn harmless(text: &str, keep_newlines: bool) -> Cow<'_, str> {
    let harms = |c: char| match c {
        '\n' | '\t' => !keep_newlines,
        c => is_control_or_format(c),
    };
    if !text.contains(harms) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !harms(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a String cannot fail.
            c => _ = write!(out, "\\u{{{:x}}}", c as u32),
        }
    }
    Cow::Owned(out)
}

/// C0, C1, and Unicode's Default_Ignorable and bidirectional format characters.
fn is_control_or_format(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_invisible_is_shown() {
        for (said, shown) in [
            ("plain \u{e9}\u{1f600}", "plain \u{e9}\u{1f600}"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\u{202e}b\u{200b}", "a\\u{202e}b\\u{200b}"),
            ("a\u{9b}31m", "a\\u{9b}31m"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ] {
            assert_eq!(harmless(said, false), shown);
        }
        assert_eq!(harmless("a\nb\tc\r", true), "a\nb\tc\\r");
    }
}
