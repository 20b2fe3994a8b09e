//! For a text that no rule fits: the classes whose pages speak of the same things.

use std::collections::HashSet;

use super::catalogue::catalogue;
use super::model::Class;
use super::reading::UNKNOWN;

/// At most so many are named.
const MOST: usize = 3;
/// Words that every failure text has tell nothing.
const COMMON: [&str; 12] = [
    "error", "failed", "release", "upgrade", "with", "from", "that", "this", "helm", "apps", "kind",
    "cluster",
];

/// At most three classes, nearest first; none where nothing is alike. A hint for people, no finding.
pub fn nearest(text: &str) -> Vec<Class> {
    let said = words(&text.chars().take(4096).collect::<String>());
    let mut scored: Vec<(usize, Class)> = catalogue()
        .iter()
        .filter(|entry| entry.class != UNKNOWN)
        .map(|entry| {
            let mut own: HashSet<String> = words(entry.title);
            own.extend(words(&entry.recognise));
            entry.texts.iter().for_each(|text| own.extend(words(text)));
            (own.intersection(&said).count(), entry.class)
        })
        .filter(|(score, _)| *score >= 2)
        .collect();
    scored.sort_by_key(|(score, class)| (std::cmp::Reverse(*score), *class));
    scored.into_iter().take(MOST).map(|(_, class)| class).collect()
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(str::to_lowercase)
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_alike_is_near() {
        assert!(nearest("some webhook of the admission kind was denied").contains(&Class("webhook.denied")));
        assert!(nearest("zzz yyy").is_empty());
    }
}
