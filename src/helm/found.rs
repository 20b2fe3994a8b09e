//! Releases in whatever a person hands over: a Secret, a ConfigMap, a List with many, a stream of YAML or
//! JSON, a bare payload.

use serde_json::Value;

use super::{DecodeError, Driver, Payload, RevisionMeta};
use crate::yaml;

/// What one input held.
#[derive(Debug, Default)]
pub struct Found {
    /// Records, in input order.
    pub records: Vec<Record>,
    /// What could not be used, one sentence each, with what to give instead.
    pub problems: Vec<String>,
}

/// One record that should hold a release.
#[derive(Debug)]
pub struct Record {
    /// `Secret shop/sh.helm.release.v1.shop.v14`, or `payload`.
    pub title: String,
    /// What its metadata tells; `None` for a bare payload.
    pub meta: Option<RevisionMeta>,
    /// The release, encoded.
    pub payload: Payload<'static>,
}

/// What to give, for those who gave something else.
const GIVE: &str = "give a release Secret: kubectl get secret -n NAMESPACE -l owner=helm -o yaml";

impl Found {
    /// Looks through an input.
    pub fn read(input: &[u8]) -> Self {
        let mut found = Self::default();
        let text = input.trim_ascii();
        if text.is_empty() {
            found.problems.push(format!("the input is empty; {GIVE}"));
            return found;
        }
        let sniffed = Payload::sniff(input);
        match (sniffed, std::str::from_utf8(text)) {
            (_, Ok(text)) if text.starts_with(['{', '[']) => found.read_json(text),
            (Ok(payload), _) => found.take("payload", None, payload.into_owned()),
            (Err(error), Err(_)) => found.problems.push(describe_unknown(&error)),
            (Err(error), Ok(text)) => found.read_yaml(text, &error),
        }
        found
    }

    fn take(&mut self, title: impl Into<String>, meta: Option<RevisionMeta>, payload: Payload<'static>) {
        self.records.push(Record { title: title.into(), meta, payload });
    }

    fn read_json(&mut self, text: &str) {
        for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
            match value {
                Ok(value) => self.read_value(value),
                Err(_) if text.starts_with("{\"name\"") && self.is_untouched() => {
                    // A record cut off: the decoder says where, and saves its head.
                    if let Ok(payload) = Payload::sniff(text.as_bytes()) {
                        self.take("payload", None, payload.into_owned());
                    }
                }
                Err(error) => {
                    let (line, column) = (error.line(), error.column());
                    self.problems.push(format!(
                        "the JSON ends or breaks at line {line}, column {column}; copy it whole"
                    ));
                }
            }
        }
    }

    fn read_yaml(&mut self, text: &str, as_payload: &DecodeError) {
        let documents: Vec<_> = yaml::documents(text).collect();
        for document in &documents {
            match yaml::parse(document.text) {
                Ok(Value::String(_)) if documents.len() == 1 => {
                    self.problems.push(describe_unknown(as_payload))
                }
                Ok(value) => self.read_value(value),
                Err(error) => {
                    let before = text.get(..document.offset).unwrap_or_default().lines().count();
                    let line = before.saturating_sub(1) + error.line;
                    self.problems
                        .push(format!("the YAML breaks at line {line} ({}); copy it whole", error.why));
                }
            }
        }
        if documents.is_empty() {
            self.problems.push(format!("the input holds only comments; {GIVE}"));
        }
    }

    fn read_value(&mut self, value: Value) {
        let mut others = Vec::new();
        let known = self.records.len() + self.problems.len();
        self.read_object(value, &mut others, false);
        if self.records.len() + self.problems.len() == known {
            let what = if others.is_empty() { "an empty list".to_owned() } else { others.join(", ") };
            self.problems.push(format!("{what} holds no Helm release; {GIVE}"));
        }
    }

    fn read_object(&mut self, value: Value, others: &mut Vec<String>, is_item: bool) {
        if let Value::Array(items) = &value {
            return items.iter().for_each(|item| self.read_object(item.clone(), others, true));
        }
        let kind = text(&value["kind"]);
        if kind.ends_with("List") && value["items"].is_array() {
            let items = value["items"].as_array().cloned().unwrap_or_default();
            return items.into_iter().for_each(|item| {
                let item = with_kind(item, kind.trim_end_matches("List"));
                self.read_object(item, others, true);
            });
        }
        let title = title(&value);
        match kind {
            "Secret" => match (text(&value["data"]["release"]), text(&value["stringData"]["release"])) {
                ("", "") => others.extend(not_a_release(&value, &title, is_item)),
                ("", plain) => self.take(
                    title,
                    meta(&value, Driver::Secret),
                    Payload::from_config_map_data(plain).into_owned(),
                ),
                (data, _) => self.take(
                    title,
                    meta(&value, Driver::Secret),
                    Payload::from_secret_data(data).into_owned(),
                ),
            },
            "ConfigMap" => match text(&value["data"]["release"]) {
                "" => others.extend(not_a_release(&value, &title, is_item)),
                data => self.take(
                    title,
                    meta(&value, Driver::ConfigMap),
                    Payload::from_config_map_data(data).into_owned(),
                ),
            },
            "" => self.read_kindless(&value, others),
            _ => others.extend(not_a_release(&value, &title, is_item)),
        }
    }

    /// A record as JSON, or the `data` of a Secret without the rest.
    fn read_kindless(&mut self, value: &Value, others: &mut Vec<String>) {
        for data in [&value["data"]["release"], &value["release"]] {
            if let Some(text) = data.as_str() {
                return match Payload::sniff(text.as_bytes()) {
                    Ok(payload) => self.take("payload", None, payload.into_owned()),
                    Err(error) => self.problems.push(error.to_string()),
                };
            }
        }
        if value["name"].is_string() && (value["info"].is_object() || value["chart"].is_object()) {
            let json = value.to_string();
            if let Ok(payload) = Payload::sniff(json.as_bytes()) {
                return self.take("payload", None, payload.into_owned());
            }
        }
        others.push("this".to_owned());
    }

    fn is_untouched(&self) -> bool {
        self.records.is_empty() && self.problems.is_empty()
    }
}

fn meta(value: &Value, driver: Driver) -> Option<RevisionMeta> {
    RevisionMeta::from_object(value, driver)
}

fn title(value: &Value) -> String {
    let metadata = &value["metadata"];
    match (text(&value["kind"]), text(&metadata["namespace"]), text(&metadata["name"])) {
        (kind, "", name) => format!("{kind} {name}").trim().to_owned(),
        (kind, namespace, name) => format!("{kind} {namespace}/{name}"),
    }
}

/// Other objects of a list are nothing to talk about, unless nothing else was found.
fn not_a_release(value: &Value, title: &str, is_item: bool) -> Option<String> {
    let is_record = text(&value["metadata"]["labels"]["owner"]) == "helm";
    let kind = match text(&value["type"]) {
        "" => String::new(),
        kind => format!(" (type {kind})"),
    };
    match (is_record, is_item) {
        (true, _) => Some(format!("{title} (a release record without its data: only metadata was saved)")),
        (false, false) => Some(format!("{title}{kind}")),
        (false, true) => Some(title.to_owned()),
    }
}

fn with_kind(mut item: Value, kind: &str) -> Value {
    // Items of a typed list (`SecretList`) have no kind of their own.
    if let Some(members) = item.as_object_mut()
        && !members.contains_key("kind")
        && !kind.is_empty()
    {
        members.insert("kind".into(), kind.into());
    }
    item
}

fn describe_unknown(error: &DecodeError) -> String {
    format!("{error}; {}", error.advice())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::helm::{Limit, encode};

    fn secret(number: u32) -> Value {
        let record = json!({"name": "shop", "info": {"status": "deployed"}, "chart": {}, "version": number});
        json!({
            "apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
            "metadata": {"name": format!("sh.helm.release.v1.shop.v{number}"), "namespace": "shop", "labels": {"owner": "helm"}},
            "data": {"release": encode::secret_data(record.to_string().as_bytes())},
        })
    }

    fn versions(input: &str) -> Vec<u32> {
        let found = Found::read(input.as_bytes());
        found
            .records
            .iter()
            .filter_map(|one| Some(one.payload.release(Limit::default()).ok()?.version))
            .collect()
    }

    #[test]
    fn every_form_of_a_release_is_found() {
        let one = secret(1);
        let data = one["data"]["release"].as_str().unwrap();
        let config_map = json!({"kind": "ConfigMap", "data": {"release": encode::config_map_data(br#"{"name":"a","version":1}"#)}});
        let bare = json!({"name": "shop", "info": {}, "version": 1});
        for (what, input) in [
            ("JSON", one.to_string()),
            ("YAML", yaml::emit(&one)),
            ("ConfigMap", yaml::emit(&config_map)),
            ("payload", data.to_owned()),
            ("payload in quotes", format!("'{data}'\n")),
            ("data", format!("release: {data}\n")),
            ("data section", format!("data:\n  release: {data}\n")),
            ("record", bare.to_string()),
            ("record as YAML", yaml::emit(&bare)),
        ] {
            assert_eq!(versions(&input), [1], "{what}");
        }
    }

    #[test]
    fn many_are_found_in_lists_and_streams() {
        let other = json!({"kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}});
        let list = json!({"kind": "List", "items": [secret(1), other, secret(2)]});
        assert_eq!(versions(&list.to_string()), [1, 2]);
        assert_eq!(versions(&yaml::emit(&list)), [1, 2]);
        assert_eq!(versions(&format!("{}\n{}", secret(1), secret(2))), [1, 2]);
        assert_eq!(
            versions(&format!("---\n{}---\n{}", yaml::emit(&secret(1)), yaml::emit(&secret(2)))),
            [1, 2]
        );
        let mut item = secret(3);
        item.as_object_mut().unwrap().remove("kind");
        assert_eq!(versions(&json!({"kind": "SecretList", "items": [item]}).to_string()), [3]);
        assert_eq!(Found::read(list.to_string().as_bytes()).problems, Vec::<String>::new());
    }

    #[test]
    fn what_is_no_release_is_named_with_what_to_give_instead() {
        let no_data = json!({"kind": "Secret", "metadata": {"name": "sh.helm.release.v1.a.v1", "labels": {"owner": "helm"}}});
        for (input, says) in [
            ("", "the input is empty"),
            (
                "kind: GitRepo\nmetadata: {name: shop, namespace: fleet-default}",
                "GitRepo fleet-default/shop holds no Helm release",
            ),
            (
                "kind: Secret\ntype: Opaque\nmetadata: {name: db}\ndata: {a: b}",
                "Secret db (type Opaque) holds no Helm release",
            ),
            (&no_data.to_string(), "only metadata was saved"),
            ("{\"kind\": \"List\", \"items\": []}", "an empty list holds no Helm release"),
            ("{\"kind\": \"Secret\", ", "the JSON ends or breaks at line 1"),
            ("a: b\nc: [", "the YAML breaks at line"),
            ("hello world", "neither base64, nor gzip, nor JSON"),
            ("# nothing", "only comments"),
        ] {
            let found = Found::read(input.as_bytes());
            assert!(found.records.is_empty(), "{input}");
            assert!(
                found.problems.iter().any(|problem| problem.contains(says)),
                "{input}: {:?}",
                found.problems
            );
        }
        assert!(!Found::read(&[0, 255, 1, 2]).problems.is_empty());
    }

    #[test]
    fn a_broken_document_leaves_the_others() {
        let input = format!("a: [\n---\n{}", yaml::emit(&secret(2)));
        assert_eq!(versions(&input), [2]);
        assert_eq!(Found::read(input.as_bytes()).problems.len(), 1);
        assert_eq!(versions(&format!("{}\n{{\"kind\":", secret(1))), [1]);
    }
}
