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

/// A whole command line. `None` where one of the words cannot be quoted: better no command than one
/// that does something else. A flag with a plain value keeps its look: shlex quotes `=` without need.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Option<Vec<_>> = words.into_iter().map(word).collect();
    Some(quoted?.join(" "))
}

/// A word of a command: `--replicas=2` as people write it.
fn word(word: &str) -> Option<Cow<'_, str>> {
    let is_plain_flag = word.starts_with("--")
        && word.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'=' | b'.' | b'/' | b'_' | b':' | b',')
        });
    if is_plain_flag { Some(Cow::Borrowed(word)) } else { quote(word) }
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
    fn commands_keep_the_look_of_plain_flags() {
        assert_eq!(command(["kubectl", "scale", "--replicas=2"]).unwrap(), "kubectl scale --replicas=2");
        assert_eq!(command(["kubectl", "-p", "{\"a\": 1}"]).unwrap(), "kubectl -p '{\"a\": 1}'");
        assert_eq!(command(["kubectl", "--x=$(reboot)"]).unwrap(), "kubectl '--x=$(reboot)'");
        assert_eq!(command(["echo", "two\nlines"]), None);
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for word in ["a'b\"c", "`x`", "\\", "!!", "~root", "*", "#x", "a;b&c|d", "\u{e9} \u{1f600}"] {
            let quoted = quote(word).expect("no control characters");
            assert_eq!(shlex::split(&quoted), Some(vec![word.to_owned()]));
        }
    }
}
