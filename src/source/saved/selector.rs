//! Label and field selectors, as the API server reads them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// Requirements that all have to hold: `owner=helm,status!=superseded`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Selector<'a>(Vec<Requirement<'a>>);

#[derive(Debug, PartialEq, Eq)]
struct Requirement<'a> {
    key: &'a str,
    value: Option<&'a str>,
    wanted: bool,
}

impl<'a> Selector<'a> {
    /// The selector that this text means. `a=b`, `a==b`, `a!=b`, `a` and `!a`, joined by commas.
    pub fn parse(text: &'a str) -> Self {
        let requirements = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Self(requirements.map(Requirement::parse).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an object with these labels is selected.
    pub fn selects_labels(&self, json: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        let labels: BTreeMap<String, Option<String>> = field(json, "metadata.labels")
            .and_then(|labels| serde_json::from_str(labels).ok())
            .unwrap_or_default();
        self.0.iter().all(|requirement| {
            let label = labels.get(requirement.key).map(|label| label.as_deref().unwrap_or_default());
            requirement.holds(label)
        })
    }

    /// Whether an object with these fields is selected; a field that is not there reads as `""`.
    pub fn selects_fields(&self, json: &str) -> bool {
        self.0.iter().all(|requirement| {
            let raw = field(json, requirement.key).unwrap_or("\"\"");
            let text = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
            requirement.holds(Some(if text == "null" { "" } else { &text }))
        })
    }
}

impl<'a> Requirement<'a> {
    fn parse(text: &'a str) -> Self {
        if let Some((key, value)) = text.split_once("!=") {
            return Self { key: key.trim(), value: Some(value.trim()), wanted: false };
        }
        if let Some((key, value)) = text.split_once("==").or_else(|| text.split_once('=')) {
            return Self { key: key.trim(), value: Some(value.trim()), wanted: true };
        }
        match text.strip_prefix('!') {
            Some(key) => Self { key: key.trim(), value: None, wanted: false },
            None => Self { key: text, value: None, wanted: true },
        }
    }

    fn holds(&self, found: Option<&str>) -> bool {
        let is_so = match self.value {
            Some(value) => found == Some(value),
            None => found.is_some(),
        };
        is_so == self.wanted
    }
}

/// The JSON text at a dotted path, without parsing what stands beside it.
fn field<'a>(json: &'a str, path: &str) -> Option<&'a str> {
    path.split('.').try_fold(json, |json, key| {
        let object: BTreeMap<String, &'a RawValue> = serde_json::from_str(json).ok()?;
        object.get(key).map(|raw| raw.get())
    })
}

#[cfg(test)]
mod tests {
    use super::Selector;

    const SECRET: &str = r#"{"type":"helm.sh/release.v1","metadata":{"name":"a","namespace":"shop",
        "labels":{"owner":"helm","status":"failed","odd":null}},"involvedObject":{"kind":"Pod","name":"p"},
        "status":{"phase":"Running"},"immutable":true}"#;

    #[test]
    fn labels() {
        for (selector, want) in [
            ("", true),
            ("owner=helm", true),
            ("owner==helm, status=failed", true),
            ("owner=helm,status!=superseded", true),
            ("status!=failed", false),
            ("missing!=x", true),
            ("missing=x", false),
            ("owner", true),
            ("!owner", false),
            ("!missing", true),
            ("odd=", true),
        ] {
            assert_eq!(Selector::parse(selector).selects_labels(SECRET), want, "{selector}");
        }
    }

    #[test]
    fn fields() {
        for (selector, want) in [
            ("", true),
            ("type=helm.sh/release.v1", true),
            ("type!=helm.sh/release.v1", false),
            ("metadata.name=a,metadata.namespace=shop", true),
            ("metadata.name=b", false),
            ("involvedObject.kind=Pod,involvedObject.name=p", true),
            ("involvedObject.uid=", true),
            ("status.phase!=Succeeded", true),
            ("immutable=true", true),
        ] {
            assert_eq!(Selector::parse(selector).selects_fields(SECRET), want, "{selector}");
        }
    }
}
