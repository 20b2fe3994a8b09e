//! Secrets in texts. Error texts quote what they complain about: pod templates with their environment, Secret
//! data, whole live objects (failure-guide 4, 15). What is kept: kind, name, field path, reason.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::value::{is_secret_name, redacted_json};
use crate::failure::quoted_values;

/// Stands where a value stood.
pub const REDACTED: &str = "<redacted>";

/// The text without values that may be secret. Works on any text, also one whose escape layers are still on.
pub fn text(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    if let Some(without) = without_quoted_values(&out) {
        out = Cow::Owned(without);
    }
    by_rules(&mut out, &PATHS);
    by_rules(&mut out, &RULES);
    out
}

/// A field path without the values by which it points at elements: finalizers and the names of elements stay.
pub fn field_path(path: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(path);
    by_rules(&mut out, &PATHS);
    out
}

fn by_rules(out: &mut Cow<'_, str>, rules: &[Rule]) {
    for (needles, pattern, with) in rules {
        if needles.iter().any(|needle| contains(out, needle))
            && let Some(pattern) = pattern.as_ref()
            && let Cow::Owned(changed) = pattern.replace_all(out, *with)
        {
            *out = Cow::Owned(changed);
        }
    }
}

fn contains(text: &str, needle: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), needle.as_bytes()).is_some()
}

type Pattern = LazyLock<Option<Regex>>;
type With = fn(&Captures<'_>) -> String;

type Rule = (&'static [&'static str], Pattern, With);

static PATHS: [Rule; 2] = [
    // Field paths: `.spec.args[="Y"]` (fieldsV1's `v:`) and `.env[name="X",value="Y"]` (its `k:`).
    (&["[=\""], LazyLock::new(|| Regex::new(r#"(\b([A-Za-z0-9_-]+)\[=")((?:[^"\\]|\\.)*)"#).ok()), |found| {
        match part(found, 2) {
            "finalizers" => part(found, 0).to_owned(),
            _ => format!("{}{REDACTED}", part(found, 1)),
        }
    }),
    (&["value=\""], LazyLock::new(|| Regex::new(r#"([\[,]value=")((?:[^"\\]|\\.)*)"#).ok()), kept_first),
];

/// A rule is tried where one of its words is in the text.
static RULES: [Rule; 15] = [
    // `{"name":"X","value":"Y"}`, `"Value":"Y"`, with any number of escape layers.
    (
        &["alue"],
        LazyLock::new(|| Regex::new(r#"(\\*"[vV]alue\\*"\s*:\s*\\*")((?:[^"\\]|\\+[^"\\])*)"#).ok()),
        kept_first,
    ),
    // Go: `core.EnvVar{Name:"X", Value:"Y"}`.
    (
        &["Value:"],
        LazyLock::new(|| Regex::new(r#"(\bValue:\s?\\*")((?:[^"\\]|\\+[^"\\])*)"#).ok()),
        kept_first,
    ),
    // Go: `map[name:X value:Y]`.
    (&["value:"], LazyLock::new(|| Regex::new(r"(\bvalue:)([^\]<\s][^\]]*)").ok()), kept_first),
    // `"data":{"password":"…"}`, `"stringData":{…}`, `"args":[…]`: what is left of cut JSON.
    (
        &["ata", "rgs", "ommand", "nnotations"],
        LazyLock::new(|| {
            Regex::new(r#"(?i)(\\*"(?:data|stringData|binaryData|args|command)\\*"\s*:\s*)(\{[^{}]*\}?|\[[^\[\]]*\]?)"#).ok()
        }),
        kept_first,
    ),
    // Go: `Data:map[string][]uint8{…}`, `Args:[]string{…}`, `Command:[]string{…}`.
    (
        &["Data:", "Args:", "Command:"],
        LazyLock::new(|| Regex::new(r"(\b(?:Data|StringData|Args|Command):[\[\]a-z0-9]+)(\{[^{}]*\}?)").ok()),
        kept_first,
    ),
    // The JSON decoder's context.
    (&["...|"], LazyLock::new(|| Regex::new(r"(\.\.\.\|)(?s:.*?)(\|\.\.\.)").ok()), |found| {
        format!("{}{REDACTED}{}", part(found, 1), part(found, 2))
    }),
    (
        &["earer ", "asic ", "BEARER "],
        LazyLock::new(|| Regex::new(r"(?i)\b(bearer|basic)(\s+)([a-z0-9._~+/=-]{6,})").ok()),
        |found| format!("{}{}{REDACTED}", part(found, 1), part(found, 2)),
    ),
    (
        &["uthorization"],
        LazyLock::new(|| Regex::new(r#"(?i)(authorization\\*"?\s*[:=]\s*\\*"?)([^"\\\r\n,;]+)"#).ok()),
        kept_first,
    ),
    // `https://user:password@host`, `https://token@host`.
    (&["://"], LazyLock::new(|| Regex::new(r#"(://)([^/\s@"'<>]+)@"#).ok()), |_| format!("://{REDACTED}@")),
    // Tokens in a query, `--password=x`, `DB_PASSWORD=x`.
    (
        &["="],
        LazyLock::new(|| Regex::new(r#"\b([A-Za-z0-9_.-]{1,80})(=)(\\*"[^"]*|'[^']*|[^\s&"',;)\]}]+)"#).ok()),
        named_secret,
    ),
    // `password: x` in YAML, `"token":"x"` in JSON.
    (
        &[":"],
        LazyLock::new(|| {
            Regex::new(r#"\b([A-Za-z0-9_.-]{1,80}\\*"?)(:[ ]?)(\\*"(?:[^"\\]|\\+[^"\\])+|'[^'\n]+|[^\s"'\\,;\[\]{}]+)"#).ok()
        }),
        named_secret,
    ),
    (
        &["-----BEGIN"],
        LazyLock::new(|| {
            Regex::new(
                r"(-----BEGIN [A-Z0-9 ]{1,40}-----)[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z0-9 ]{1,40}-----)?",
            )
            .ok()
        }),
        kept_first,
    ),
    // Tokens that are known by their own look: JWT, GitHub, GitLab, AWS, Slack.
    (
        &["eyJ", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AKIA", "ASIA", "xox"],
        LazyLock::new(|| {
            Regex::new(
                r"\b(?:eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,2}|gh[pos]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|A[KS]IA[A-Z0-9]{16}|xox[abprs]-[A-Za-z0-9-]{10,})",
            )
            .ok()
        }),
        |_| REDACTED.to_owned(),
    ),
    // What an admission webhook says of its own accord: `value hunter2-prod of PASSWORD is weak`.
    (
        &["value ", "password ", "token "],
        LazyLock::new(|| {
            Regex::new(r#"(?i)\b((?:value|password|token) ['"`]?)([^\s"'`,;:(){}\[\]]{6,})"#).ok()
        }),
        |found| if is_worded(part(found, 2)) { part(found, 0).to_owned() } else { kept_first(found) },
    ),
    (
        &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/]{16,}={0,2}").ok()),
        |found| if is_encoded(part(found, 0)) { REDACTED.to_owned() } else { part(found, 0).to_owned() },
    ),
];

/// Prose, a number, a quantity, an address or a path: not what a person chose as a password.
fn is_worded(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || "-./<".contains(c))
        || !word.bytes().any(|byte| byte.is_ascii_digit())
        || word.contains("://")
}

/// Base64 and tokens alike: capitals, small letters, and digits in more than one place. No kind, path or hash of
/// Kubernetes is made so.
fn is_encoded(word: &str) -> bool {
    let has_long = word.split('/').any(|part| {
        let runs = part.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).count();
        part.len() >= 16
            && runs >= 2
            && part.bytes().any(|byte| byte.is_ascii_uppercase())
            && part.bytes().any(|byte| byte.is_ascii_lowercase())
    });
    let is_padded = word.ends_with('=') && word.bytes().any(|byte| byte.is_ascii_digit());
    has_long || is_padded
}

fn part<'t>(found: &'t Captures<'_>, nth: usize) -> &'t str {
    found.get(nth).map_or("", |part| part.as_str())
}

fn kept_first(found: &Captures<'_>) -> String {
    format!("{}{REDACTED}", part(found, 1))
}

/// Keeps the name; the value only where the name is harmless.
fn named_secret(found: &Captures<'_>) -> String {
    let (name, sign, value) = (part(found, 1), part(found, 2), part(found, 3));
    let bare = name.trim_end_matches(['"', '\\']);
    let word = value.trim_start_matches(['"', '\\', '\'']);
    // `failed to fetch anonymous token: unexpected status` is prose: in YAML and JSON a value is one word or quoted.
    let prose = sign == ": " && word.len() == value.len() && !is_password(bare);
    if prose || word.is_empty() || word.starts_with(REDACTED) || !is_secret_name(bare) {
        return part(found, 0).to_owned();
    }
    let quotes = value.get(..value.len() - word.len()).unwrap_or_default();
    format!("{name}{sign}{quotes}{REDACTED}")
}

fn is_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "pwd", "passphrase"].iter().any(|word| name.ends_with(word))
}

/// The quoted values of an API server's and of Fleet's texts: JSON keeps its structure, anything else that is
/// no plain scalar goes whole.
fn without_quoted_values(text: &str) -> Option<String> {
    let spans = quoted_values(text);
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        let before = text.get(from..span.start)?;
        let value = text.get(span.clone())?;
        out.push_str(before);
        out.push_str(&shown(before, value));
        from = span.end;
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

fn shown<'t>(before: &str, value: &'t str) -> Cow<'t, str> {
    if value.starts_with('|') {
        return Cow::Owned(format!("|{REDACTED}|"));
    }
    // Fleet's patch begins inside its brace.
    let inside = before.ends_with("modified {");
    let json = if inside { Cow::Owned(format!("{{{value}")) } else { Cow::Borrowed(value) };
    if value.len() > 64 * 1024 {
        return Cow::Borrowed(REDACTED);
    }
    match serde_json::from_str::<serde_json::Value>(&json) {
        Ok(serde_json::Value::String(scalar)) => scalar_shown(before, value, &scalar),
        // A whole live object is of no use in a sentence.
        Ok(object) if object.get("kind").is_some() && object.get("metadata").is_some() => {
            Cow::Borrowed(REDACTED)
        }
        Ok(parsed) => {
            let printed = redacted_json(parsed).to_string();
            Cow::Owned(if inside { printed.get(1..).unwrap_or_default().to_owned() } else { printed })
        }
        Err(_) if inside => Cow::Borrowed("<redacted>}"),
        Err(_) if value.starts_with('[') && value.len() < 16 => Cow::Borrowed(value),
        Err(_) => Cow::Borrowed(REDACTED),
    }
}

/// `spec.type: Invalid value: "Foo"` may be shown, `data.password: Invalid value: "x"` not.
fn scalar_shown<'t>(before: &str, value: &'t str, scalar: &str) -> Cow<'t, str> {
    const HOLDS_VALUES: [&str; 9] =
        ["data", "stringData", "binaryData", "env", "args", "command", "value", "annotations", "patch"];
    let path =
        before.trim_end().trim_end_matches("value:").trim_end_matches("Invalid ").trim_end_matches(": ");
    let path = path.rsplit([' ', ',']).next().unwrap_or(path);
    let holds = path.split(['.', '[', ']']).any(|part| HOLDS_VALUES.contains(&part) || is_secret_name(part));
    if scalar.is_empty() || !holds && scalar.len() <= 253 && !scalar.contains('{') {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("\"{REDACTED}\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_and_the_rest_stays() {
        for (said, shown) in [
            (
                r#"deployment.apps a/b modified {"spec":{"replicas":2,"template":{"spec":{"containers":[{"env":[{"name":"P","value":"s3cr3t"}],"image":"r/app:1"}]}}}}; c"#,
                r#"deployment.apps a/b modified {"spec":{"replicas":2,"template":{"spec":{"containers":[{"env":[{"name":"P","value":"<redacted>"}],"image":"r/app:1"}]}}}}; c"#,
            ),
            (
                r#"spec.selector: Invalid value: {"matchLabels":{"app":"two"}}: field is immutable"#,
                r#"spec.selector: Invalid value: {"matchLabels":{"app":"two"}}: field is immutable"#,
            ),
            (
                r#"spec.template: Invalid value: core.PodTemplateSpec{Env:[]core.EnvVar{core.EnvVar{Value:"s3cr3t"}}}: field is immutable"#,
                "spec.template: Invalid value: <redacted>: field is immutable",
            ),
            (
                r#" "" is invalid: patch: Invalid value: "{\"kind\":\"Secret\",\"data\":{\"p\":\"s3cr3t\"}}": json: x"#,
                r#" "" is invalid: patch: Invalid value: "<redacted>": json: x"#,
            ),
            (
                "patch list:\n[map[name:A value:<nil>] map[name:B value:s3 cr3t]] doesn't match",
                "patch list:\n[map[name:A value:<nil>] map[name:B value:<redacted>]] doesn't match",
            ),
            (
                r#"error found in #10 byte of ...|s3cr3t"},"k|..., bigger context ...|cr3t"},|..."#,
                "error found in #10 byte of ...|<redacted>|...",
            ),
            (
                "GET https://user:s3cr3t@git.example.com/x: 401",
                "GET https://<redacted>@git.example.com/x: 401",
            ),
            ("Authorization: Bearer s3cr3t-token", "Authorization: <redacted>"),
            ("sent Bearer abcdef123456 to it", "sent Bearer <redacted> to it"),
            ("--set db.password=s3cr3t --wait", "--set db.password=<redacted> --wait"),
            ("password: s3cr3t", "password: <redacted>"),
            (r#"{\"name\":\"P\",\"value\":\"s3cr3t\"}"#, r#"{\"name\":\"P\",\"value\":\"<redacted>\"}"#),
            (
                "spec.ports[0].port: Invalid value: 80000: must be",
                "spec.ports[0].port: Invalid value: 80000: must be",
            ),
            (r#"spec.type: Invalid value: "Foo": bad"#, r#"spec.type: Invalid value: "Foo": bad"#),
            (
                r#"admission webhook "w" denied the request: value hunter2-prod of aHVudGVyMi1wcm9kLTE3 is weak"#,
                r#"admission webhook "w" denied the request: value <redacted> of <redacted> is weak"#,
            ),
            ("denied the request: aHVudGVyMi1wcm9k/LTE3=", "denied the request: <redacted>"),
            (r#"data[a]: Invalid value: "s3cr3t": bad"#, r#"data[a]: Invalid value: "<redacted>": bad"#),
        ] {
            assert_eq!(text(said), shown, "{said}");
        }
    }

    #[test]
    fn prose_is_left_alone() {
        for said in [
            "failed to fetch anonymous token: unexpected status: 403 Forbidden",
            r#"secrets "vals-extra" not found"#,
            "conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas",
            ".data.password && conflict occurred while applying object a/b /v1, Kind=Secret: x",
            "set .Values.db.password, see the runbook",
            "rule check failed at path /spec/containers/0/securityContext/runAsUser/1000/x for v1beta1",
            "the value 1500Mi of memory is over the value 1000Mi, token expired at 2026-12-01T00:45:24Z",
            "ghcr.io/x/app@sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
        ] {
            assert_eq!(text(said), said);
        }
    }
}
