//! Names that are too long for their column.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `name` in at most `width` columns, the middle left out: the beginning says what it is, the end (a
/// hash, an index) which one.
pub(super) fn middle(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let tail_room = room / 2;
    let mut tail: Vec<char> = take(name.chars().rev(), tail_room);
    tail.reverse();
    let head = take(name.chars(), room - tail_room);
    head.into_iter().chain(['…']).chain(tail).collect()
}

fn take(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    characters
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_goes_and_both_ends_stay() {
        for (name, width, short) in [
            ("shop", 10, "shop"),
            ("fleet-default/a-very-long-name-7776cc9446", 20, "fleet-defa…776cc9446"),
            ("日本語日本語日本語", 7, "日…語"),
            ("abc", 1, "…"),
        ] {
            let got = middle(name, width);
            assert_eq!(got, short);
            assert!(got.width() <= width, "{got}");
        }
    }
}
