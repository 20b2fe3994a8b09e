//! Words of commands for a POSIX shell.

use std::borrow::Cow;

/// The word quoted for a POSIX shell, as it is where it needs no quotes. `None` for what no command of ours may
/// hold: NUL, line breaks and other control characters, which no Kubernetes name has.
pub fn quote(word: &str) -> Option<Cow<'_, str>> {
    if word.contains(|c: char| c.is_control()) {
        return None;
    }
    shlex::try_quote(word).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_they_must_be() {
        for (word, quoted) in [
            ("shop", Some("shop")),
            ("a b", Some("'a b'")),
            ("$(rm -rf ~)", Some("'$(rm -rf ~)'")),
            ("it's", Some("\"it's\"")),
            ("", Some("''")),
            ("a\nb", None),
            ("a\0b", None),
        ] {
            assert_eq!(quote(word).as_deref(), quoted, "{word:?}");
        }
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for word in ["a'b\"c", "`x`", "\\", "!!", "~root", "*", "#x", "a;b&c|d", "\u{e9} \u{1f600}"] {
            let quoted = quote(word).expect("no control characters");
            assert_eq!(shlex::split(&quoted), Some(vec![word.to_owned()]));
        }
    }
}
