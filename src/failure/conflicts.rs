//! The grammar of server-side apply conflicts: Helm 4's lead-in names the object, the API server's
//! `managedfields` prints who holds which field (failure-guide 4).

use std::collections::HashSet;

use memchr::memmem;

use super::cursor::Cursor;
use super::model::{Conflict, NamedObject, Operation};

/// What the grammar found.
#[derive(Default)]
pub(super) struct Conflicts {
    /// Objects with a conflict lead-in, in text order.
    pub objects: Vec<NamedObject>,
    /// One per field, in text order; what a text says twice is there once.
    pub conflicts: Vec<Conflict>,
    /// Fewer fields than announced, or a manager without a field.
    pub cut: bool,
    /// Where the first conflict begins.
    pub start: Option<usize>,
}

/// Reads all conflicts of a text whose escape layers are undone.
pub(super) fn read(text: &str) -> Conflicts {
    let mut found = Conflicts::default();
    let mut seen_objects: Vec<(NamedObject, usize)> = Vec::new();
    let mut seen = HashSet::new();
    let mut object = None;
    let mut announced: Option<(usize, usize)> = None;
    // A closing bracket or comma ends a path only inside Fleet's `State(n) [...]` or JSON.
    let bracketed = text.contains(") [");
    let mut at = 0;
    for start in memmem::find_iter(text.as_bytes(), "onflict") {
        if start < at {
            continue;
        }
        let mut here = Cursor::new(text, start + "onflict".len());
        let plural = here.rest().starts_with('s');
        here.at += usize::from(plural);
        if here.words(&["occurred", "while", "applying", "object"]) {
            object =
                lead_in(&mut here).map(|named| match seen_objects.iter().find(|(old, _)| *old == named) {
                    Some((_, index)) => *index,
                    None => {
                        let index = found.objects.len();
                        seen_objects.truncate(200);
                        seen_objects.insert(0, (named.clone(), index));
                        found.objects.push(named);
                        index
                    }
                });
            found.start.get_or_insert(start.saturating_sub(1));
        } else if let Some(number) = announcement(text, start) {
            found.cut |= announced.is_some_and(|(expected, read)| read < expected);
            announced = Some((number, 0));
            found.start.get_or_insert(start.saturating_sub(1));
        } else if here.words(&["with"]) && here.blanks().rest().starts_with('"') {
            let Some((manager, fields)) = holder(&mut here, bracketed) else {
                found.cut |= here.rest().trim().is_empty() || here.rest().len() < 2;
                at = here.at;
                continue;
            };
            found.cut |= fields.is_empty() && !here.rest().starts_with('"');
            if !fields.is_empty() {
                found.start.get_or_insert(start.saturating_sub(1));
            }
            for field in fields {
                if let Some((_, read)) = announced.as_mut() {
                    *read += 1;
                }
                let conflict = Conflict { object_index: object, field, ..manager.clone() };
                let told = (
                    conflict.object_index,
                    conflict.manager.clone(),
                    conflict.subresource.clone(),
                    conflict.api_version.clone(),
                    conflict.field.clone(),
                );
                if seen.insert(told) {
                    found.conflicts.push(conflict);
                }
            }
        }
        at = here.at;
    }
    found.cut |= announced.is_some_and(|(expected, read)| read < expected);
    found
}

/// `Apply failed with N conflict(s)`: the number before this word.
fn announcement(text: &str, start: usize) -> Option<usize> {
    let before = text.get(..start)?.strip_suffix('c')?.trim_end();
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (lead, number) = before.split_at_checked(before.len() - digits)?;
    let mut words = lead.split_whitespace().rev();
    (words.next() == Some("with") && words.next() == Some("failed")).then(|| number.parse().ok()).flatten()
}

/// `NS/NAME GROUP/VERSION, Kind=KIND:`. People leave out parts when they copy it by hand.
fn lead_in(here: &mut Cursor<'_>) -> Option<NamedObject> {
    here.blanks();
    let mut named = NamedObject::default();
    let path = here.until(char::is_whitespace);
    let whole = path.strip_suffix(':').unwrap_or(path);
    match whole.split_once('/') {
        Some((namespace, name)) if !name.is_empty() => {
            named.namespace = (!namespace.starts_with("..")).then(|| namespace.to_owned());
            named.name = Some(name.to_owned());
        }
        _ if whole.is_empty() || whole.starts_with("..") || whole.starts_with('\u{2026}') => {}
        _ => named.name = Some(whole.to_owned()),
    }
    if path == whole {
        group_version_kind(here, &mut named);
    }
    (named != NamedObject::default()).then_some(named)
}

/// `apps/v1, Kind=Deployment`, `/v1, Kind=Secret`, or a bare `Deployment:`.
fn group_version_kind(here: &mut Cursor<'_>, named: &mut NamedObject) {
    let mut ahead = *here;
    ahead.blanks();
    let version = ahead.until(|c| c.is_whitespace() || c == ',');
    let is_kind = |kind: &str| kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.len() < 254;
    if ahead.rest().starts_with(',') {
        ahead.at += 1;
        if ahead.words(&["Kind="]) {
            let kind = ahead.until(|c| !c.is_ascii_alphanumeric());
            named.api_version = Some(version.trim_start_matches('/').to_owned());
            named.kind = (!kind.is_empty()).then(|| kind.to_owned());
            *here = ahead;
        }
    } else if let Some(kind) = version.strip_suffix(':').filter(|kind| is_kind(kind)) {
        named.kind = Some(kind.to_owned());
        *here = ahead;
    }
}

/// `"MANAGER" with subresource "S" using VERSION at TIME:` and the fields after it.
fn holder(here: &mut Cursor<'_>, bracketed: bool) -> Option<(Conflict, Vec<String>)> {
    let manager = here.quoted()?.into_owned();
    let mut conflict = Conflict {
        object_index: None,
        manager,
        operation: Operation::Apply,
        subresource: String::new(),
        api_version: String::new(),
        time: None,
        field: String::new(),
    };
    if here.words(&["with", "subresource"]) {
        conflict.subresource = here.blanks().quoted()?.into_owned();
    }
    if here.words(&["using"]) {
        here.blanks();
        let version = here.until(|c| c.is_whitespace() || matches!(c, ':' | '"' | ',' | '\\'));
        conflict.operation = Operation::Update;
        conflict.api_version = version.to_owned();
        if here.words(&["at"]) {
            here.blanks();
            let time =
                here.until(|c| !(c.is_ascii_digit() || matches!(c, '-' | ':' | 'T' | 'Z' | '+' | '.')));
            conflict.time = Some(time.trim_end_matches(':').to_owned());
            here.at -= time.len() - time.trim_end_matches(':').len();
        }
    }
    let mut fields = Vec::new();
    if here.words(&[":"]) {
        loop {
            let mut ahead = *here;
            ahead.blanks();
            if ahead.rest().starts_with(['-', '\u{2022}', '*']) {
                ahead.until(|c| !matches!(c, '-' | '\u{2022}' | '*'));
                ahead.blanks();
            } else if !fields.is_empty() {
                break;
            }
            if !ahead.rest().starts_with(['.', '[']) || ahead.rest().starts_with("...") {
                break;
            }
            let whole = field(&mut ahead, bracketed);
            *here = ahead;
            match whole {
                Some(field) => fields.push(field),
                None => break,
            }
        }
    } else if here.rest().starts_with("\",\"field\":\"") || here.rest().starts_with("\", \"field\": \"") {
        // A cause of a Status object: manager and field stand in two keys.
        here.at += 2;
        here.until(|c| c == ':');
        here.until(|c| c == '"');
        here.at += 1;
        fields.extend(field(here, bracketed));
    }
    Some((conflict, fields))
}

/// One field path. It holds no blank outside a quoted key value; `None` where it is cut.
fn field(here: &mut Cursor<'_>, bracketed: bool) -> Option<String> {
    let rest = here.rest();
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        if quoted {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' if depth > 0 => quoted = true,
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            '\n' if depth > 0 => {}
            _ if c.is_whitespace() => {
                end = at;
                break;
            }
            '"' | '\'' | '\\' | '`' => {
                end = at;
                break;
            }
            ']' | ',' | ';' if bracketed => {
                end = at;
                break;
            }
            ',' if ends_a_listed_error(rest.get(at + 1..).unwrap_or_default()) => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    here.at += end;
    let mut path = rest.get(..end)?;
    let cut = depth > 0 || quoted || path.ends_with("...") || path.ends_with('\u{2026}');
    path = path.trim_end_matches([':', ',', ';']);
    // `.` and `[` always begin something.
    (!cut && path.len() > 1).then(|| path.replace('\n', ""))
}

/// Argo CD joins the errors of several objects with a comma and no blank.
fn ends_a_listed_error(next: &str) -> bool {
    ["error when ", "conflict occurred", "Apply failed"].iter().any(|lead| next.starts_with(lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        read(text).conflicts.into_iter().map(|conflict| conflict.field).collect()
    }

    #[test]
    fn a_path_ends_where_the_carrier_goes_on() {
        for tail in [
            "",
            "\n",
            " && conflict x",
            "\"",
            ": Conflict (Status {",
            "\nPlease review the fields above",
            ": release: not found",
        ] {
            let text = format!("Apply failed with 1 conflict: conflict with \"m\" using v1: .data.a.b{tail}");
            assert_eq!(fields(&text), [".data.a.b"], "{tail:?}");
            assert!(!read(&text).cut, "{tail:?}");
        }
    }

    #[test]
    fn a_header_without_a_path_is_cut() {
        let found = read("Apply failed with 8 conflicts: conflicts with \"Mozilla\" using apps/...");
        assert!(found.cut && found.conflicts.is_empty());
        let found =
            read("Apply failed with 2 conflicts: conflicts with \"a\" using v1:\n- .data.x\n- .data[");
        assert!(found.cut);
        assert_eq!(found.conflicts.len(), 1);
    }

    #[test]
    fn the_core_group_and_cluster_scope_are_read() {
        let found = read(
            "conflict occurred while applying object /web /v1, Kind=Namespace: Apply failed with 1 conflict: conflict with \"m\": .x",
        );
        assert_eq!(
            found.objects,
            [NamedObject {
                api_version: Some("v1".into()),
                kind: Some("Namespace".into()),
                namespace: Some(String::new()),
                name: Some("web".into()),
            }]
        );
        assert_eq!(found.conflicts.first().map(|conflict| conflict.operation), Some(Operation::Apply));
    }

    #[test]
    fn a_time_is_read() {
        let found =
            read("conflict with \"m\" with subresource \"scale\" using v1 at 2026-12-01T01:02:03Z: .x");
        let conflict = found.conflicts.first().expect("one conflict");
        assert_eq!(conflict.time.as_deref(), Some("2026-12-01T01:02:03Z"));
        assert_eq!((conflict.subresource.as_str(), conflict.field.as_str()), ("scale", ".x"));
    }
}
