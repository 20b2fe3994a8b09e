//! YAML read as Go's sigs.k8s.io/yaml reads it, into JSON: what kubectl, Helm and the deployers see.
//!
//! YAML 1.1 booleans (`on`, `yes`), octal `017`, `1_000`, merge keys, the last of two equal keys wins.
//! One difference stays: `1e3` is 1000.0, so compare numbers by value.

use memchr::memmem;
use serde_json::Value;
use serde_saphyr::{DuplicateKeyPolicy, Options, alias_limits, budget, options};

/// Text that is no YAML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct YamlError {
    /// Counted from 1, in the text that was given.
    pub line: usize,
    /// The parser's words, without the text around.
    pub why: String,
}

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The document without its `---`.
    pub text: &'a str,
    /// Where it begins in the stream, in bytes.
    pub offset: usize,
}

/// Levels of nesting that are read. Fleet's CRDs reach 25; serde_json refuses 128 and more.
const MAXIMUM_DEPTH: usize = 127;

/// A level takes 24 KB of stack in a debug build and 5.7 KB in a release build (measured, rust-guide 4),
/// and an overflow kills the process. Up to this depth any thread will do, main and tokio's and tests'.
const DEPTH_FOR_ANY_STACK: usize = 24;

/// Stack for everything deeper: 127 levels of 24 KB, five times over.
const DEEP_STACK: usize = 16 << 20;

/// The value of a single document; an empty one is null.
///
/// # Errors
/// It is not YAML, or nested more than 127 deep, or larger than any object that a cluster holds.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    if depth_bound(text) <= DEPTH_FOR_ANY_STACK {
        return parse_here(text);
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(DEEP_STACK)
            .spawn_scoped(scope, || parse_here(text))
            .map_err(|error| YamlError { line: 1, why: format!("no thread to parse it on: {error}") })?
            .join()
            .unwrap_or_else(|_| Err(YamlError { line: 1, why: "the parser gave up".into() }))
    })
}

/// The documents of a stream, split at `---` lines, not parsed. Documents that hold nothing but blanks
/// and comments are left out.
pub fn documents(stream: &str) -> impl Iterator<Item = Document<'_>> {
    let starts = memmem::find_iter(stream.as_bytes(), "\n---")
        .map(|at| at + 1)
        .chain(stream.starts_with("---").then_some(0))
        .filter(|at| stream[at + 3..].chars().next().is_none_or(char::is_whitespace))
        .collect::<std::collections::BTreeSet<_>>();
    let bodies = starts.iter().map(|at| at + 3).collect::<Vec<_>>();
    let begins = std::iter::once(0).chain(bodies);
    let ends = starts.into_iter().chain(std::iter::once(stream.len()));
    begins.zip(ends).filter_map(move |(begin, end)| {
        let text = stream.get(begin..end)?;
        holds_content(text).then_some(Document { text, offset: begin })
    })
}

/// YAML text of a value, as kubectl would print it.
pub fn emit(value: &Value) -> String {
    serde_saphyr::to_string(value).unwrap_or_default()
}

fn parse_here(text: &str) -> Result<Value, YamlError> {
    let value: Option<Value> =
        serde_saphyr::from_str_with_options(text, as_go_reads_it()).map_err(|error| {
            let line = error.location().map_or(1, |location| usize::try_from(location.line()).unwrap_or(1));
            YamlError { line, why: first_line(&error.without_snippet().to_string()) }
        })?;
    Ok(value.unwrap_or_default())
}

fn as_go_reads_it() -> Options {
    options! {
        with_snippet: false,
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        legacy_octal_numbers: true,
        emit_comments: false,
        // Objects from a cluster have no aliases at all, charts a handful.
        alias_limits: alias_limits! { max_total_replayed_events: 100_000 },
        // A dump of a whole cluster is one document; the defaults are made for configuration files.
        budget: budget! {
            max_depth: MAXIMUM_DEPTH,
            max_nodes: 20_000_000,
            max_events: 50_000_000,
            max_total_scalar_bytes: 1 << 30,
            max_total_comment_bytes: 1 << 30,
            max_buffered_comment_events: 100_000,
            enforce_alias_anchor_ratio: false,
        },
    }
}

/// No fewer levels than the text has. Blanks in front of a line bound block nesting, brackets bound flow
/// nesting; an alias can bring in any depth.
fn depth_bound(text: &str) -> usize {
    if memchr::memchr(b'*', text.as_bytes()).is_some() && memchr::memchr(b'&', text.as_bytes()).is_some() {
        return usize::MAX;
    }
    let block = text.lines().map(indicators).max().unwrap_or_default();
    let flow = memchr::memchr2_iter(b'{', b'[', text.as_bytes()).count();
    block + flow
}

/// Every level needs a blank or one of `- `, `? ` in front of its line, but a list under a key needs none.
fn indicators(line: &str) -> usize {
    let lead = line.bytes().take_while(|byte| matches!(byte, b' ' | b'-' | b'?' | b'\t')).count();
    lead + 2
}

fn holds_content(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && line != "..."
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_read_as_go_reads_them() {
        for (text, want) in [
            ("a: on", json!({"a": true})),
            ("a: y", json!({"a": true})),
            ("a: No", json!({"a": false})),
            ("a: 017", json!({"a": 15})),
            ("a: 1_000", json!({"a": 1000})),
            ("a: 1e3", json!({"a": 1000.0})),
            ("a: ~", json!({"a": null})),
            ("a: '017'", json!({"a": "017"})),
            ("a: 1\na: 2", json!({"a": 2})),
            ("1: a", json!({"1": "a"})),
            ("b: &b {x: 1}\na:\n  <<: *b\n  y: 2", json!({"b": {"x": 1}, "a": {"x": 1, "y": 2}})),
            ("", Value::Null),
            ("# nothing", Value::Null),
            ("{\"a\": [1, \"x\"]}", json!({"a": [1, "x"]})),
        ] {
            assert_eq!(parse(text).as_ref(), Ok(&want), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_read_or_refused_and_never_kills() {
        let flow = |depth: usize| format!("a: {}1{}", "[".repeat(depth), "]".repeat(depth));
        let block =
            |depth: usize| (0..depth).map(|level| format!("{}k:\n", " ".repeat(level))).collect::<String>();
        let dashes = |depth: usize| format!("{}x", "- ".repeat(depth));
        let aliases = |depth: usize| {
            let links = (1..depth).map(|n| format!("a{n}: &a{n} [*a{}]\n", n - 1)).collect::<String>();
            format!("a0: &a0 [x]\n{links}")
        };
        for text in [flow(100), block(100), dashes(100), aliases(100)] {
            assert!(parse(&text).is_ok(), "{:?}", parse(&text));
        }
        for text in [flow(10_000), block(2_000), dashes(10_000), aliases(2_000)] {
            assert!(parse(&text).is_err());
        }
    }

    #[test]
    fn alias_bombs_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let before = format!("*a{}", level - 1);
            bomb += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", "));
        }
        assert!(parse(&bomb).is_err());
    }

    #[test]
    fn streams_are_split_at_document_marks_only() {
        let texts =
            |stream: &str| documents(stream).map(|one| one.text.trim().to_owned()).collect::<Vec<_>>();
        for (stream, want) in [
            ("a: 1", vec!["a: 1"]),
            ("---\na: 1\n---\n# only words\n---\nb: 2\n", vec!["a: 1", "b: 2"]),
            ("a: 1\r\n---\r\nb: 2\r\n", vec!["a: 1", "b: 2"]),
            ("--- {a: 1}\n---   # note\nb: 2", vec!["{a: 1}", "# note\nb: 2"]),
            ("a: |\n  ---\n  text\n----\n", vec!["a: |\n  ---\n  text\n----"]),
            ("", vec![]),
            ("---", vec![]),
        ] {
            assert_eq!(texts(stream), want, "{stream:?}");
        }
    }

    #[test]
    fn an_error_names_its_line() {
        let error = parse("a: 1\nb: [1\nc: }").expect_err("no YAML");
        assert!(error.line >= 2, "{error}");
    }
}
