//! `-o html`: one file for a browser.

use super::{Report, Style};

pub(super) fn render(_: &Report, _: &Style) -> String {
    String::new()
}
