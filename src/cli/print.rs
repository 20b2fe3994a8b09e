//! To standard output, through the door.

use std::io;

use super::args::Globals;
use crate::report::{Door, DoorError, Report, Style};

/// Prints a report in the form that was asked for.
pub fn report(report: Report, globals: &Globals) -> Result<(), DoorError> {
    door(globals).report(report, globals.output)
}

/// The door onto standard output.
pub fn door(globals: &Globals) -> Door<io::StdoutLock<'static>> {
    Door::new(io::stdout().lock(), Style::of_stdout(globals.color))
}
