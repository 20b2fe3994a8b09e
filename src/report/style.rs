//! How a report is laid out for one reader: width, colour, how much.

use anstream::{AutoStream, ColorChoice};
use owo_colors::{OwoColorize, Style as Ink};

/// Width, colour and detail of one rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns that a line may take.
    pub width: usize,
    /// Whether escape sequences colour the words.
    pub colour: bool,
    /// Whether a command longer than the width is continued on the next line. Off in a pipe, where
    /// nothing wraps and a line is easier to use whole.
    pub fold_commands: bool,
    /// Causes that get a block of their own; the others stay in the list at the top.
    pub details: usize,
    /// Nothing shortened: full names, absolute times, every cluster.
    pub wide: bool,
}

/// The meaning that a colour carries. The word beside it says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As it comes.
    Plain,
    /// Names and headings.
    Strong,
    /// Sources and other side remarks.
    Quiet,
    /// Did not land; destroys something.
    Bad,
    /// Safe.
    Good,
    /// Looks ready and is not; restarts something.
    Warn,
}

impl Style {
    /// Narrower than this no layout is possible, and a terminal that says so lies.
    const MIN_WIDTH: usize = 20;
    /// Wider than this no reader is.
    const MAX_WIDTH: usize = 1000;

    /// No colour, `width` columns.
    pub fn plain(width: usize) -> Self {
        Self {
            width: width.clamp(Self::MIN_WIDTH, Self::MAX_WIDTH),
            colour: false,
            fold_commands: true,
            details: 10,
            wide: false,
        }
    }

    /// What standard output can take: its width if it is a terminal, else 80 columns; colour as
    /// `choice`, NO_COLOR, CLICOLOR and CLICOLOR_FORCE say.
    pub fn of_stdout(choice: ColorChoice) -> Self {
        let stdout = std::io::stdout();
        let colour = match choice {
            ColorChoice::Auto => AutoStream::choice(&stdout) != ColorChoice::Never,
            ColorChoice::Never => false,
            ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        };
        let terminal = terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
        let width = terminal.filter(|width| *width > 0).unwrap_or(80);
        Self { colour, fold_commands: terminal.is_some(), ..Self::plain(width) }
    }

    /// `text` in the colour of `paint`, if colours are on.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour || paint == Paint::Plain || text.is_empty() {
            return text.to_owned();
        }
        let ink = match paint {
            Paint::Plain => Ink::new(),
            Paint::Strong => Ink::new().bold(),
            Paint::Quiet => Ink::new().dimmed(),
            Paint::Bad => Ink::new().red().bold(),
            Paint::Good => Ink::new().green().bold(),
            // Yellow cannot be read on a light background.
            Paint::Warn => Ink::new().magenta().bold(),
        };
        text.style(ink).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_lies_about_its_width_gets_a_usable_layout() {
        assert_eq!(Style::plain(0).width, 20);
        assert_eq!(Style::plain(usize::MAX).width, 1000);
        assert_eq!(Style::plain(80).width, 80);
    }

    #[test]
    fn colours_come_only_when_asked_for() {
        let plain = Style::plain(80);
        assert_eq!(plain.paint(Paint::Bad, "STUCK"), "STUCK");
        let coloured = Style { colour: true, ..plain };
        assert_eq!(coloured.paint(Paint::Bad, "STUCK"), "\u{1b}[31;1mSTUCK\u{1b}[0m");
        assert_eq!(coloured.paint(Paint::Bad, ""), "");
    }
}
