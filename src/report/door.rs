//! The only way out: whatever is printed about a cluster is cleaned here and written here.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use super::clean::{self, CleanError};
use super::form::Maker;
use super::{Form, Report, Style};

/// Why something could not be printed.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// The disk is full, the terminal is gone. A closed pipe is no error: the reader has seen enough.
    #[error("the answer could not be written whole")]
    Write(#[source] io::Error),
    /// A mistake in the program.
    #[error(transparent)]
    Clean(#[from] CleanError),
}

/// Standard output, behind redaction.
#[derive(Debug)]
pub struct Door<W: Write> {
    out: W,
    style: Style,
    closed: bool,
}

impl<W: Write> Door<W> {
    /// A door onto `out`, laid out as `style` says.
    pub fn new(out: W, style: Style) -> Self {
        Self { out, style, closed: false }
    }

    /// The layout that texts for this door should take.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Whether the reader has closed the pipe: more work is in vain.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints `report` in `form`.
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub fn report(&mut self, report: Report, form: Form) -> Result<(), DoorError> {
        let clean = clean::report(report)?;
        let style = self.style;
        self.write(|out| match form.maker() {
            Maker::Text(make) => out.write_all(make(&clean, &style).as_bytes()),
            Maker::Written(write) => write(&clean, out),
        })
    }

    /// Prints a record other than a report as JSON, or as YAML where `form` says so.
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub fn record(&mut self, record: &impl Serialize, form: Form) -> Result<(), DoorError> {
        let value = clean::value(serde_json::to_value(record).map_err(CleanError::from)?);
        let text = if form == Form::Yaml { super::yaml::text(&value) } else { super::json::text(&value) };
        self.pass(&text)
    }

    /// Prints a text of our own making with foreign words in it: redacted, and stripped of control
    /// characters. Colours have to come through [`Door::painted`].
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub fn text(&mut self, text: &str) -> Result<(), DoorError> {
        let clean = clean::text(text);
        self.pass(&clean)
    }

    /// Prints a layout, whose foreign words were cleaned one by one by [`clean`] before colours were
    /// put around them.
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub fn painted(&mut self, page: &super::Page) -> Result<(), DoorError> {
        self.pass(page.as_str())
    }

    /// Empties the terminal, for the next drawing of a watch.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn clear(&mut self) -> Result<(), DoorError> {
        self.pass("\u{1b}[H\u{1b}[2J\u{1b}[3J")
    }

    /// Prints a file that a flag asked for as it is: values, a manifest, notes, with secrets. Only
    /// control characters are taken out.
    ///
    /// # Errors
    /// When it cannot be written whole.
    pub fn unmasked(&mut self, text: &str) -> Result<(), DoorError> {
        let harmless = clean::harmless(text);
        self.pass(&harmless)
    }

    fn pass(&mut self, text: &str) -> Result<(), DoorError> {
        self.write(|out| out.write_all(text.as_bytes()))
    }

    fn write(&mut self, make: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), DoorError> {
        if self.closed {
            return Ok(());
        }
        let mut out = BufWriter::new(&mut self.out);
        match make(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other.map_err(DoorError::Write),
        }
    }
}

/// `report` as text in `form`, cleaned.
///
/// # Errors
/// As [`Door::report`].
pub fn render(report: &Report, form: Form, style: &Style) -> Result<String, DoorError> {
    let mut out = Vec::new();
    Door::new(&mut out, *style).report(report.clone(), form)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that fails with one error.
    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_ends_quietly() {
        let mut door = Door::new(Broken(io::ErrorKind::BrokenPipe), Style::plain(80));
        assert!(door.text("x").is_ok());
        assert!(door.is_closed());
        assert!(door.text("y").is_ok());
    }

    #[test]
    fn a_full_disk_is_an_error_that_says_so() {
        let mut door = Door::new(Broken(io::ErrorKind::StorageFull), Style::plain(80));
        let error = door.text("x").unwrap_err().to_string();
        assert_eq!(error, "the answer could not be written whole");
    }

    #[test]
    fn text_leaves_without_control_characters() {
        let mut door = Door::new(Vec::new(), Style::plain(80));
        door.text("a\u{1b}[2Jb\n").unwrap();
        let out = String::from_utf8(door.out).unwrap();
        assert!(!out.contains('\u{1b}') && out.ends_with("b\n"), "{out:?}");
    }
}
