//! Commands for a POSIX shell, from words that a cluster may have chosen.

use std::borrow::Cow;

/// One word, quoted where the shell would read it otherwise. `None` where no quoting can carry it
/// (NUL) or where it would break a line that people copy (line breaks and other control characters, which no
/// Kubernetes name has).
pub fn quote(word: &str) -> Option<Cow<'_, str>> {
    if word.contains(char::is_control) {
        return None;
    }
    shlex::try_quote(word).ok()
}

/// A whole command line. `None` where one of the words cannot be quoted: better no command than one
/// that does something else.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Option<Vec<_>> = words.into_iter().map(quote).collect();
    Some(quoted?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_words_stay_words() {
        assert_eq!(command(["kubectl", "get", "$(reboot)"]).unwrap(), "kubectl get '$(reboot)'");
        assert_eq!(command(["echo", "it's"]).unwrap(), r#"echo "it's""#);
        assert_eq!(command(["echo", ""]).unwrap(), "echo ''");
        assert_eq!(command(["echo", "two\nlines"]), None);
        assert_eq!(command(["echo", "nul\0"]), None);
    }
}
