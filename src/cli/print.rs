//! To standard output, through the door.

use std::io::{self, Write as _};

use super::args::Globals;
use super::exit::Exit;
use crate::report::{Door, DoorError, Report, Style};

/// Prints a report in the form that was asked for; the exit code says what `--exit-code` asks.
pub fn report(report: Report, globals: &Globals) -> Result<Exit, DoorError> {
    let verdict = if globals.exit_code { Exit::of(&report) } else { Exit::Ran };
    door(globals).report(report, globals.output)?;
    Ok(verdict)
}

/// A remark of the program's own on standard error. One that cannot be written is no reason to withhold the
/// answer, or to lose the exit code. Foreign words have to be cleaned before.
pub fn remark(words: &str) {
    let _ = writeln!(io::stderr(), "{words}");
}

/// The door onto standard output.
pub fn door(globals: &Globals) -> Door<io::StdoutLock<'static>> {
    Door::new(io::stdout().lock(), Style::of_stdout(globals.color))
}
