//! 1 MB of log with failures in it, against reading it (`grep -c ''` is `memchr` for line feeds).

use helm_forensics::failure::{classify, find_in};

fn main() {
    divan::main();
}

/// Lines as a fleet-agent and helm print them, one failure in a hundred.
fn log() -> String {
    const QUIET: &str =
        "2026-12-01T01:00:00Z INFO reconciled bundledeployment default/shop in 12ms, nothing to do\n";
    const LOUD: &str = "2026-12-01T01:00:01Z ERROR failed deploying bundle: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas\n";
    let mut log = String::with_capacity(1 << 20);
    while log.len() < 1 << 20 {
        (0..99).for_each(|_| log.push_str(QUIET));
        log.push_str(LOUD);
    }
    log
}

/// The same with every text of the corpus in it once, each different from the others: the most that a real
/// log of one bad day could hold.
fn dense_log() -> String {
    let corpus = include_str!("../fixtures/failures.jsonl");
    let texts = corpus.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let texts: Vec<String> = texts.filter_map(|it| Some(it["text"].as_str()?.to_owned())).collect();
    let quiet = "2026-12-01T01:00:00Z INFO reconciled bundledeployment default/shop in 12ms, nothing to do\n";
    let words: usize = texts.iter().map(String::len).sum();
    let between = ((1 << 20) - words) / quiet.len() / texts.len();
    let mut log = String::with_capacity(1 << 20);
    for text in texts {
        (0..between).for_each(|_| log.push_str(quiet));
        log.push_str(&text);
        log.push('\n');
    }
    log
}

#[divan::bench]
fn find_in_1_mb_with_the_whole_corpus(bencher: divan::Bencher<'_, '_>) {
    let log = dense_log();
    bencher.bench_local(|| {
        let mut found = 0;
        find_in(divan::black_box(log.as_bytes()), |_| found += 1).map(|()| found)
    });
}

#[divan::bench]
fn find_in_1_mb(bencher: divan::Bencher<'_, '_>) {
    let log = log();
    bencher.bench_local(|| {
        let mut found = 0;
        find_in(divan::black_box(log.as_bytes()), |_| found += 1).map(|()| found)
    });
}

#[divan::bench]
fn classify_1_mb(bencher: divan::Bencher<'_, '_>) {
    let text = log();
    bencher.bench_local(|| classify(divan::black_box(&text)));
}

#[divan::bench]
fn count_lines_1_mb(bencher: divan::Bencher<'_, '_>) {
    let log = log();
    bencher.bench_local(|| memchr::memchr_iter(b'\n', divan::black_box(log.as_bytes())).count());
}

#[divan::bench]
fn classify_one_description(bencher: divan::Bencher<'_, '_>) {
    let text = "Upgrade \"shop\" failed: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas";
    bencher.bench_local(|| classify(divan::black_box(text)));
}
