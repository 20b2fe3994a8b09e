//! `why --watch` beside a fix that lands.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::harness::api::BROWSER;
use crate::harness::chart::{DEPLOYMENT, RELEASE};
use crate::shop::Shop;

#[test]
fn a_watch_ends_when_the_fix_has_landed() {
    let Some(shop) = Shop::refused("watch") else { return };
    let (context, _) = shop.plane.context();
    let release = format!("release/{}/{RELEASE}", shop.namespace);
    let mut program = shop
        .plane
        .tools()
        .command(env!("CARGO_BIN_EXE_kubectl-helm_forensics"))
        .args(["why", &release, "--watch", "--interval", "200ms", "--timeout", "60s", "--context", context])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut lines = BufReader::new(program.stdout.take().expect("its output")).lines();
    let mut next = || lines.next().map(|line| line.expect("a line of text"));

    let first = next().expect("what is stuck");
    assert!(first.contains("stuck: ") && first.contains(RELEASE), "{first}");

    shop.plane.api().scale(BROWSER, &shop.namespace, DEPLOYMENT, 3);
    shop.upgrade(3).succeeded();

    let rest: Vec<String> = std::iter::from_fn(next).collect();
    let ended = program.wait().expect("its end");
    assert!(rest.iter().any(|line| line.contains("ready: ")), "{rest:?}");
    assert!(rest.last().is_some_and(|line| line.ends_with("all that was stuck is ready")), "{rest:?}");
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn a_watch_over_what_is_well_ends_at_once_and_refuses_what_makes_no_sense() {
    let Some(shop) = Shop::installed("watch-well") else { return };
    let (context, _) = shop.plane.context();
    let program = env!("CARGO_BIN_EXE_kubectl-helm_forensics");
    let release = format!("release/{}/{RELEASE}", shop.namespace);
    let watch = ["why", &release, "--watch", "--context", context];

    let well = shop.plane.tools().run(program, &watch).succeeded();
    assert!(well.stdout.ends_with("nothing is stuck\n"), "{well}");

    let json = shop.plane.tools().run(program, &[&watch[..], &["-o", "json"]].concat()).failed();
    assert!(json.stderr.contains("--watch draws for a person"), "{json}");

    let saved = ["why", "--watch", "--from", "fixtures/fleet-scale-conflict"];
    let saved = Command::new(program).args(saved).output().expect("an answer");
    assert_eq!(saved.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&saved.stderr).contains("--watch needs living clusters"));
}
