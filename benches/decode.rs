//! Decoding a release payload against the floor: the same unwrapping with nothing read from the JSON.
//!
//! `cargo bench --bench decode` prints the ratios first, both sides interleaved in one run (minimum and
//! median), then divan's own tables.

use std::hint::black_box;
use std::time::{Duration, Instant};

use base64_simd::{Out, STANDARD};
use divan::Bencher;
use helm_forensics::helm::{Decoder, Limit, Payload, encode};
use libdeflater::Decompressor;
use serde::de::IgnoredAny;
use serde_json::json;

/// JSON bytes; a Secret holds 1 MiB of Helm's base64, so 5 MB is the top.
const SIZES: [usize; 3] = [100_000, 1_000_000, 5_000_000];

const ROUNDS: usize = 200;

fn main() {
    println!(
        "size       : gzip  floor min  view min   ratio  floor median  view median  ratio  release/floor  head"
    );
    for size in SIZES {
        ratio(size);
    }
    divan::main();
}

#[divan::bench(args = SIZES)]
fn floor(bencher: Bencher<'_, '_>, size: usize) {
    let text = payload(size);
    let mut floor = Floor::default();
    bencher.bench_local(|| floor.run(text.as_bytes()));
}

#[divan::bench(args = SIZES)]
fn view(bencher: Bencher<'_, '_>, size: usize) {
    let text = payload(size);
    let mut decoder = Decoder::new(Limit::default());
    bencher.bench_local(|| view_once(&mut decoder, &text));
}

#[divan::bench(args = SIZES)]
fn release(bencher: Bencher<'_, '_>, size: usize) {
    let text = payload(size);
    let mut decoder = Decoder::new(Limit::default());
    bencher.bench_local(|| decoder.release(&Payload::from_secret_data(&text)).map(|release| release.version));
}

#[divan::bench(args = SIZES)]
fn head(bencher: Bencher<'_, '_>, size: usize) {
    let text = payload(size);
    bencher.bench_local(|| Payload::from_secret_data(&text).head().map(|head| head.name));
}

fn view_once(decoder: &mut Decoder, text: &str) -> u32 {
    let payload = Payload::from_secret_data(text);
    let view = decoder.view(&payload).expect("a release");
    black_box(&view);
    view.version.unwrap_or_default()
}

/// What no decoder can do without: base64 twice, inflate, and walking over the JSON.
#[derive(Default)]
struct Floor {
    binary: Vec<u8>,
    json: Vec<u8>,
    inflater: Decompressor,
}

impl Floor {
    fn run(&mut self, text: &[u8]) -> usize {
        self.binary.resize(text.len(), 0);
        let inner = STANDARD.decode(text, Out::from_slice(&mut self.binary)).expect("base64").len();
        let gzip = STANDARD.decode_inplace(&mut self.binary[..inner]).expect("base64");
        let tail: [u8; 4] = gzip[gzip.len() - 4..].try_into().expect("four bytes");
        let size = u32::from_le_bytes(tail) as usize;
        self.json.resize(size, 0);
        let size = self.inflater.gzip_decompress(gzip, &mut self.json).expect("gzip");
        let _: IgnoredAny = serde_json::from_slice(&self.json[..size]).expect("JSON");
        size
    }
}

fn ratio(size: usize) {
    let text = payload(size);
    let (mut floor, mut decoder) = (Floor::default(), Decoder::new(Limit::default()));
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        times[0].push(timed(|| floor.run(text.as_bytes())));
        times[1].push(timed(|| view_once(&mut decoder, &text)));
        times[2].push(timed(|| {
            decoder.release(&Payload::from_secret_data(&text)).map(|release| release.version)
        }));
        times[3].push(timed(|| Payload::from_secret_data(&text).head().map(|head| head.name)));
    }
    let [floor, view, release, head] = times.map(|mut times: Vec<Duration>| {
        times.sort();
        (times[0], times[times.len() / 2])
    });
    let share = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!(
        "{size:<10} {:<6.2} {:<10.1?} {:<10.1?} {:<6.3} {:<13.1?} {:<12.1?} {:<6.3} {:<14.3} {:.1?}",
        decoder.sizes().json as f64 / decoder.sizes().compressed as f64,
        floor.0,
        view.0,
        share(view.0, floor.0),
        floor.1,
        view.1,
        share(view.1, floor.1),
        share(release.0, floor.0),
        head.0,
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// `data.release` of a Secret with about this much JSON: templates 60 %, like Helm's own (rust-guide 2).
fn payload(size: usize) -> String {
    let mut noise = Noise(0x5eed);
    let templates: Vec<_> = (0..20)
        .map(|n| {
            let data = STANDARD.encode_to_string(noise.yaml(size * 6 / 10 / 20 * 3 / 4));
            json!({"name": format!("templates/{n}.yaml"), "data": data, "modtime": "1970-01-01T00:00:00Z"})
        })
        .collect();
    // The order in which Helm writes; serde_json would sort the keys.
    let record = format!(
        r#"{{"name":"shop","info":{{"first_deployed":"2026-12-01T00:44:55Z","last_deployed":"2026-12-01T00:47:05Z","description":"Upgrade complete","status":"deployed"}},"chart":{{"metadata":{{"name":"podinfo","version":"6.15.0","apiVersion":"v2","appVersion":"6.15.0","annotations":{{"fleet.cattle.io/bundle-id":"shop-shop"}}}},"lock":null,"templates":{},"values":{},"schema":null,"files":null}},"config":{},"manifest":{},"version":14,"namespace":"shop","apply_method":"ssa"}}"#,
        json!(templates),
        json!({"replicas": 2, "image": {"tag": "6.15.0"}}),
        json!({"replicas": 4}),
        json!(noise.yaml(size * 36 / 100)),
    );
    encode::secret_data(record.as_bytes())
}

/// Seeded pseudo-random text (a linear congruential generator is random enough for this).
struct Noise(u64);

impl Noise {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// Lines of a manifest, some of them unique, so that it compresses as charts do (3.5 to 4.7 : 1).
    fn yaml(&mut self, size: usize) -> String {
        const LINES: [&str; 12] = [
            "apiVersion: apps/v1",
            "kind: Deployment",
            "metadata:",
            "  labels:",
            "    app.kubernetes.io/managed-by: Helm",
            "spec:",
            "      containers:",
            "        - name: web",
            "          image: \"{{ .Values.image.repository }}:{{ .Values.image.tag }}\"",
            "          resources: {{- toYaml .Values.resources | nindent 12 }}",
            "              port: http",
            "          env:",
        ];
        let mut text = String::with_capacity(size + 100);
        while text.len() < size {
            let line = LINES.get(usize::try_from(self.next(24)).unwrap_or_default());
            match line {
                Some(line) => text.push_str(line),
                None => text.push_str(&format!("    hash-{}: {:08x}", self.next(100), self.next(1 << 31))),
            }
            text.push('\n');
        }
        text
    }
}
