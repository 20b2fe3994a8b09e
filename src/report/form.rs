//! The forms that a report can take, as one table.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use super::{Report, Style, html, human, json, markdown, name, yaml};

/// What `-o` chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// For a person at a terminal: the answer first.
    #[default]
    Human,
    /// The same with nothing shortened: absolute times, full names, every cluster's commands, the timeline.
    Wide,
    /// The contract for scripts; its schema is [`super::schema::TEXT`].
    Json,
    /// The same contract as YAML.
    Yaml,
    /// GitHub's dialect, for tickets and chats.
    Markdown,
    /// One self-contained file for a browser.
    Html,
    /// `kind.group/name` of every owner, for pipes into kubectl.
    Name,
}

/// How a form is made from a cleaned report.
#[derive(Clone, Copy)]
pub(super) enum Maker {
    /// Laid out as a whole.
    Text(fn(&Report, &Style) -> String),
    /// Written piece by piece: a large fleet's is as large as the fleet.
    Written(fn(&Report, &mut dyn Write) -> io::Result<()>),
}

/// One line per form: its name on the command line, and its maker.
const FORMS: [(&str, Form, Maker); 7] = [
    ("human", Form::Human, Maker::Text(human::render)),
    ("wide", Form::Wide, Maker::Text(human::render_wide)),
    ("json", Form::Json, Maker::Written(json::write)),
    ("yaml", Form::Yaml, Maker::Text(yaml::render)),
    ("markdown", Form::Markdown, Maker::Text(markdown::render)),
    ("html", Form::Html, Maker::Text(html::render)),
    ("name", Form::Name, Maker::Text(name::render)),
];

impl Form {
    /// The names that `-o` takes, in the order of the documentation.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|(name, _, _)| *name)
    }

    /// Whether a program reads it.
    pub fn is_for_programs(self) -> bool {
        matches!(self, Self::Json | Self::Yaml | Self::Name)
    }

    pub(super) fn maker(self) -> Maker {
        FORMS
            .iter()
            .find(|(_, form, _)| *form == self)
            .map_or(Maker::Text(human::render), |(_, _, maker)| *maker)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORMS.iter().find(|(_, form, _)| form == self).map_or("human", |(name, _, _)| name))
    }
}

/// `-o` names no form.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no output form '{given}'; choose {}", Form::names().collect::<Vec<_>>().join(", "))]
pub struct UnknownForm {
    given: String,
}

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        FORMS
            .iter()
            .find(|(name, _, _)| *name == given)
            .map(|(_, form, _)| *form)
            .ok_or_else(|| UnknownForm { given: given.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_back_from_its_name() {
        for name in Form::names() {
            assert_eq!(name.parse::<Form>().map(|form| form.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn an_unknown_form_is_told_what_exists() {
        let error = "table".parse::<Form>().unwrap_err().to_string();
        assert!(error.contains("'table'") && error.contains("markdown"), "{error}");
    }
}
