//! docs/commands.md is what the program says about itself.

use std::fs;
use std::path::Path;
use std::process::Command;

const HEAD: &str =
    "# Commands\n\nMade from the program by `UPDATE_DOCS=1 cargo test --test docs`. `-h` is shorter.\n";

fn help(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(arguments)
        .env("COLUMNS", "100")
        .env_remove("NO_COLOR")
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("UTF-8")
}

/// The names of the commands, from the overview.
fn commands(overview: &str) -> Vec<String> {
    let list =
        overview.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    list.lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_page_of_commands_is_made_from_the_program() {
    let overview = help(&["--help"]);
    let names = commands(&overview);
    assert!(names.len() >= 5, "{names:?}");
    let mut page = format!("{HEAD}\n```text\n{}\n```\n", overview.trim_end());
    for name in &names {
        page.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", own_part(&help(&[name, "--help"]))));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, &page).expect("the page is written");
    }
    let written = fs::read_to_string(&file).expect("the page is there");
    assert!(written == page, "docs/commands.md is stale: UPDATE_DOCS=1 cargo test --test docs");
}

/// A command's help without the flags that all of them share: the overview has those.
fn own_part(help: &str) -> String {
    help.split("\nEvidence:").next().unwrap_or(help).trim_end().to_owned()
}
