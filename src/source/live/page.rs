//! One page of a listing, split into objects whose JSON is kept as it came.

use std::rc::Rc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::source::{Detail, Object, Resource};

/// What a page of a List holds.
#[derive(Deserialize)]
struct List<'a> {
    #[serde(default)]
    metadata: ListMetadata,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Default, Deserialize)]
struct ListMetadata {
    #[serde(default, rename = "continue")]
    continue_token: Option<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default, rename = "apiVersion")]
    api_version: Option<&'a RawValue>,
    #[serde(borrow, default)]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    metadata: Option<&'a RawValue>,
}

/// Adds the page's objects to `objects` and returns the token of the next page.
///
/// # Errors
/// The text is no List.
pub(super) fn split(
    text: &str,
    resource: &Resource,
    detail: Detail,
    origin: &Rc<str>,
    objects: &mut Vec<Object>,
) -> Result<Option<String>, serde_json::Error> {
    let list: List<'_> = serde_json::from_str(text)?;
    for item in list.items.into_iter().flatten() {
        let json = complete(item.get(), resource, detail)?;
        objects.push(Object { json, origin: origin.clone() });
    }
    Ok(list.metadata.continue_token.filter(|token| !token.is_empty()))
}

/// One object with its apiVersion and kind. An API server leaves both out of the items of its own kinds'
/// lists, and calls what it cuts down to metadata `PartialObjectMetadata`.
pub(super) fn complete(
    json: &str,
    resource: &Resource,
    detail: Detail,
) -> Result<Rc<str>, serde_json::Error> {
    let head: Head<'_> = serde_json::from_str(json)?;
    if detail == Detail::Metadata {
        let metadata = head.metadata.map_or("{}", RawValue::get);
        return Ok(format!("{{{},\"metadata\":{metadata}}}", type_of(resource)).into());
    }
    if head.api_version.is_some() && head.kind.is_some() {
        return Ok(json.into());
    }
    let fields = json.trim_start().trim_start_matches('{');
    let comma = if fields.trim_start().starts_with('}') { "" } else { "," };
    // A kind or apiVersion that stands alone further on says the same.
    let own = match (head.api_version, head.kind) {
        (None, None) => type_of(resource),
        (None, Some(_)) => format!("\"apiVersion\":{}", quoted(&resource.api_version())),
        (Some(_), _) => format!("\"kind\":{}", quoted(&resource.kind)),
    };
    Ok(format!("{{{own}{comma}{fields}").into())
}

fn type_of(resource: &Resource) -> String {
    format!("\"apiVersion\":{},\"kind\":{}", quoted(&resource.api_version()), quoted(&resource.kind))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::resources;

    fn objects(text: &str, detail: Detail) -> (Vec<String>, Option<String>) {
        let mut found = Vec::new();
        let next = split(text, &resources::SECRETS, detail, &"context a".into(), &mut found).unwrap();
        (found.into_iter().map(|object| object.json.to_string()).collect(), next)
    }

    #[test]
    fn items_get_the_type_that_the_server_leaves_out() {
        let text = r#"{"kind":"SecretList","metadata":{"continue":"t"},"items":[
            {"metadata":{"name":"a"}, "data":{"x":"1e400"}},{},
            {"kind":"Secret","apiVersion":"v1","metadata":{}},{"kind":"Secret","metadata":{}}]}"#;
        let (found, next) = objects(text, Detail::Whole);
        assert_eq!(
            found,
            [
                r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}, "data":{"x":"1e400"}}"#,
                r#"{"apiVersion":"v1","kind":"Secret"}"#,
                r#"{"kind":"Secret","apiVersion":"v1","metadata":{}}"#,
                r#"{"apiVersion":"v1","kind":"Secret","metadata":{}}"#,
            ]
        );
        assert_eq!(next.as_deref(), Some("t"));
    }

    #[test]
    fn metadata_is_all_that_is_kept_even_if_the_server_sends_more() {
        let text = r#"{"metadata":{"continue":""},"items":[
            {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}},
            {"metadata":{"name":"b"},"data":{"k":"s3cr3t-planted"}}]}"#;
        let (found, next) = objects(text, Detail::Metadata);
        assert_eq!(
            found,
            [
                r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}"#,
                r#"{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"}}"#,
            ]
        );
        assert_eq!(next, None);
    }

    #[test]
    fn an_empty_list_may_say_null() {
        assert_eq!(objects(r#"{"items":null}"#, Detail::Whole), (vec![], None));
        assert!(split("1", &resources::PODS, Detail::Whole, &"".into(), &mut Vec::new()).is_err());
    }
}
