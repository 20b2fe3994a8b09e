//! Words of a printed command, safe to paste into a POSIX shell.

use std::borrow::Cow;

/// The word, quoted where a shell would read more than a word in it. A NUL, which no shell can be given,
/// is dropped.
pub fn quote(word: &str) -> Cow<'_, str> {
    if word.contains('\0') {
        return Cow::Owned(quote(&word.replace('\0', "")).into_owned());
    }
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_hostile_name_stays_one_word() {
        assert_eq!(quote("shop"), "shop");
        assert_eq!(quote("a; rm -rf /"), "'a; rm -rf /'");
        assert_eq!(quote("a\0b"), "ab");
    }
}
