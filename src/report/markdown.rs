//! `-o markdown`: for tickets and chats.

use super::{Report, Style};

pub(super) fn render(_: &Report, _: &Style) -> String {
    String::new()
}
