//! What happened when, as a strip to scale and as a list.

use jiff::Timestamp;

use super::escape::Text;
use crate::report::telling::Telling;
use crate::report::{Finding, Instant};

const WIDTH: i64 = 640;
const MARGIN: i64 = 14;
/// Two dots nearer than this would cover each other.
const APART: i64 = 22;

pub(super) fn timeline(out: &mut String, telling: Telling<'_>, finding: &Finding, number: usize) {
    if finding.timeline.is_empty() {
        return;
    }
    out.push_str("<details open class=\"timeline\"><summary>Timeline</summary>\n");
    strip(out, finding, telling.report.now, number);
    out.push_str("<ol>\n");
    for moment in &finding.timeline {
        out.push_str(&format!(
            "<li><span class=\"when\">{}</span> {}<span class=\"source\">{}</span></li>\n",
            Text(&telling.instant(&moment.at)),
            Text(&moment.what),
            Text(&moment.source),
        ));
    }
    out.push_str("</ol>\n</details>\n");
}

/// The earliest and the latest time that a moment may have.
fn bounds(at: &Instant) -> Option<(i64, i64)> {
    match at {
        Instant::Exact(at) => Some((at.as_second(), at.as_second())),
        Instant::Between { after, before } => {
            let (after, before) = (after.or(*before)?, before.or(*after)?);
            Some((after.as_second(), before.as_second()))
        }
    }
}

/// Numbered dots on a line from the first moment to now. Moments that fall together are set apart, in
/// order; what is known only between two times is a bar.
fn strip(out: &mut String, finding: &Finding, now: Timestamp, number: usize) {
    let moments: Vec<Option<(i64, i64)>> = finding.timeline.iter().map(|moment| bounds(&moment.at)).collect();
    let Some(first) = moments.iter().flatten().map(|(from, _)| *from).min() else { return };
    let last = moments.iter().flatten().map(|(_, to)| *to).max().unwrap_or(first).max(now.as_second());
    let span = (last - first).max(1);
    let place = |at: i64| MARGIN + (at - first) * (WIDTH - 2 * MARGIN) / span;
    out.push_str(&format!(
        "<svg class=\"strip\" role=\"img\" aria-labelledby=\"strip-{number}\" viewBox=\"0 0 {WIDTH} 56\" xmlns=\"http://www.w3.org/2000/svg\">\n<title id=\"strip-{number}\">{} moments between the first and now; the list below tells them</title>\n<path class=\"arrow\" d=\"M{MARGIN} 20H{}\"/>\n",
        finding.timeline.len(),
        WIDTH - MARGIN
    ));
    let centres = apart(&moments.iter().map(|moment| moment.map(|(_, to)| place(to))).collect::<Vec<_>>());
    for (index, (moment, x)) in moments.iter().zip(centres).enumerate() {
        let (Some((from, to)), Some(x)) = (moment, x) else { continue };
        if from < to {
            out.push_str(&format!("<path class=\"span\" d=\"M{} 20H{x}\"/>\n", place(*from).min(x)));
        }
        out.push_str(&format!(
            "<circle class=\"dot\" cx=\"{x}\" cy=\"20\" r=\"10\"/><text class=\"number\" x=\"{x}\" y=\"24\">{}</text>\n",
            index + 1
        ));
    }
    out.push_str(&format!(
        "<text class=\"end\" x=\"{MARGIN}\" y=\"50\">{}</text><text class=\"end right\" x=\"{}\" y=\"50\">now</text>\n</svg>\n",
        Timestamp::from_second(first).map(|at| at.to_string()).unwrap_or_default(),
        WIDTH - MARGIN
    ));
}

/// Places that are at least [`APART`] from each other, as near to the true ones as the strip allows.
fn apart(places: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut placed: Vec<Option<i64>> = places.to_vec();
    let mut limit = WIDTH - MARGIN;
    for place in placed.iter_mut().rev().flatten() {
        *place = (*place).min(limit);
        limit = *place - APART;
    }
    let mut least = MARGIN;
    for place in placed.iter_mut().flatten() {
        *place = (*place).max(least);
        least = *place + APART;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_do_not_cover_each_other_and_stay_on_the_strip() {
        assert_eq!(apart(&[Some(14), Some(300), None, Some(626)]), [Some(14), Some(300), None, Some(626)]);
        assert_eq!(apart(&[Some(620), Some(626), Some(626)]), [Some(582), Some(604), Some(626)]);
        assert_eq!(apart(&[Some(14), Some(15)]), [Some(14), Some(36)]);
    }
}
