//! The text on one line, with quoted values blanked out: what patterns are tried on.

use super::dump;

/// Stands for every byte of a quoted value or of a warning, so that no pattern matches inside.
pub(super) const MASK: char = '\u{1}';

/// Each white-space run is one blank, so that a wrapped text reads like an unwrapped one.
pub(super) struct Flat {
    /// On one line.
    pub text: String,
    /// The same length, quoted values blanked out with [`MASK`].
    pub masked: String,
    /// Byte in the text that it was made from, for every byte.
    origin: Vec<u32>,
}

impl Flat {
    pub fn of(clean: &str) -> Self {
        let mut text = String::with_capacity(clean.len());
        let mut origin = Vec::with_capacity(clean.len() + 1);
        let mut hidden = Vec::new();
        let mut at = 0;
        let mut done = false;
        for line in clean.split_inclusive('\n') {
            // Flux adds up to ten lines of Helm's log; they are no part of the error (neighbours-guide 1).
            done |= line.starts_with("Last Helm logs:");
            let from = text.len();
            for (offset, character) in line.char_indices() {
                let blank = character.is_whitespace();
                if blank && (text.is_empty() || text.ends_with(' ')) {
                    continue;
                }
                let kept = if blank { ' ' } else { character };
                text.push(kept);
                let position = u32::try_from(at + offset).unwrap_or(u32::MAX);
                origin.extend(std::iter::repeat_n(position, kept.len_utf8()));
            }
            at += line.len();
            // A warning that did not stop anything (Helm 4 on migrating last-applied).
            if done || line.contains("non-fatal") {
                hidden.push(from..text.len());
            }
        }
        origin.push(u32::try_from(clean.len()).unwrap_or(u32::MAX));
        let dumps = dump::spans(&text);
        let masked = mask(&text, dumps.into_iter().chain(hidden));
        Self { text, masked, origin }
    }

    /// The byte of the source text that this byte came from.
    pub fn origin(&self, at: usize) -> usize {
        self.origin.get(at).or(self.origin.last()).map_or(0, |position| *position as usize)
    }
}

fn mask(text: &str, spans: impl Iterator<Item = std::ops::Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        if let Some(hidden) = bytes.get_mut(span) {
            hidden.fill(MASK as u8);
        }
    }
    // Spans begin and end at character borders, so this never fails; nothing is better than a panic.
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_blank_and_keeps_its_origin() {
        let flat = Flat::of("a\n\n  b\tc");
        assert_eq!(flat.text, "a b c");
        assert_eq!((flat.origin(0), flat.origin(2), flat.origin(4), flat.origin(5)), (0, 5, 7, 8));
    }

    #[test]
    fn logs_and_harmless_warnings_are_hidden() {
        let flat = Flat::of("failed\nLast Helm logs:\nfield is immutable");
        assert!(!flat.masked.contains("immutable") && flat.text.contains("immutable"));
        assert!(!Flat::of("Warning: x: EOF (non-fatal)\nok").masked.contains("EOF"));
    }
}
