//! The order of the page.

use super::{block, gaps, summary};
use crate::report::group::groups;
use crate::report::telling::Telling;
use crate::report::{Page, Report, Style};

/// With at most this many causes a list of them would only repeat the blocks below it.
const LIST_FROM: usize = 3;

pub(in crate::report) fn render(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    let groups = groups(report);
    let telling = Telling { report, whole: style.wide };
    summary::line(&mut page, telling);
    if groups.len() >= LIST_FROM {
        summary::list(&mut page, telling, &groups);
    }
    let shown = if style.wide || groups.len() <= style.details { groups.len() } else { style.details / 3 };
    for group in groups.iter().take(shown) {
        page.blank();
        block::block(&mut page, telling, group);
    }
    summary::left_out(&mut page, groups.get(shown..).unwrap_or_default());
    gaps::of_run(&mut page, report);
    page.into_string()
}

pub(in crate::report) fn render_wide(report: &Report, style: &Style) -> String {
    render(report, &Style { wide: true, ..*style })
}
