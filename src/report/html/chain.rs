//! The picture of the chain: from the owner down to the field, and who holds it.

use super::escape::Text;
use crate::object::ObjectRef;
use crate::report::shorten::middle;
use crate::report::telling::Telling;
use crate::report::{Conflict, Finding, value};

const WIDTH: usize = 340;
const BOX: usize = 44;
const GAP: usize = 18;
/// Characters of the picture's type that fit a box.
const FITS: usize = 38;
/// Fields that are drawn; the text beside names all.
const DRAWN: usize = 3;

/// A link of the chain.
struct Link {
    kind: String,
    name: String,
    is_bad: bool,
}

pub(super) fn picture<'a>(out: &mut String, telling: Telling<'a>, finding: &'a Finding, number: usize) {
    let links = links(telling, finding);
    if links.len() < 2 {
        return;
    }
    let fields: Vec<&Conflict> = finding.conflicts.iter().take(DRAWN).collect();
    let height = links.len() * (BOX + GAP) + fields.len() * (BOX * 2 + GAP * 2) + 4;
    let words: Vec<String> = links.iter().map(|link| format!("{} {}", link.kind, link.name)).collect();
    let held: Vec<String> = fields
        .iter()
        .map(|field| format!("{} is held by {}, not by {}", field.path, field.manager, deployer(finding)))
        .collect();
    out.push_str(&format!(
        "<figure>\n<svg role=\"img\" aria-labelledby=\"chain-{number} chain-text-{number}\" viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n<title id=\"chain-{number}\">Chain of the delivery</title>\n<desc id=\"chain-text-{number}\">{}</desc>\n",
        Text(&[words.join(", then "), held.join("; ")].join(". ")),
    ));
    let mut y = 2;
    for (index, link) in links.iter().enumerate() {
        if index > 0 {
            arrow(out, WIDTH / 2, y - GAP, y, link.is_bad);
        }
        draw(out, 2, y, WIDTH - 4, &link.kind, &link.name, if link.is_bad { "node bad" } else { "node" });
        y += BOX + GAP;
    }
    for (index, field) in fields.into_iter().enumerate() {
        if index == 0 {
            arrow(out, WIDTH / 2, y - GAP, y, true);
        }
        y = held_field(out, finding, field, y);
    }
    out.push_str("</svg>\n</figure>\n");
}

/// The field in red, below it side by side what was wanted and who holds it.
fn held_field(out: &mut String, finding: &Finding, field: &Conflict, y: usize) -> usize {
    let kind =
        if one_object(finding).is_some() { "field".into() } else { format!("field of {}", field.object) };
    draw(out, 2, y, WIDTH - 4, &kind, &field.path, "node bad");
    let below = y + BOX + GAP;
    let half = WIDTH / 2 - 8;
    arrow(out, WIDTH / 4, below - GAP, below, true);
    arrow(out, WIDTH * 3 / 4, below - GAP, below, false);
    let wanted = format!("wants {}", value::words(&field.wanted));
    let live = format!("holds {}", value::words(&field.live));
    draw(out, 2, below, half, deployer(finding), &wanted, "node refused");
    draw(out, WIDTH / 2 + 6, below, half, &field.manager, &live, "node holder");
    below + BOX + GAP
}

/// The object that all fields in conflict are of.
fn one_object(finding: &Finding) -> Option<&ObjectRef> {
    let first = &finding.conflicts.first()?.object;
    finding.conflicts.iter().all(|conflict| conflict.object == *first).then_some(first)
}

/// Who wants to write, in a word.
fn deployer(finding: &Finding) -> &str {
    finding.owner.as_ref().map_or("Helm", |owner| owner.kind.as_str())
}

fn links<'a>(telling: Telling<'a>, finding: &'a Finding) -> Vec<Link> {
    let link = |kind: &str, name: String| Link { kind: kind.into(), name, is_bad: false };
    let mut links: Vec<Link> = finding.chain.iter().map(|object| link(&object.kind, object.path())).collect();
    if let Some(owner) = finding.owner.as_ref().filter(|_| links.is_empty()) {
        links.push(link(&owner.kind, owner.path()));
    }
    if let Some(cluster) = &finding.cluster {
        links.push(link("cluster", telling.cluster(cluster)));
    }
    if let Some(release) = &finding.release {
        let revision = release.revision.map(|revision| format!(", revision {revision}")).unwrap_or_default();
        let status = release.status.as_ref().map(|status| format!(" {status}")).unwrap_or_default();
        links.push(link("release", format!("{}/{}{revision}{status}", release.namespace, release.name)));
    }
    if let Some(object) = one_object(finding) {
        links.push(link(&object.kind, object.path()));
    }
    if finding.conflicts.is_empty()
        && let Some(last) = links.last_mut()
    {
        last.is_bad = true;
    }
    links
}

fn draw(out: &mut String, x: usize, y: usize, width: usize, kind: &str, name: &str, class: &str) {
    let fits = FITS * width / WIDTH;
    out.push_str(&format!(
        "<g class=\"{class}\"><title>{} {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX}\" rx=\"6\"/><text x=\"{tx}\" y=\"{ky}\" class=\"kind\">{}</text><text x=\"{tx}\" y=\"{ny}\">{}</text></g>\n",
        Text(kind),
        Text(name),
        Text(&middle(kind, fits)),
        Text(&middle(name, fits)),
        tx = x + 10,
        ky = y + 17,
        ny = y + 34,
    ));
}

fn arrow(out: &mut String, x: usize, from: usize, to: usize, is_bad: bool) {
    let class = if is_bad { "arrow bad" } else { "arrow" };
    out.push_str(&format!(
        "<path class=\"{class}\" d=\"M{x} {from}V{to}M{} {}L{x} {to}L{} {}\"/>\n",
        x - 4,
        to - 5,
        x + 4,
        to - 5
    ));
}
