//! Which kubeconfig is read, and which of its entries is meant, as kubectl decides it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use kube::config::{Context, Kubeconfig, KubeconfigError, NamedContext};

use super::{Connection, LiveError};

/// What the kubeconfigs say together.
pub(super) enum Found {
    /// One or more files, merged; the first to set a thing wins.
    Files(Box<Kubeconfig>),
    /// No file, and the environment of a pod.
    InCluster,
}

/// Reads `--kubeconfig`, else the files of `KUBECONFIG`, else `~/.kube/config`, else looks for a pod.
///
/// Like client-go and unlike kube 5.0, files of `KUBECONFIG` that do not exist are passed over, an empty
/// `current-context` sets nothing, and a name that stands twice in one file is an error.
pub(super) fn read(
    connection: &Connection,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Found, LiveError> {
    let listed = variable("KUBECONFIG").filter(|value| !value.is_empty());
    let (paths, looked_at) = match (&connection.kubeconfig, listed) {
        (Some(path), _) => return read_file(path).map(|file| Found::Files(Box::new(file))),
        (None, Some(value)) => {
            let paths = std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty());
            (paths.collect::<Vec<_>>(), format!("KUBECONFIG={}", value.to_string_lossy()))
        }
        (None, None) => {
            let home = variable("HOME").or_else(|| variable("USERPROFILE")).unwrap_or_default();
            let path = PathBuf::from(home).join(".kube").join("config");
            let looked_at = path.display().to_string();
            (vec![path], looked_at)
        }
    };
    let mut merged: Option<Kubeconfig> = None;
    for path in paths.iter().filter(|path| path.exists()) {
        let next = read_file(path)?;
        merged = Some(match merged {
            None => next,
            Some(before) => before.merge(next).map_err(|error| unreadable(path, &error))?,
        });
    }
    let is_pod =
        variable("KUBERNETES_SERVICE_HOST").is_some() && variable("KUBERNETES_SERVICE_PORT").is_some();
    match merged {
        Some(kubeconfig) => Ok(Found::Files(Box::new(kubeconfig))),
        None if connection.server.is_some() => Ok(Found::Files(Box::default())),
        None if is_pod => Ok(Found::InCluster),
        None => Err(LiveError::NoKubeconfig { looked_at }),
    }
}

fn read_file(path: &Path) -> Result<Kubeconfig, LiveError> {
    let mut kubeconfig = Kubeconfig::read_from(path).map_err(|error| unreadable(path, &error))?;
    kubeconfig.current_context = kubeconfig.current_context.filter(|name| !name.is_empty());
    let lists: [(&'static str, Vec<&str>); 3] = [
        ("context", kubeconfig.contexts.iter().map(|entry| entry.name.as_str()).collect()),
        ("cluster", kubeconfig.clusters.iter().map(|entry| entry.name.as_str()).collect()),
        ("user", kubeconfig.auth_infos.iter().map(|entry| entry.name.as_str()).collect()),
    ];
    for (list, mut names) in lists {
        names.sort_unstable();
        let twice = names.iter().zip(names.iter().skip(1)).find(|(name, next)| name == next);
        if let Some((name, _)) = twice {
            return Err(LiveError::NamedTwice { path: path.into(), list, name: (*name).into() });
        }
    }
    Ok(kubeconfig)
}

fn unreadable(path: &Path, error: &KubeconfigError) -> LiveError {
    LiveError::BadKubeconfig { path: path.into(), why: without_content(error) }
}

/// The error without what stands in the file: a YAML error quotes it, tokens included.
pub(in crate::source) fn without_content(error: &KubeconfigError) -> String {
    match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        KubeconfigError::Parse(error) => match error.location() {
            Some(at) => {
                format!("line {}, column {}: this is not the YAML of a kubeconfig", at.line(), at.column())
            }
            None => "this is not the YAML of a kubeconfig".into(),
        },
        other => other.to_string(),
    }
}

/// The context that is meant, and the kubeconfig with nothing but what it needs.
///
/// Where `--server` or `--cluster` says enough, a context is made up, named after it.
pub(super) fn choose(
    mut kubeconfig: Kubeconfig,
    connection: &Connection,
) -> Result<(String, Kubeconfig), LiveError> {
    let name = connection.context.clone().or_else(|| kubeconfig.current_context.clone());
    let name = name.filter(|name| !name.is_empty());
    let made_up = || {
        let named_after = connection.cluster.as_deref().or(connection.server.as_deref())?;
        let context = Context { cluster: connection.cluster.clone()?, ..Context::default() };
        Some((named_after.to_owned(), context))
    };
    let (name, mut context) = match name {
        Some(name) => {
            let context = context_named(&kubeconfig, &name)?;
            (name, context)
        }
        None => match (made_up(), &connection.server) {
            (Some(made_up), _) => made_up,
            (None, Some(server)) => (server.clone(), Context::default()),
            (None, None) => {
                return Err(LiveError::NoCurrentContext { contexts: context_names(&kubeconfig) });
            }
        },
    };
    if let Some(cluster) = &connection.cluster {
        let existing = kubeconfig.clusters.iter().map(|entry| &entry.name);
        must_exist("cluster", cluster, existing)?;
        context.cluster.clone_from(cluster);
    }
    if let Some(user) = &connection.user {
        let existing = kubeconfig.auth_infos.iter().map(|entry| &entry.name);
        must_exist("user", user, existing)?;
        context.user = Some(user.clone());
    }
    kubeconfig.contexts.retain(|entry| entry.name != name);
    kubeconfig.contexts.push(NamedContext {
        name: name.clone(),
        context: Some(context),
        ..Default::default()
    });
    Ok((name, kubeconfig))
}

/// The context of this name.
pub(super) fn context_named(kubeconfig: &Kubeconfig, name: &str) -> Result<Context, LiveError> {
    must_exist("context", name, kubeconfig.contexts.iter().map(|entry| &entry.name))?;
    let entry = kubeconfig.contexts.iter().find(|entry| entry.name == name);
    Ok(entry.and_then(|entry| entry.context.clone()).unwrap_or_default())
}

fn context_names(kubeconfig: &Kubeconfig) -> Vec<String> {
    kubeconfig.contexts.iter().map(|entry| entry.name.clone()).collect()
}

fn must_exist<'a>(
    list: &'static str,
    name: &str,
    existing: impl Iterator<Item = &'a String>,
) -> Result<(), LiveError> {
    let existing: Vec<String> = existing.cloned().collect();
    if existing.iter().any(|known| known == name) {
        return Ok(());
    }
    Err(LiveError::NoSuchEntry { list, name: name.into(), existing })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"
current-context: ""
contexts: [{name: a, context: {cluster: a, user: a, namespace: shop}}]
clusters: [{name: a, cluster: {server: "https://a.test"}}]
users: [{name: a, user: {token: s3cr3t-planted}}]
"#;
    const TWO: &str = r#"
current-context: b
contexts: [{name: a, context: {cluster: b}}, {name: b, context: {cluster: b}}]
clusters: [{name: b, cluster: {server: "https://b.test"}}]
users: null
"#;

    fn written(folder: &Path, files: &[(&str, &str)]) -> OsString {
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        std::env::join_paths(files.iter().map(|(name, _)| folder.join(name))).unwrap()
    }

    fn read_with(connection: &Connection, variables: &[(&str, OsString)]) -> Result<Kubeconfig, LiveError> {
        let found = read(connection, |name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone())
        })?;
        match found {
            Found::Files(kubeconfig) => Ok(*kubeconfig),
            Found::InCluster => panic!("not in a cluster"),
        }
    }

    #[test]
    fn the_first_file_wins_and_missing_ones_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut list = OsString::from(format!(":{}:", folder.path().join("missing").display()));
        list.push(written(folder.path(), &[("one", ONE), ("two", TWO)]));
        let merged = read_with(&Connection::default(), &[("KUBECONFIG", list.clone())]).unwrap();
        let (name, chosen) = choose(merged.clone(), &Connection::default()).unwrap();
        assert_eq!(name, "b", "an empty current-context sets nothing");
        assert_eq!(context_named(&chosen, "a").unwrap().namespace.as_deref(), Some("shop"));

        let flag = Connection { kubeconfig: Some(folder.path().join("one")), ..Default::default() };
        let alone = read_with(&flag, &[("KUBECONFIG", list)]).unwrap();
        assert_eq!(context_names(&alone), ["a"]);
        assert_eq!(
            choose(alone, &flag).unwrap_err().to_string(),
            "no current context is set; choose one with --context: a"
        );
    }

    #[test]
    fn home_is_the_default_and_its_absence_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let home = ("HOME", folder.path().as_os_str().to_owned());
        let error = read_with(&Connection::default(), std::slice::from_ref(&home)).unwrap_err();
        assert!(error.to_string().starts_with("no kubeconfig found: /"), "{error}");
        std::fs::create_dir(folder.path().join(".kube")).unwrap();
        written(folder.path(), &[(".kube/config", TWO)]);
        assert_eq!(context_names(&read_with(&Connection::default(), &[home]).unwrap()), ["a", "b"]);
    }

    #[test]
    fn a_pod_needs_no_kubeconfig() {
        let variables = |name: &str| name.starts_with("KUBERNETES_SERVICE_").then(|| OsString::from("1"));
        assert!(matches!(read(&Connection::default(), variables), Ok(Found::InCluster)));
    }

    #[test]
    fn names_that_do_not_exist_are_answered_with_those_that_do() {
        let kubeconfig = Kubeconfig::from_yaml(TWO).unwrap();
        let cases = [
            (
                Connection { context: Some("prod".into()), ..Default::default() },
                "no context named prod in the kubeconfig; there are: a, b",
            ),
            (
                Connection { cluster: Some("prod".into()), ..Default::default() },
                "no cluster named prod in the kubeconfig; there are: b",
            ),
            (
                Connection { user: Some("me".into()), ..Default::default() },
                "no user named me in the kubeconfig; there are: none",
            ),
        ];
        for (connection, text) in cases {
            assert_eq!(choose(kubeconfig.clone(), &connection).unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn flags_make_up_a_context() {
        let server = Connection { server: Some("https://x".into()), ..Default::default() };
        let (name, _) = choose(read_with(&server, &[]).unwrap(), &server).unwrap();
        assert_eq!(name, "https://x");
        let cluster = Connection { cluster: Some("a".into()), ..Default::default() };
        let (name, chosen) = choose(Kubeconfig::from_yaml(ONE).unwrap(), &cluster).unwrap();
        assert_eq!((name.as_str(), context_named(&chosen, "a").unwrap().cluster.as_str()), ("a", "a"));
    }

    #[test]
    fn a_broken_file_is_named_without_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let twice = ONE.replace("users: [", "users: [{name: a},");
        written(
            folder.path(),
            &[("bad", "users: [{name: a, user: {token: s3cr3t-planted]"), ("twice", &twice)],
        );
        for (file, says) in
            [("bad", "is not the YAML of a kubeconfig"), ("twice", "the user a stands in it twice")]
        {
            let flag = Connection { kubeconfig: Some(folder.path().join(file)), ..Default::default() };
            let error = read_with(&flag, &[]).unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains("s3cr3t"), "{error}");
        }
        let flag = Connection { kubeconfig: Some(folder.path().join("missing")), ..Default::default() };
        assert!(read_with(&flag, &[]).unwrap_err().to_string().contains("No such file"));
    }
}
