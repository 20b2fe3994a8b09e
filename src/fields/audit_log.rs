//! Who the person was: the API server's audit log, read for the write that took a field.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::managed::Owner;
use super::path::Path;
use crate::object::ObjectRef;

/// A write of the audit log that fits an owner of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Write {
    /// When the request came.
    pub time: Timestamp,
    /// Who sent it: whom it impersonated where it did (Rancher does).
    pub user: String,
    /// The account that impersonated, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_by: Option<String>,
    /// The user's groups.
    pub groups: Vec<String>,
    /// Addresses, the client's first.
    pub source_ips: Vec<String>,
    /// The whole header.
    pub user_agent: String,
    /// `patch`, `update`, `create`, `apply`.
    pub verb: String,
    /// Its time is that of the managedFields entry: this is the write. Otherwise it is one that may be.
    pub is_certain: bool,
}

/// What was found in a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Fitting writes, the likeliest first.
    pub writes: Vec<Write>,
    /// Lines that are no audit events.
    pub unreadable: usize,
}

/// managedFields keeps whole seconds, of the time at which the write was decided.
const CLOSE: SignedDuration = SignedDuration::from_secs(2);

const WRITES: &[&str] = &["create", "update", "patch", "apply"];

/// Reads an audit log (JSON lines, `audit.k8s.io/v1`) for writes to `object` by this owner that may have set
/// `path`. `plural` is the resource's name in URLs.
pub fn who_wrote<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    object: &ObjectRef,
    plural: &str,
    owner: &Owner,
    path: &Path,
) -> Found {
    let mut found = Found::default();
    for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Event>(line) {
            Ok(event) if event.fits(object, plural, owner, path) => found.writes.extend(event.write(owner)),
            Ok(_) => {}
            Err(_) => found.unreadable += 1,
        }
    }
    let distance = |write: &Write| owner.since.map(|since| write.time.duration_since(since).abs());
    found.writes.sort_by(|a, b| match (distance(a), distance(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        // Without a time the newest write is the one whose value lives.
        _ => b.time.cmp(&a.time),
    });
    found
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Event {
    stage: String,
    #[serde(rename = "requestURI")]
    request_uri: String,
    verb: String,
    user: User,
    impersonated_user: Option<User>,
    #[serde(rename = "sourceIPs")]
    source_ips: Vec<String>,
    user_agent: String,
    object_ref: Target,
    response_status: Status,
    request_object: Value,
    request_received_timestamp: String,
}

impl Default for Event {
    fn default() -> Self {
        Self {
            stage: String::new(),
            request_uri: String::new(),
            verb: String::new(),
            user: User::default(),
            impersonated_user: None,
            source_ips: Vec::new(),
            user_agent: String::new(),
            object_ref: Target::default(),
            response_status: Status::default(),
            request_object: Value::Null,
            request_received_timestamp: String::new(),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct User {
    username: String,
    groups: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Target {
    resource: String,
    namespace: String,
    name: String,
    api_group: String,
    subresource: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Status {
    code: u16,
}

impl Event {
    fn fits(&self, object: &ObjectRef, plural: &str, owner: &Owner, path: &Path) -> bool {
        let target = &self.object_ref;
        self.stage == "ResponseComplete"
            && (200..300).contains(&self.response_status.code)
            && WRITES.contains(&self.verb.as_str())
            && target.resource == plural
            && target.api_group == object.group()
            && target.namespace == object.namespace
            && target.name == object.name
            && target.subresource == owner.subresource
            && self.parameter("dryRun").is_none()
            && self.manager() == owner.manager
            && self.sets(path)
    }

    /// The manager that the API server made of this request: the parameter, else the User-Agent up to its
    /// first slash.
    fn manager(&self) -> &str {
        self.parameter("fieldManager")
            .unwrap_or_else(|| self.user_agent.split('/').next().unwrap_or_default())
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        let (_, query) = self.request_uri.split_once('?')?;
        let values = query.split('&').filter_map(|pair| pair.split_once('='));
        values.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Without the request's body (level Metadata) any write may have set the field.
    fn sets(&self, path: &Path) -> bool {
        !self.request_object.is_object() || path.get(&self.request_object).is_some()
    }

    fn write(self, owner: &Owner) -> Option<Write> {
        let time: Timestamp = self.request_received_timestamp.parse().ok()?;
        let is_certain = owner.since.is_some_and(|since| time.duration_since(since).abs() <= CLOSE);
        let (user, sent_by) = match self.impersonated_user {
            Some(user) => (user, Some(self.user.username)),
            None => (self.user, None),
        };
        Some(Write {
            time,
            user: user.username,
            sent_by,
            groups: user.groups,
            source_ips: self.source_ips,
            user_agent: self.user_agent,
            verb: self.verb,
            is_certain,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::failure::Operation;
    use crate::fields::Extent;

    fn event(change: impl FnOnce(&mut Value)) -> String {
        let mut event = json!({"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "ResponseComplete",
            "requestURI": "/apis/apps/v1/namespaces/shop/deployments/web/scale", "verb": "patch",
            "user": {"username": "system:serviceaccount:rancher", "groups": ["system:masters"]},
            "impersonatedUser": {"username": "u-abc", "groups": ["devs"]}, "sourceIPs": ["10.0.0.7"],
            "userAgent": "Mozilla/5.0 (X11)",
            "objectRef": {"resource": "deployments", "namespace": "shop", "name": "web", "apiGroup": "apps", "apiVersion": "v1", "subresource": "scale"},
            "responseStatus": {"code": 200}, "requestObject": {"spec": {"replicas": 4}},
            "requestReceivedTimestamp": "2026-12-01T00:45:24.100000Z"});
        change(&mut event);
        event.to_string()
    }

    fn owner(since: Option<&str>) -> Owner {
        Owner {
            index: 1,
            manager: "Mozilla".into(),
            operation: Operation::Update,
            subresource: "scale".into(),
            api_version: "apps/v1".into(),
            since: since.map(|time| time.parse().unwrap()),
            extent: Extent::Field,
        }
    }

    fn search(lines: &[String], owner: &Owner) -> Found {
        let object = ObjectRef::new("apps/v1", "Deployment", "shop", "web");
        let path = Path::fields(["spec", "replicas"]);
        who_wrote(lines.iter().map(String::as_str), &object, "deployments", owner, &path)
    }

    #[test]
    fn the_write_names_the_person() {
        let later = event(|event| event["requestReceivedTimestamp"] = "2026-12-01T01:00:00Z".into());
        let lines = [event(|_| {}), later, "half a li".to_owned(), String::new()];
        let found = search(&lines, &owner(None));
        assert_eq!((found.writes.len(), found.unreadable), (2, 1));
        assert_eq!(found.writes[0].time.to_string(), "2026-12-01T01:00:00Z", "the newest without a time");
        let found = search(&lines, &owner(Some("2026-12-01T00:45:24Z")));
        let [write, _] = found.writes.as_slice() else { panic!("{found:?}") };
        assert!(write.is_certain);
        assert_eq!(
            (write.user.as_str(), write.sent_by.as_deref()),
            ("u-abc", Some("system:serviceaccount:rancher"))
        );
        assert_eq!(
            (&write.groups[..], &write.source_ips[..]),
            (&["devs".to_owned()][..], &["10.0.0.7".to_owned()][..])
        );
    }

    #[test]
    fn other_requests_are_not_it() {
        let changes: &[(&str, Value)] = &[
            ("/stage", "RequestReceived".into()),
            ("/verb", "get".into()),
            ("/responseStatus/code", 409.into()),
            ("/objectRef/name", "other".into()),
            ("/objectRef/subresource", "".into()),
            ("/objectRef/apiGroup", "extensions".into()),
            ("/userAgent", "kubectl/v1.37".into()),
            ("/requestURI", "/apis/x?fieldManager=k9s".into()),
            ("/requestURI", "/apis/x?dryRun=All".into()),
            ("/requestObject", json!({"spec": {"paused": true}})),
        ];
        for (pointer, value) in changes {
            let line = event(|event| *event.pointer_mut(pointer).unwrap() = value.clone());
            assert_eq!(search(&[line], &owner(None)), Found::default(), "{pointer}");
        }
    }
}
