//! Sub-commands and flags of `flux` and `argocd`, to hold printed commands against.

/// A sub-command and the flags of it that are used; those with `=` take a value.
type Known = (&'static str, &'static [&'static str]);

/// `cmd/flux` of flux 2.3 and later (`--force` and `--reset` came with 2.2).
const FLUX: [Known; 11] = [
    ("check", &[]),
    ("reconcile helmrelease", &["--namespace=", "--force", "--reset", "--with-source"]),
    ("reconcile kustomization", &["--namespace=", "--with-source"]),
    ("resume kustomization", &["--namespace="]),
    ("reconcile source chart", &["--namespace="]),
    ("reconcile source helm", &["--namespace="]),
    ("reconcile source oci", &["--namespace="]),
    ("reconcile source git", &["--namespace="]),
    ("reconcile source bucket", &["--namespace="]),
    ("resume helmrelease", &["--namespace="]),
    ("suspend helmrelease", &["--namespace="]),
];

/// `docs/user-guide/commands` of Argo CD 3.
const ARGOCD: [Known; 5] = [
    ("app get", &["--show-operation", "--refresh", "--hard-refresh"]),
    ("app sync", &["--prune", "--resource="]),
    ("app terminate-op", &[]),
    ("app diff", &[]),
    ("proj windows list", &[]),
];

/// Why this command is none that the programs know; `None` where it is, or is another program's.
pub fn trouble(command: &str) -> Option<String> {
    let words: Vec<String> = match shlex::split(command) {
        Some(words) => words,
        None => return Some(format!("no shell reads {command}")),
    };
    if command.contains('\n') {
        return Some(format!("more than one line: {command}"));
    }
    let (program, words) = words.split_first()?;
    let known: &[Known] = match program.as_str() {
        "flux" => &FLUX,
        "argocd" => &ARGOCD,
        "kubectl" | "helm" => return None,
        // `T=$(…); kubectl …`
        _ if program.starts_with("T=$(date") => return None,
        other => return Some(format!("{other} is not known: {command}")),
    };
    let line = words.join(" ");
    let found = known.iter().find(|(name, _)| line == *name || line.starts_with(&format!("{name} ")));
    let Some((name, flags)) = found else { return Some(format!("no such sub-command: {command}")) };
    let mut rest = words.iter().skip(name.split(' ').count());
    let mut names = 0;
    while let Some(word) = rest.next() {
        if !word.starts_with('-') {
            names += 1;
        } else if flags.contains(&format!("{word}=").as_str()) {
            rest.next();
        } else if !flags.contains(&word.as_str()) {
            return Some(format!("no flag {word}: {command}"));
        }
    }
    (names > 1).then(|| format!("more than one name: {command}"))
}

#[cfg(test)]
mod tests {
    use super::trouble;

    #[test]
    fn inventions_are_noticed() {
        let cases = [
            ("flux reconcile helmrelease shop --namespace shop --force", true),
            ("flux reconcile hr shop --wait", false),
            ("flux retry helmrelease shop", false),
            ("argocd app sync argocd/shop --prune --resource apps:Deployment:shop/web", true),
            ("argocd app sync argocd/shop --now", false),
            ("argocd app sync a b", false),
            ("kubectl get pods 'unclosed", false),
        ];
        for (command, is_known) in cases {
            assert_eq!(trouble(command).is_none(), is_known, "{command}");
        }
    }
}
