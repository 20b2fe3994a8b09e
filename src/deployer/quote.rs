//! Words of a printed command. Names come from a cluster and may be hostile; one that no quoting can
//! carry is cut down to what can be carried, so that the command fails and does nothing else.

use std::borrow::Cow;

use crate::shell;

/// The word, quoted where a shell would read more than a word in it.
pub fn quote(word: &str) -> Cow<'_, str> {
    shell::quote(word).unwrap_or_else(|| {
        let carried: String = word.chars().filter(|c| !c.is_control()).collect();
        Cow::Owned(shell::quote(&carried).map_or_else(|| "''".to_owned(), Cow::into_owned))
    })
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_hostile_name_stays_one_word() {
        assert_eq!(quote("shop"), "shop");
        assert_eq!(quote("a; rm -rf /"), "'a; rm -rf /'");
        assert_eq!(quote("a\0b\nc"), "abc");
    }
}
