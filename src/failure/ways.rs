//! Ways out of one failure: the templates of its class that fit the deployer, filled with the names at hand.

use serde_json::Value;

use super::catalogue::{WayTemplate, explained};
use super::model::Failure;
use crate::object::ObjectRef;
use crate::report::WayOut;
use crate::shell;

/// What is known around a failure. What is absent leaves a command out, never a hole in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WayContext<'a> {
    /// `fleet`, `flux`, `argo`, `k3s` or `helm`; empty where nobody knows.
    pub deployer: &'a str,
    /// What kinds of managers hold the fields, in `fields`' words; where nobody knows, none.
    pub manager_kinds: &'a [&'a str],
    /// GitRepo, HelmRelease, Application, HelmChart.
    pub owner: Option<&'a ObjectRef>,
    /// kubectl's context for the cluster that the release is on.
    pub context: Option<&'a str>,
    /// kubectl's context for the cluster that the owner is on.
    pub owner_context: Option<&'a str>,
    /// Where the release's Secrets are.
    pub release_namespace: Option<&'a str>,
    /// The release's name.
    pub release_name: Option<&'a str>,
    /// The revision that failed.
    pub revision: Option<u32>,
    /// The last revision that was deployed.
    pub last_good: Option<u32>,
    /// The helm binary, `helm` by default.
    pub helm: Option<&'a str>,
}

/// The ways out of this failure, least destructive first.
///
/// For `ssa.conflict` these are the deployer's; the ways per field need the live object.
pub fn ways_out(failure: &Failure, context: &WayContext<'_>) -> Vec<WayOut> {
    let Some(entry) = explained(failure.class.0) else { return Vec::new() };
    let fits =
        |wanted: &[&str], have: &[&str]| wanted.is_empty() || have.iter().any(|have| wanted.contains(have));
    let managers = if context.manager_kinds.is_empty() { &["unknown"] } else { context.manager_kinds };
    entry
        .ways_out
        .iter()
        .filter(|way| fits(&way.deployers, &[context.deployer]))
        .filter(|way| fits(&way.managers, managers))
        .map(|way| filled(way, failure, context))
        .collect()
}

fn filled(way: &WayTemplate, failure: &Failure, context: &WayContext<'_>) -> WayOut {
    WayOut {
        title: way.title.to_owned(),
        risk: way.risk,
        who: way.who.to_owned(),
        // A way whose second step is missing is worse than one in words only.
        commands: way
            .commands
            .iter()
            .map(|command| command_of(command, failure, context))
            .collect::<Option<Vec<String>>>()
            .unwrap_or_default(),
        then: way.then.clone(),
    }
}

/// The command with every `{placeholder}` filled and quoted; `None` where one is not known or no command may
/// hold it.
fn command_of(template: &str, failure: &Failure, context: &WayContext<'_>) -> Option<String> {
    let mut words = Vec::new();
    // Braces of JSON stand in quotes; a placeholder is a bare lower-case word.
    for word in template.split(' ') {
        let mut out = String::new();
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            match after.split_once('}') {
                Some((name, more)) if is_placeholder(name) => {
                    out.push_str(&value_of(name, failure, context)?);
                    rest = more;
                }
                _ => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        if !out.is_empty() {
            words.push(out);
        }
    }
    Some(words.join(" "))
}

fn is_placeholder(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn value_of(name: &str, failure: &Failure, context: &WayContext<'_>) -> Option<String> {
    let quoted = |word: &str| shell::quote(word).map(|word| word.into_owned());
    let flag = |flag: &str, value: Option<&str>| match value {
        None | Some("") => Some(String::new()),
        Some(value) => quoted(value).map(|value| format!("{flag} {value}")),
    };
    let object = failure.objects.first();
    let owner = context.owner;
    match name {
        "context" => flag("--context", context.context),
        "kube_context" => flag("--kube-context", context.context),
        "owner_context" => flag("--context", context.owner_context),
        "helm" => quoted(context.helm.unwrap_or("helm")),
        "release" => context.release_name.or_else(|| text(failure, "release")).and_then(quoted),
        "release_namespace" => context.release_namespace.and_then(quoted),
        "revision" => context.revision.map(|revision| revision.to_string()),
        "good_revision" => context.last_good.map(|revision| revision.to_string()),
        "owner_name" => owner.and_then(|owner| quoted(&owner.name)),
        "owner_ns" => owner.and_then(|owner| flag("-n", Some(&owner.namespace))),
        "owner" => owner.and_then(|owner| quoted(&typed(&owner.kind, owner.group(), &owner.name))),
        "ns" => {
            let namespace = object.and_then(|object| object.namespace.as_deref());
            flag("-n", namespace.or(context.release_namespace))
        }
        "object" => {
            let object = object?;
            let group = object
                .api_version
                .as_deref()
                .and_then(|version| version.split_once('/'))
                .map_or("", |(g, _)| g);
            quoted(&typed(object.kind.as_deref()?, group, object.name.as_deref()?))
        }
        "kind" => object
            .and_then(|object| object.kind.as_deref())
            .map(str::to_lowercase)
            .as_deref()
            .and_then(quoted),
        "name" => object.and_then(|object| object.name.as_deref()).and_then(quoted),
        "namespace" => {
            let namespace =
                object.and_then(|object| object.namespace.as_deref()).filter(|name| !name.is_empty());
            namespace.or_else(|| text(failure, "namespace")).or(context.release_namespace).and_then(quoted)
        }
        "hook_name" => {
            failure.entities.get("hook").and_then(|hook| hook.get("name")?.as_str()).and_then(quoted)
        }
        key => text(failure, key).and_then(quoted),
    }
}

fn text<'f>(failure: &'f Failure, key: &str) -> Option<&'f str> {
    // A value that was redacted names nothing.
    failure.entities.get(key).and_then(Value::as_str).filter(|said| !said.contains(crate::redact::REDACTED))
}

/// `deployment.apps/web`: kubectl takes a kind with its group, so that no other kind of that name is meant.
fn typed(kind: &str, group: &str, name: &str) -> String {
    let kind = kind.to_lowercase();
    if group.is_empty() { format!("{kind}/{name}") } else { format!("{kind}.{group}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{catalogue, classify};

    fn owner() -> ObjectRef {
        ObjectRef::new("fleet.cattle.io/v1alpha1", "GitRepo", "fleet-default", "it's")
    }

    fn context<'a>(deployer: &'a str, owner: &'a ObjectRef) -> WayContext<'a> {
        WayContext {
            deployer,
            owner: Some(owner),
            context: Some("prod eu"),
            release_namespace: Some("shop"),
            release_name: Some("shop"),
            revision: Some(7),
            last_good: Some(6),
            ..WayContext::default()
        }
    }

    #[test]
    fn every_command_is_valid_shell() {
        let mut commands = 0;
        for entry in catalogue() {
            for text in &entry.texts {
                let failure = classify(text).expect("a failure");
                for deployer in ["fleet", "flux", "argo", "k3s", "helm"] {
                    for way in ways_out(&failure, &context(deployer, &owner())) {
                        for command in way.commands {
                            commands += 1;
                            assert!(shlex::split(&command).is_some(), "{command}");
                            assert!(!command.contains('\n') && !command.contains("  "), "{command}");
                        }
                    }
                }
            }
        }
        assert!(commands > 50, "only {commands} commands");
    }

    #[test]
    fn a_hostile_name_makes_no_command() {
        let failure = classify(
            "Service \"a;$(x)\" is invalid: spec.clusterIP: Invalid value: \"\": field is immutable",
        )
        .expect("a failure");
        let word = value_of("name", &failure, &WayContext::default()).expect("a name");
        assert_eq!(word, "'a;$(x)'");
        let owner = owner();
        let mut hostile = context("fleet", &owner);
        hostile.release_name = Some("a\nb");
        assert_eq!(command_of("{helm} rollback {release}", &failure, &hostile), None);
        assert_eq!(command_of("helm -n {release_namespace}", &failure, &WayContext::default()), None);
    }

    #[test]
    fn json_braces_are_no_placeholders() {
        let failure = classify("x failed: context canceled").expect("a failure");
        let command = r#"kubectl patch x -p '{"spec":{"a":1}}'"#;
        assert_eq!(command_of(command, &failure, &WayContext::default()).as_deref(), Some(command));
    }

    #[test]
    fn a_controller_is_not_argued_with() {
        let failure = classify(
            "Apply failed with 1 conflict: conflict with \"kube-controller-manager\" with subresource \"scale\" using apps/v1: .spec.replicas",
        )
        .expect("a failure");
        let titles = |managers: &[&str]| {
            let known = WayContext { deployer: "helm", manager_kinds: managers, ..WayContext::default() };
            ways_out(&failure, &known).into_iter().map(|way| way.title).collect::<Vec<_>>()
        };
        let has = |titles: &[String], words: &str| titles.iter().any(|title| title.contains(words));
        assert!(has(&titles(&["controller"]), "out of the chart") && !has(&titles(&["controller"]), "Give"));
        assert!(
            has(&titles(&["person"]), "Give the field back")
                && !has(&titles(&["person"]), "out of the chart")
        );
        assert!(has(&titles(&["synthetic"]), "Force once"));
        assert_eq!(titles(&[]), titles(&["unknown"]));
    }

    #[test]
    fn forcing_is_never_advised_to_fleet() {
        let failure =
            classify("Apply failed with 1 conflict: conflict with \"m\" using v1: .x").expect("a failure");
        for way in ways_out(&failure, &context("fleet", &owner())) {
            assert!(!way.commands.iter().any(|command| command.contains("--force-conflicts")), "{way:?}");
        }
    }
}
