//! Foreign text that stays text in GitHub's dialect.

/// Signs that begin a list, a heading's underline or a rule, at the start of a line only.
const AT_START: [char; 3] = ['-', '+', '='];

/// `text` as prose on one line: whatever Markdown, HTML or GitHub would read as more than letters is
/// made to be read as itself.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for word in text.split_whitespace() {
        let is_first = out.is_empty();
        if !is_first {
            out.push(' ');
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        for (index, character) in word.char_indices() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                // GitHub looks for mentions and references after Markdown is done: only something
                // between the sign and the name stops it.
                '@' => out.push_str("@<!-- -->"),
                '#' => out.push_str("#<!-- -->"),
                '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => push_escaped(&mut out, character),
                ':' if word.get(index + 1..).is_some_and(|rest| rest.starts_with("//")) => {
                    out.push_str("\\:")
                }
                '.' if ends_with_www(&out) => out.push_str("\\."),
                '.' | ')' if is_first && index > 0 && index == digits => push_escaped(&mut out, character),
                _ if is_first && index == 0 && AT_START.contains(&character) => {
                    push_escaped(&mut out, character)
                }
                other => out.push(other),
            }
        }
    }
    out
}

fn push_escaped(out: &mut String, character: char) {
    out.push('\\');
    out.push(character);
}

fn ends_with_www(out: &str) -> bool {
    out.len().checked_sub(3).and_then(|at| out.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// `text` as code on one line, good in a table's cell as well.
pub(super) fn code(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.is_empty() {
        return "–".into();
    }
    if line.contains("\\|") {
        // In a cell the backslash of the text would free the pipe behind it; code has no escape for that.
        return prose(&line);
    }
    let fence = "`".repeat(longest_run(&line) + 1);
    // A cell ends at a pipe, inside code too; the backslash before it is not shown there.
    let line = line.replace('|', "\\|");
    // A code span needs a blank next to a back-tick, and drops it.
    let blank = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{line}{blank}{fence}")
}

/// Code outside tables, where a backslash before a pipe would be shown.
pub(super) fn code_in_prose(text: &str) -> String {
    code(text).replace("\\|", "|")
}

/// `text` as a block of its own, in the language `language`.
pub(super) fn block(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_and_nothing_closes() {
        for (text, safe) in [
            ("<script>", "&lt;script&gt;"),
            ("a|b", "a\\|b"),
            ("@everyone #1", "@<!-- -->everyone #<!-- -->1"),
            ("[x](https://evil.example)", "\\[x\\](https\\://evil.example)"),
            ("two\n# lines", "two #<!-- --> lines"),
            ("1. list", "1\\. list"),
            ("- list of c-prod", "\\- list of c-prod"),
            ("see www.evil.example", "see www\\.evil.example"),
        ] {
            assert_eq!(prose(text), safe);
        }
    }

    #[test]
    fn code_is_fenced_by_more_than_it_holds() {
        assert_eq!(code("a `b` c"), "``a `b` c``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code_in_prose("a|b"), "`a|b`");
        assert_eq!(code("a\\|b"), "a\\\\\\|b");
        assert_eq!(code(" \n"), "–");
        assert_eq!(block("a\n```\nb", "sh"), "````sh\na\n```\nb\n````\n");
    }
}
