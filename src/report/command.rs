//! Commands that are longer than a line, so that they still paste as they are.

use unicode_width::UnicodeWidthStr;

/// `command` in lines of at most `width` columns that a POSIX shell reads as the same command: broken
/// between words with a backslash; inside a quoted JSON document after a comma, where a line break is
/// white space; and, where one word is longer than a line, inside the word with a backslash at the
/// left margin.
pub fn fold(command: &str, indent: usize, width: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    if indent + command.width() <= width {
        return vec![format!("{pad}{command}")];
    }
    let mut lines = Lines { pad, width, done: Vec::new(), line: String::new() };
    lines.line.push_str(&lines.pad);
    for word in words(command) {
        lines.word(word);
    }
    lines.done.push(lines.line);
    lines.done
}

struct Lines {
    pad: String,
    width: usize,
    done: Vec<String>,
    line: String,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let is_first = self.line.trim().is_empty();
        let gap = usize::from(!is_first);
        // Room for ` \` at the end of every line but the last.
        if self.line.width() + gap + word.width() + 2 <= self.width {
            if !is_first {
                self.line.push(' ');
            }
            self.line.push_str(word);
            return;
        }
        if !is_first {
            self.end(" \\");
            self.line = format!("{}  ", self.pad);
        }
        if self.line.width() + word.width() + 2 <= self.width {
            self.line.push_str(word);
        } else {
            self.long_word(word);
        }
    }

    fn long_word(&mut self, word: &str) {
        let json = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).filter(|body| {
            body.starts_with(['[', '{']) && serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok()
        });
        let mut quote = None;
        if json.is_none() {
            return self.hard(word, &mut quote);
        }
        // One element of the document to a line; a longer one is cut at its own members.
        for (index, element) in json_pieces(word, 1).into_iter().enumerate() {
            if index > 0 {
                self.break_json();
            }
            if self.line.width() + element.width() <= self.width {
                self.hard(element, &mut quote);
                continue;
            }
            for (index, member) in json_pieces(element, usize::MAX).into_iter().enumerate() {
                if index > 0 && self.line.width() + member.width() > self.width {
                    self.break_json();
                }
                self.hard(member, &mut quote);
            }
        }
    }

    /// A line end as white space inside a quoted JSON document.
    fn break_json(&mut self) {
        self.end("");
        self.line = format!("{}   ", self.pad);
    }

    /// Adds `piece`, broken where the line ends: inside single quotes by closing them before the
    /// break and opening them after it, elsewhere by a backslash alone.
    fn hard(&mut self, piece: &str, quote: &mut Option<char>) {
        let mut characters = piece.chars();
        while let Some(character) = characters.next() {
            let mut atom = String::from(character);
            if character == '\\' && *quote != Some('\'') {
                atom.extend(characters.next());
            }
            // Room for `'\` behind it.
            if self.line.width() + atom.width() + 2 > self.width {
                let in_single = *quote == Some('\'');
                self.end(if in_single { "'\\" } else { "\\" });
                self.line = if in_single { "'".into() } else { String::new() };
            }
            match (*quote, character) {
                (None, '\'' | '"') => *quote = Some(character),
                (Some(open), close) if open == close => *quote = None,
                _ => {}
            }
            self.line.push_str(&atom);
        }
    }

    fn end(&mut self, tail: &str) {
        let line = std::mem::take(&mut self.line);
        self.done.push(line + tail);
    }
}

/// A quoted JSON document, or a part of one, cut behind every comma between members that stands at
/// most `depth` levels deep.
fn json_pieces(text: &str, depth: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut level, mut in_string, mut escaped) = (0, 0_usize, false, false);
    for (index, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '[' | '{' if !in_string => level += 1,
            ']' | '}' if !in_string => level = level.saturating_sub(1),
            ',' if !in_string && level <= depth => {
                pieces.push(text.get(start..=index).unwrap_or_default());
                start = index + 1;
            }
            _ => {}
        }
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

/// The words of `command` with their quotes, split at blanks outside quotes.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quote, mut escaped) = (None, None, false);
    for (index, character) in command.char_indices() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            (None, ' ') => {
                if let Some(from) = start.take() {
                    words.push(command.get(from..index).unwrap_or_default());
                }
                continue;
            }
            _ => {}
        }
        start.get_or_insert(index);
    }
    if let Some(from) = start {
        words.push(command.get(from..).unwrap_or_default());
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a POSIX shell makes of the pasted lines. shlex reads a word into a line continuation that
    /// stands alone, so these are taken out first, as a shell does; none stands inside single quotes.
    fn as_read(lines: &[String]) -> Option<Vec<String>> {
        shlex::split(&lines.join("\n").replace("\\\n", ""))
    }

    /// The same words, but for white space between JSON members.
    fn same(lines: &[String], command: &str) -> bool {
        let read = as_read(lines).unwrap_or_default();
        let meant = shlex::split(command).unwrap_or_default();
        read.len() == meant.len()
            && read.iter().zip(&meant).all(|(read, meant)| {
                read == meant
                    || serde_json::from_str::<serde_json::Value>(read).ok()
                        == serde_json::from_str::<serde_json::Value>(meant).ok()
            })
    }

    const PATCH: &str = r#"kubectl --context prod-eu -n shop patch deployment/shop-podinfo --type=json -p '[{"op":"test","path":"/metadata/managedFields/2/manager","value":"Mozilla"},{"op":"test","path":"/metadata/managedFields/2/fieldsV1","value":{"f:spec":{"f:replicas":{}}}},{"op":"remove","path":"/metadata/managedFields/2"}]'"#;

    #[test]
    fn a_short_command_stays_on_its_line() {
        assert_eq!(fold("kubectl get pods", 4, 80), ["    kubectl get pods"]);
    }

    #[test]
    fn a_patch_is_folded_between_words_and_json_members() {
        for width in [40, 80, 120] {
            let lines = fold(PATCH, 5, width);
            assert!(lines.iter().all(|line| line.width() <= width), "{}", lines.join("\n"));
            assert!(same(&lines, PATCH), "{}", lines.join("\n"));
        }
        insta::assert_snapshot!(fold(PATCH, 5, 80).join("\n"));
    }

    /// The judge is the shell itself.
    #[test]
    fn sh_runs_the_folded_command_as_the_whole_one() {
        let output = |command: &str| {
            let script = command.replacen("kubectl", "printf '<%s>\\n'", 1);
            let run = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
            String::from_utf8(run.stdout).unwrap()
        };
        let without_blanks = |text: String| text.replace([' ', '\n'], "");
        for width in [24, 40, 80, 120] {
            let folded = fold(PATCH, 5, width).join("\n");
            assert_eq!(without_blanks(output(&folded)), without_blanks(output(PATCH)), "{folded}");
        }
    }

    proptest! {
        #[test]
        fn a_shell_reads_the_same_words(words in proptest::collection::vec("[a-z\"'${} ,:\\\\-]{1,60}", 1..6), width in 20_usize..90) {
            let command = shlex::try_join(words.iter().map(String::as_str)).unwrap();
            let lines = fold(&command, 4, width);
            prop_assert!(lines.iter().all(|line| line.width() <= width), "{}", lines.join("\n"));
            prop_assert_eq!(as_read(&lines), shlex::split(&command), "{}", lines.join("\n"));
        }
    }
}
