//! A paste or a log cut into records: what one program said at one time, over one or more lines.

use std::io::{self, BufRead, Read};
use std::sync::LazyLock;

use regex::Regex;

/// A record is cut here, so that memory stays flat whatever comes in.
const LONGEST: usize = 64 * 1024;
/// Also a single line.
const LONGEST_LINE: u64 = 32 * 1024;

/// Where a program begins to speak again.
static BEGINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)^(?:
        \s*(?:
            \[?20[0-9]{2}[-/][01][0-9][-/][0-3][0-9][T\ ]                   # a time
          | [IWEF][01][0-9]{3}\ [0-9]{2}:[0-9]{2}:                          # klog
          | (?:level|time|ts)=                                              # logfmt
          | \{\s*"                                                          # a JSON log line
          | (?:FATA|ERRO|WARN|INFO|DEBU)\[                                  # logrus on a terminal
          | (?:Error|error|ERROR|Warning|WARNING|FATAL|fatal):\s
          | Error\ from\ server
          | (?:UPGRADE|INSTALLATION|ROLLBACK|UNINSTALL)\ FAILED
          | (?:Warning|Normal)\ \ +[A-Z][A-Za-z]+\ \ +                      # an event of kubectl describe
          | "?[Mm]essage"?:\s                                               # a condition
          | (?:\u{2717}|\u{25ba}|\u{2714})\s                                # flux
        )
      | [0-9]+\s.*\b(?:failed|deployed|superseded|pending-[a-z]+|uninstall(?:ed|ing))\b   # a row of helm history
      | (?:ErrApplied|WaitApplied|Modified|OutOfSync|NotReady)\([0-9]+\)\ \[
      | [a-z0-9][a-z0-9.-]*(?:\ {2,}|\t)[^\ \t]+(?:\ {2,}|\t)               # a row of kubectl get
    )"#,
    )
    .ok()
});

/// One record.
pub(super) struct Record {
    /// Its lines, with line breaks.
    pub text: String,
    /// First and last line, from 1.
    pub lines: (usize, usize),
}

/// Reads records one after the other.
pub(super) struct Records<R> {
    reader: R,
    line: usize,
    waiting: Option<String>,
}

impl<R: BufRead> Records<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, line: 0, waiting: None }
    }

    /// A line, or the part of a very long one that fits.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The next record, `None` at the end.
    pub fn next_record(&mut self) -> io::Result<Option<Record>> {
        let first = match self.waiting.take() {
            Some(line) => line,
            None => match self.next_line()? {
                Some(line) => line,
                None => return Ok(None),
            },
        };
        let from = self.line + 1;
        let mut to = from;
        let mut broken = !first.ends_with('\n');
        let mut text = first;
        while let Some(line) = self.next_line()? {
            // Helm 2 prints `UPGRADE FAILED` on a line of its own.
            let headline = text.trim_end().ends_with(" FAILED") && text.len() < 80;
            let begins = !broken && !headline && BEGINS.as_ref().is_some_and(|begins| begins.is_match(&line));
            if begins || text.len() + line.len() > LONGEST {
                self.waiting = Some(line);
                break;
            }
            to += usize::from(!broken);
            broken = !line.ends_with('\n');
            text.push_str(&line);
        }
        self.line = to;
        Ok(Some(Record { text, lines: (from, to) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<(usize, usize)> {
        let mut records = Records::new(text.as_bytes());
        std::iter::from_fn(|| records.next_record().expect("reading a slice"))
            .map(|record| record.lines)
            .collect()
    }

    #[test]
    fn programs_that_speak_again_are_told_apart() {
        for (text, lines) in [
            ("level=WARN a\nError: b\n- c\n", vec![(1, 1), (2, 3)]),
            ("UPGRADE FAILED\nError: x", vec![(1, 2)]),
            ("4\tsuperseded\tx\n5\tfailed\ty", vec![(1, 1), (2, 2)]),
            ("a webhook said:\n\nno\n  really: no", vec![(1, 4)]),
            ("  Normal   Pulled  3s  kubelet  ok\n  Warning  Failed  1s  kubelet  x", vec![(1, 1), (2, 2)]),
            ("", vec![]),
        ] {
            assert_eq!(records(text), lines, "{text:?}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let endless = "x".repeat(300 * 1024);
        let mut records = Records::new(endless.as_bytes());
        while let Some(record) = records.next_record().expect("reading a slice") {
            assert!(record.text.len() <= LONGEST);
        }
    }
}
