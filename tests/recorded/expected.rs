//! What was recorded, in the terms of the report.

use serde_json::Value;

/// One recorded finding.
pub struct Expected<'a>(pub &'a Value);

impl<'a> Expected<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        self.0.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// A later revision healed it, or nothing was wrong.
    pub fn is_silent(&self) -> bool {
        self.0.get("healed").and_then(Value::as_bool) == Some(true) || self.text("class").is_none()
    }

    /// The class.
    pub fn class(&self) -> Option<&'a str> {
        self.text("class")
    }

    /// `GitRepo fleet-default/shop`, in the recorder's words.
    pub fn owner(&self) -> Option<&'a str> {
        self.text("owner").filter(|owner| !owner.starts_with("Release "))
    }

    /// The release, which recorders wrote in three ways.
    pub fn release(&self) -> Option<&'a str> {
        self.text("release").or_else(|| self.text("owner")?.strip_prefix("Release "))
    }

    /// Whether a finding of the report is about the same owner (or release) on the same cluster.
    pub fn is_subject_of(&self, finding: &Value) -> bool {
        let same_owner = match self.owner() {
            Some(owner) => owner_of(finding).as_deref() == Some(owner),
            None => finding["owner"].is_null() && self.release().is_none_or(|it| release_of(finding) == it),
        };
        let same_cluster = match self.0.get("cluster") {
            Some(cluster) if self.0.get("owner").is_some() => {
                finding["cluster"] == *cluster || !cluster.is_string()
            }
            _ => true,
        };
        let same_revision =
            self.owner().is_some() || self.revision().is_none_or(|it| finding["release"]["revision"] == it);
        same_owner && same_cluster && same_revision
    }

    fn revision(&self) -> Option<i64> {
        self.0.get("revision").and_then(Value::as_i64)
    }

    /// What of the finding is not as recorded.
    pub fn differences(&self, finding: &Value) -> Vec<String> {
        let mut differences = Vec::new();
        let mut differs = |what: &str, expected: String, found: String| {
            if expected != found {
                differences.push(format!("{what}: recorded {expected}, found {found}"));
            }
        };
        if let Some(class) = self.class() {
            differs("class", class.to_owned(), finding["class"].as_str().unwrap_or_default().to_owned());
        }
        if let Some(state) = self.0.get("state").filter(|state| !state.is_null() && !state.is_array()) {
            differs("state", state.to_string(), finding["state"].to_string());
        }
        if let Some(release) = self.release() {
            differs("release", release.to_owned(), release_of(finding));
        }
        if let Some(revision) = self.revision() {
            differs("revision", revision.to_string(), finding["release"]["revision"].to_string());
        }
        if let Some(status) = self.text("status").filter(|status| !status.contains(' ')) {
            differs(
                "status",
                status.to_owned(),
                finding["release"]["status"].as_str().unwrap_or_default().to_owned(),
            );
        }
        if let (Some("ssa.conflict"), Some(field)) = (self.class(), self.text("field"))
            && !field.contains("; ")
        {
            let found =
                finding["conflicts"].as_array().is_some_and(|all| all.iter().any(|it| self.is_conflict(it)));
            differs(
                &format!("conflict {field}"),
                "there".into(),
                if found { "there".into() } else { finding["conflicts"].to_string() },
            );
        }
        differences
    }

    fn is_conflict(&self, found: &Value) -> bool {
        // What the recorder left out is not compared; an empty text is.
        let same = |key: &str, theirs: &str| match self.0.get(key).and_then(Value::as_str) {
            Some(text) => text == found[theirs].as_str().unwrap_or_default(),
            None => true,
        };
        let object = match &self.0["object"] {
            Value::String(text) => {
                *text
                    == format!("{} {}/{}", word(found, "kind"), word(found, "namespace"), word(found, "name"))
            }
            object => ["apiVersion", "kind", "namespace", "name"].iter().all(|key| {
                object[*key].as_str().unwrap_or_default()
                    == found["object"][*key].as_str().unwrap_or_default()
            }),
        };
        let value = |key: &str| match (&self.0[key], &found[key]) {
            (Value::Null, _) => true,
            (Value::String(text), found) if text.contains("not recorded") => found["redacted"] == true,
            (Value::String(text), Value::String(found)) => text == found,
            (Value::String(text), found) => {
                let printed = found.to_string();
                text.is_empty() || *text == printed
            }
            (recorded, found) => recorded == found,
        };
        object
            && same("field", "path")
            && same("manager", "manager")
            && same("operation", "operation")
            && same("subresource", "subresource")
            && value("wanted")
            && value("live")
    }
}

fn word(conflict: &Value, key: &str) -> String {
    conflict["object"][key].as_str().unwrap_or_default().to_owned()
}

/// `GitRepo fleet-default/shop` of a finding.
pub fn owner_of(finding: &Value) -> Option<String> {
    let owner = finding["owner"].as_object()?;
    let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
    Some(format!("{} {}/{}", text("kind"), text("namespace"), text("name")))
}

/// `shop/shop` of a finding.
pub fn release_of(finding: &Value) -> String {
    let text = |key: &str| finding["release"][key].as_str().unwrap_or_default();
    format!("{}/{}", text("namespace"), text("name"))
}
