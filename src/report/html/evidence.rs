//! What the answer rests on, folded.

use super::escape::Text;
use super::timeline;
use super::ways::gaps;
use crate::report::Finding;
use crate::report::telling::{Telling, says};

pub(super) fn evidence(out: &mut String, telling: Telling<'_>, finding: &Finding, number: usize) {
    timeline::timeline(out, telling, finding, number);
    if !finding.evidence.is_empty() {
        out.push_str(&format!(
            "<details><summary>Evidence ({})</summary>\n<dl class=\"claims\">\n",
            finding.evidence.len()
        ));
        for claim in &finding.evidence {
            let says = says(finding, &claim.says);
            out.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", Text(&claim.source), Text(says)));
        }
        out.push_str("</dl>\n</details>\n");
    }
    if !finding.earlier.is_empty() {
        out.push_str("<details><summary>Earlier tries</summary>\n<dl class=\"claims\">\n");
        for earlier in &finding.earlier {
            out.push_str(&format!(
                "<dt>revision {}, {}, {}</dt><dd>{}</dd>\n",
                earlier.revision,
                Text(&earlier.status),
                Text(&earlier.class),
                Text(&earlier.description)
            ));
        }
        out.push_str("</dl>\n</details>\n");
    }
    if !finding.gaps.is_empty() {
        out.push_str("<h3>Not known</h3>\n");
        gaps(out, &finding.gaps);
    }
}
