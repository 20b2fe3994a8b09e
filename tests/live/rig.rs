//! The harness proves itself first: what it starts works, what goes wrong is said, and nothing outlives a
//! test.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::harness::api::{BROWSER, HARNESS, Verb};
use crate::harness::assets::Assets;
use crate::harness::chart::{Chart, DEPLOYMENT, RELEASE};
use crate::harness::control_plane::{self, ControlPlane};
use crate::harness::failure::StartFailure;
use crate::harness::guard::Guarded;
use crate::harness::ports::Ports;
use crate::harness::server::await_ready;
use crate::harness::{planes, release, wait};

const SOON: Duration = Duration::from_secs(30);

#[test]
fn the_programs_are_the_versions_that_the_guides_measured() {
    let Some(plane) = planes::shared() else { return };
    let tools = plane.tools();

    let version = plane.api().get("/version").ok();
    let helm4 = tools.helm4(&["version", "--short"]).succeeded().stdout;
    let helm3 = tools.helm3(&["version", "--short"]).succeeded().stdout;
    let kubectl = tools.kubectl(&["version", "--client"]).succeeded().stdout;

    assert_eq!(version["gitVersion"], "v1.37.2");
    assert!(helm4.starts_with("v4.3.1"), "{helm4}");
    assert!(helm3.starts_with("v3.22.0"), "{helm3}");
    assert!(kubectl.contains("v1.37."), "{kubectl}");
}

#[test]
fn controllers_run() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("controllers");
    let chart = Chart::new("6.14.0").write(plane);
    plane.tools().helm4(&["install", RELEASE, &chart, "--namespace", &namespace]).succeeded();

    wait::expect("two pods of the Deployment", SOON, || {
        let pods = plane.api().get(&format!("/api/v1/namespaces/{namespace}/pods")).ok();
        match pods["items"].as_array().map(Vec::len) {
            Some(2) => Ok(()),
            other => Err(format!("{other:?} pods")),
        }
    });
}

#[test]
fn both_helms_keep_the_annotations_that_link_a_release_to_fleet() {
    let Some(plane) = planes::shared() else { return };
    for helm in ["helm4", "helm3"] {
        let namespace = plane.namespace("annotations");
        let chart = Chart::new("6.14.0").deployed_by_fleet("shop-shop", "3e876b9").write(plane);
        let install = ["install", RELEASE, chart.as_str(), "--namespace", &namespace];
        let tools = plane.tools();
        match helm {
            "helm4" => tools.helm4(&install),
            _ => tools.helm3(&install),
        }
        .succeeded();

        let revision = release::newest(plane.api(), &namespace, RELEASE);

        let annotations = &revision.payload["chart"]["metadata"]["annotations"];
        assert_eq!(annotations["fleet.cattle.io/bundle-id"], "shop-shop", "{helm}: {annotations}");
        assert_eq!(annotations["fleet.cattle.io/commit"], "3e876b9", "{helm}: {annotations}");
        let applied = &revision.payload["apply_method"];
        assert_eq!(*applied, if helm == "helm4" { json!("ssa") } else { json!(null) }, "{helm}");
    }
}

#[test]
fn the_audit_log_tells_readers_from_writers() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("audited");
    let chart = Chart::new("6.14.0").write(plane);
    plane.tools().helm4(&["install", RELEASE, &chart, "--namespace", &namespace]).succeeded();

    let ((), asked) = plane.audit().during(plane.api(), || {
        plane.tools().kubectl(&["get", "deployments", "--namespace", &namespace]).succeeded();
        plane.api().scale(BROWSER, &namespace, DEPLOYMENT, 4);
    });

    let verbs_of = |agent: &str| -> Vec<&str> {
        let mut verbs: Vec<_> = asked
            .iter()
            .filter(|asked| asked.agent.starts_with(agent))
            .filter(|asked| asked.uri.contains(&namespace))
            .map(|asked| asked.verb.as_str())
            .collect();
        verbs.sort_unstable();
        verbs
    };
    assert_eq!(verbs_of("kubectl/"), ["list"], "{asked:#?}");
    assert_eq!(verbs_of("Mozilla/"), ["patch"], "{asked:#?}");
}

#[test]
fn a_pasted_command_runs_in_a_shell_with_our_programs_first() {
    let Some(plane) = planes::shared() else { return };
    let namespace = plane.namespace("pasted");

    let pasted = format!("kubectl --context shared -n {namespace} create configmap 'a name'");
    let refused = plane.tools().shell(&pasted).failed();
    let pasted = format!("kubectl --context shared -n {namespace} create configmap it && command -v kubectl");
    let done = plane.tools().shell(&pasted).succeeded();

    assert!(refused.stderr.contains("\"a name\""), "quotes reached kubectl: {refused}");
    let assets = Assets::find().expect("a plane runs, so there are assets");
    assert!(done.stdout.ends_with(&format!("{}/kubectl\n", assets.folder().display())), "{done}");
}

#[test]
fn a_taken_port_makes_it_start_over_with_others() {
    let Some(assets) = Assets::find() else { return };
    let squatter = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let taken = squatter.local_addr().expect("its number").port();
    let mut attempts = 0;

    let plane = ControlPlane::start_on(&assets, "squatted", || {
        attempts += 1;
        let free = Ports::free()?;
        Ok(match attempts {
            1 => Ports { etcd: taken, ..free },
            2 => Ports { apiserver: taken, ..free },
            3 => Ports { controller_manager: taken, ..free },
            _ => free,
        })
    });

    let plane = plane.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(plane.api().get("/readyz").status, 200);
    assert_eq!(attempts, 4);
}

#[test]
fn a_port_that_stays_taken_is_named() {
    let Some(assets) = Assets::find() else { return };
    let squatter = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let taken = squatter.local_addr().expect("its number").port();

    let failure = ControlPlane::start_on(&assets, "squatted", || Ok(Ports { etcd: taken, ..Ports::free()? }))
        .err()
        .expect("no port for etcd")
        .to_string();

    assert!(failure.starts_with("etcd: a port that was free just now is taken"), "{failure}");
    assert!(failure.contains(&taken.to_string()), "{failure}");
}

#[test]
fn a_server_that_does_not_come_up_shows_its_last_words() {
    let Some(assets) = Assets::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [format!("--cert-dir={}", folder.path().display())];
    let program = assets.program("kube-apiserver");
    let mut apiserver =
        Guarded::start("kube-apiserver", folder.path(), &program, &arguments).expect("it starts");

    let failure = await_ready(&mut [&mut apiserver], SOON, || None::<()>).expect_err("no etcd").to_string();

    assert!(failure.starts_with("kube-apiserver ended (exit status: 1)"), "{failure}");
    assert!(failure.contains("etcd-servers"), "{failure}");
}

#[test]
fn a_server_that_never_gets_ready_shows_its_last_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = sh(folder.path(), "for n in $(seq 30); do echo line $n; done; exec sleep 600");
    wait::expect("its output", SOON, || {
        let log = server.log();
        if log.contains("line 30\n") { Ok(()) } else { Err(log) }
    });

    let limit = Duration::from_millis(300);
    let failure = await_ready(&mut [&mut server], limit, || None::<()>).expect_err("a limit").to_string();

    assert!(failure.contains("not ready within 300ms"), "{failure}");
    assert!(failure.contains("line 11\n") && failure.contains("line 30\n"), "{failure}");
    assert!(!failure.contains("line 10\n"), "the last 20 lines are enough: {failure}");
}

#[test]
fn a_full_disk_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = sh(folder.path(), "echo 'write /x/db: no space left on device' >&2; exit 2");

    let of_the_server = await_ready(&mut [&mut server], SOON, || None::<()>).expect_err("a full disk");
    let of_the_harness =
        control_plane::write(Path::new("/dev/full"), "text").expect_err("a full disk").to_string();

    assert!(matches!(of_the_server, StartFailure::DiskFull { .. }), "{of_the_server}");
    assert!(of_the_server.to_string().contains("TMPDIR"), "{of_the_server}");
    assert!(of_the_harness.contains("/dev/full: No space left on device"), "{of_the_harness}");
}

#[test]
fn missing_programs_are_skipped_or_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("etcd"), "").expect("a file");
    let set = Some(OsString::from(folder.path()));
    let required = || Some(OsString::from("1"));

    assert!(matches!(Assets::look(None, None), Ok(None)));
    assert!(matches!(Assets::look(Some(OsString::new()), None), Ok(None)));
    let unset_in_ci = Assets::look(None, required()).expect_err("required");
    let incomplete = Assets::look(set, None).expect_err("incomplete");

    assert!(unset_in_ci.contains("tests/rig/build"), "{unset_in_ci}");
    assert!(incomplete.contains("lacks kube-apiserver, kube-controller-manager, helm4"), "{incomplete}");
}

#[test]
fn nothing_is_left_when_a_test_panics_or_its_process_dies() {
    for end in ["panic", "abort", "kill"] {
        let program = std::env::current_exe().expect("this test program");
        let mut victim = Command::new(program)
            .args(["--ignored", "--exact", "--nocapture", "rig::victim"])
            .env("VICTIM_END", end)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs again");
        let output = BufReader::new(victim.stdout.take().expect("its output"));
        let line = output
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("victim: ").map(|(_, rest)| rest.to_owned()))
            .expect("the victim's line");
        let (server, folder) = line.split_once(' ').expect("two words");
        let (server, folder) = (Path::new("/proc").join(server), PathBuf::from(folder));
        assert!(end != "kill" || (server.exists() && folder.exists()), "it was alive: {line}");

        if end == "kill" {
            victim.kill().expect("kill -9");
        }
        let status = victim.wait().expect("its end");

        assert!(!status.success(), "{end}: {status}");
        wait::expect(&format!("nothing left after {end}"), SOON, || {
            if server.exists() || folder.exists() { Err(line.clone()) } else { Ok(()) }
        });
    }
}

/// Not a test: what the one above runs in a process of its own.
#[test]
#[ignore = "run by nothing_is_left_when_a_test_panics_or_its_process_dies"]
fn victim() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = sh(folder.path(), "echo $$; exec sleep 600");
    let pid = wait::expect("the server's process", SOON, || {
        let log = server.log();
        log.strip_suffix('\n').map(str::to_owned).ok_or(log)
    });
    println!("victim: {pid} {}", folder.path().display());
    match std::env::var("VICTIM_END").as_deref() {
        Ok("panic") => panic!("as a failing test does"),
        Ok("abort") => std::process::abort(),
        _ => drop(wait::until(Duration::from_secs(600), || Err::<(), ()>(()))),
    }
}

fn sh(folder: &Path, script: &str) -> Guarded {
    let arguments = ["-c".to_owned(), script.to_owned()];
    Guarded::start("server", folder, Path::new("/bin/sh"), &arguments).expect("a shell")
}

#[test]
fn namespaces_keep_tests_apart() {
    let Some(plane) = planes::shared() else { return };
    let (one, other) = (plane.namespace("apart"), plane.namespace("apart"));
    let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "it"}});

    plane.api().send(HARNESS, Verb::Create, &format!("/api/v1/namespaces/{one}/configmaps"), &body).ok();
    let missing = plane.api().get(&format!("/api/v1/namespaces/{other}/configmaps/it"));

    assert_eq!(missing.status, 404, "{missing:?}");
}
