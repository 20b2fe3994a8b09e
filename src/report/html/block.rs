//! One cause.

use super::escape::Text;
use super::{chain, evidence, ways};
use crate::report::group::{Group, Standing};
use crate::report::telling::{Telling, heading, holder, own_words, subject};
use crate::report::{Finding, value, words};

/// The class of the badge, for its colour; the badge's word says the same.
pub(super) fn mark(standing: Standing) -> &'static str {
    match standing {
        Standing::Stuck => "bad",
        Standing::LooksReady | Standing::Overtaken | Standing::Landmine => "warn",
    }
}

pub(super) fn block<'a>(out: &mut String, telling: Telling<'a>, group: &Group<'a>, number: usize) {
    let finding = group.lead;
    let places = telling.places(group).map(|places| format!(" on {places}")).unwrap_or_default();
    out.push_str(&format!(
        "<article id=\"cause-{number}\" aria-labelledby=\"title-{number}\">\n<h2 id=\"title-{number}\"><span class=\"badge {}\">{}</span> {}<span class=\"where\">{}</span></h2>\n<p class=\"summary\">{}</p>\n",
        mark(group.standing),
        group.standing.word(),
        Text(&subject(finding)),
        Text(&places),
        Text(&finding.summary),
    ));
    out.push_str("<div class=\"two\">\n<div>\n");
    facts(out, telling, group);
    out.push_str(&format!("<h3>{}</h3>\n", Text(&heading(finding))));
    fields(out, telling, finding);
    for (who, text) in own_words(finding) {
        out.push_str(&format!(
            "<p class=\"label\">{}</p>\n<pre class=\"quote\">{}</pre>\n",
            Text(&who),
            Text(text)
        ));
    }
    for running in &finding.running {
        out.push_str(&format!(
            "<p>Running: {}: {}</p>\n",
            Text(&running.object.to_string()),
            Text(&running.says)
        ));
    }
    out.push_str("</div>\n");
    chain::picture(out, telling, finding, number);
    out.push_str("</div>\n");
    ways::ways(out, group);
    evidence::evidence(out, telling, finding, number);
    out.push_str("</article>\n");
}

fn facts<'a>(out: &mut String, telling: Telling<'a>, group: &Group<'a>) {
    let facts = telling.facts(group);
    if facts.is_empty() {
        return;
    }
    out.push_str("<dl>\n");
    for fact in facts {
        out.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", fact.label, Text(&fact.text)));
    }
    out.push_str("</dl>\n");
}

fn fields(out: &mut String, telling: Telling<'_>, finding: &Finding) {
    let wants = words::wants(finding.owner.as_ref().map(|owner| owner.kind.as_str()));
    for conflict in &finding.conflicts {
        out.push_str(&format!(
            "<dl class=\"field\">\n<dt>object</dt><dd>{}</dd>\n<dt>field</dt><dd><code>{}</code></dd>\n<dt>{wants}</dt><dd class=\"wanted\"><code>{}</code></dd>\n<dt>cluster has</dt><dd class=\"live\"><code>{}</code></dd>\n<dt>held by</dt><dd>{}</dd>\n<dt>since</dt><dd>{}</dd>\n</dl>\n",
            Text(&conflict.object.to_string()),
            Text(&conflict.path),
            Text(&value::words(&conflict.wanted)),
            Text(&value::words(&conflict.live)),
            Text(&holder(conflict)),
            Text(&telling.since(conflict)),
        ));
    }
}
