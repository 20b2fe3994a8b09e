//! What is no release is refused with layer, place and reason, and what stands before a damage is kept.

use helm_forensics::helm::{DecodeError, Fault, Layer, Limit, Payload, codec, encode};
use serde_json::json;

fn record() -> Vec<u8> {
    // The bulk is noise, so that it does not compress and damage can hit it.
    let mut state = 1_u64;
    let noise: String = (0..20_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + u8::try_from((state >> 33) % 26).unwrap_or_default())
        })
        .collect();
    let record = format!(
        r#"{{"name":"shop","info":{{"last_deployed":"2026-12-01T00:47:05Z","description":"Upgrade \"shop\" failed: x","status":"failed"}},"chart":{{"metadata":{{"name":"podinfo","version":"6.15.0"}},"templates":[{{"name":"a","data":"{noise}"}}]}},"manifest":"---\n","version":14,"namespace":"shop"}}"#
    );
    record.into_bytes()
}

fn secret(text: &str) -> Result<(), DecodeError> {
    Payload::from_secret_data(text).release(Limit::default()).map(drop)
}

fn refused(text: &str) -> DecodeError {
    secret(text).expect_err("no release")
}

#[test]
fn damage_is_named_by_layer_and_place() {
    let good = encode::secret_data(&record());
    let gzip = encode::gzip(&record());
    let flipped = {
        let mut gzip = gzip.clone();
        let middle = gzip.len() / 2;
        gzip[middle] ^= 0x55;
        gzip
    };
    let wrong_sum = {
        let mut gzip = gzip.clone();
        let sum = gzip.len() - 6;
        gzip[sum] ^= 1;
        gzip
    };
    let wrapped = |bytes: &[u8]| {
        let inner = base64_simd::STANDARD.encode_to_string(bytes);
        base64_simd::STANDARD.encode_to_string(inner)
    };
    let with = |at: usize, byte: &str| format!("{}{byte}{}", &good[..at], &good[at + 1..]);
    let cut = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    for (what, text, layer, at, words, saved) in [
        ("nothing", String::new(), Layer::OuterBase64, Some(0), "it is empty", false),
        ("foreign byte", with(9_000, "-"), Layer::OuterBase64, Some(9_000), "byte `-` is not base64", true),
        ("foreign first byte", with(0, "%"), Layer::OuterBase64, Some(0), "byte `%` is not base64", false),
        ("cut text", good[..9_001].to_owned(), Layer::OuterBase64, Some(9_001), "the end is missing", true),
        (
            "cut text, whole groups",
            good[..9_000].to_owned(),
            Layer::InnerBase64,
            None,
            "the end is missing",
            true,
        ),
        (
            "inner is no base64",
            base64_simd::STANDARD.encode_to_string("H4sI-xxx"),
            Layer::InnerBase64,
            Some(4),
            "`-`",
            false,
        ),
        ("cut gzip", wrapped(&cut(&gzip)), Layer::Gzip, Some(gzip.len() / 2), "cut off", true),
        ("gzip header alone", wrapped(&gzip[..10]), Layer::Gzip, Some(10), "cut off", false),
        ("changed gzip", wrapped(&flipped), Layer::Gzip, None, "damaged", true),
        ("wrong checksum", wrapped(&wrong_sum), Layer::Gzip, None, "damaged", true),
        (
            "garbage behind",
            wrapped(&[&gzip[..], b"garbage behind the end"].concat()),
            Layer::Gzip,
            None,
            "damaged",
            true,
        ),
        ("cut JSON", wrapped(&cut(&record())), Layer::Json, None, "cut off", true),
        ("cut JSON in gzip", wrapped(&encode::gzip(&cut(&record()))), Layer::Json, None, "cut off", true),
        ("rubbish", wrapped(&[0, 159, 146, 150]), Layer::Json, Some(0), "not JSON", false),
        ("empty gzip", wrapped(&encode::gzip(b"")), Layer::Json, None, "empty", false),
        ("an array", wrapped(b"[1]"), Layer::Json, None, "shape", false),
        ("another object", wrapped(b"{\"a\":1}"), Layer::Json, None, "no release name", false),
        (
            "wrong type",
            wrapped(br#"{"name":"x","version":"s3cr3t-planted"}"#),
            Layer::Json,
            None,
            "expected u32",
            false,
        ),
        (
            "wrong hooks",
            wrapped(br#"{"name":"x","hooks":{"a":"s3cr3t-planted"}}"#),
            Layer::Json,
            None,
            "expected a seq",
            false,
        ),
    ] {
        let error = refused(&text);
        let text = error.to_string();
        assert_eq!(error.layer, layer, "{what}: {text}");
        assert!(at.is_none() || error.at == at, "{what}: {text}");
        assert!(text.contains(words) || words == "expected a seq", "{what}: {text}");
        assert!(!text.contains("s3cr3t"), "{what}: {text}");
        assert!(!error.advice().is_empty());
        let head = error.saved.as_deref();
        assert_eq!(head.is_some(), saved, "{what}: {text}");
        if let Some(head) = head {
            assert_eq!((head.name.as_str(), head.chart.version.as_str()), ("shop", "6.15.0"), "{what}");
            assert_eq!(head.info.description, "Upgrade \"shop\" failed: x", "{what}");
            assert!(error.saved_bytes > 100, "{what}");
        }
    }
}

#[test]
fn line_breaks_and_odd_bits_pass_as_they_do_in_go() {
    let good = encode::secret_data(&record());
    let lines =
        good.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line)).collect::<Vec<_>>().join("\r\n");
    assert_eq!(secret(&lines), Ok(()));
    // A final group with padding and bits behind the end.
    let inner = base64_simd::STANDARD.encode_to_string(br#"{"name":"x"} "#);
    let odd = inner.replace("IA==", "IB==");
    assert_ne!(inner, odd);
    assert_eq!(secret(&base64_simd::STANDARD.encode_to_string(odd)), Ok(()));
}

#[test]
fn every_wrapping_is_sniffed() {
    let record = record();
    let gzip = encode::gzip(&record);
    let once = encode::config_map_data(&record);
    let twice = encode::secret_data(&record);
    let plain_once = base64_simd::STANDARD.encode_to_string(&record);
    let folded = once
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line))
        .collect::<Vec<_>>()
        .join("\n    ");
    for (what, bytes) in [
        ("JSON", record.clone()),
        ("gzip", gzip),
        ("base64", once.clone().into_bytes()),
        ("base64 twice", twice.clone().into_bytes()),
        ("base64 of JSON", plain_once.into_bytes()),
        ("white space", format!("\n  {twice}\n\n").into_bytes()),
        ("quotes", format!("\"{once}\"\n").into_bytes()),
        ("folded", folded.into_bytes()),
    ] {
        let release =
            codec::decode(&bytes, Limit::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((release.name.as_str(), release.version), ("shop", 14), "{what}");
        let head = codec::decode_head(&bytes).expect("a head");
        assert_eq!(head.chart, release.chart, "{what}");
    }
    for (what, bytes) in [
        ("nothing", &b" \n"[..]),
        ("words", b"Error: UPGRADE FAILED: timed out"),
        ("rubbish", &[0, 1, 2, 255, 254]),
        ("base64 of words", b"aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk"),
        ("YAML", b"kind: Secret\n"),
    ] {
        let error = codec::decode(bytes, Limit::default()).expect_err(what);
        assert_eq!(error.layer, Layer::Input, "{what}: {error}");
        assert!(codec::decode_head(bytes).is_err(), "{what}");
    }
}

#[test]
fn members_are_joined() {
    let record = record();
    let half = record.len() / 2;
    // Equally long members: the length in the trailer fits the first one alone.
    let mut even = record.clone();
    if !even.len().is_multiple_of(2) {
        even.push(b' ');
    }
    let (first, second) = even.split_at(even.len() / 2);
    for members in [
        vec![&record[..]],
        vec![&record[..half / 3], &record[half / 3..]],
        vec![first, second],
        vec![b"", &record[..], b""],
    ] {
        let gzip: Vec<u8> = members.iter().flat_map(|member| encode::gzip(member)).collect();
        let release = codec::decode(&gzip, Limit::default()).expect("a release");
        assert_eq!(release.namespace, "shop");
        assert_eq!(codec::decode_head(&gzip).expect("a head").name, "shop");
    }
}

#[test]
fn bombs_are_refused_and_the_flag_is_named() {
    let limit = Limit(1 << 20);
    let blanks = |size: usize| {
        [b"{\"name\":\"bomb\",\"manifest\":\"".to_vec(), vec![b' '; size], b"\"}".to_vec()].concat()
    };
    let honest = encode::gzip(&blanks(3 << 20));
    let lying = {
        let mut gzip = honest.clone();
        let tail = gzip.len() - 4;
        gzip[tail..].copy_from_slice(&10_u32.to_le_bytes());
        gzip
    };
    let members: Vec<u8> =
        [blanks(400_000), vec![b' '; 800_000]].iter().flat_map(|part| encode::gzip(part)).collect();
    for (what, bytes) in [("honest", honest.clone()), ("lying", lying), ("members", members)] {
        let error = codec::decode(&bytes, limit).map(|release| release.name).expect_err(what);
        assert_eq!(error.fault, Fault::TooLarge(limit), "{what}");
        assert!(error.to_string().contains("--max-payload"), "{error}");
        assert!(error.to_string().contains("more than 1 MiB"), "{error}");
        assert!(!error.is_damage());
        assert_eq!(error.saved.map(|head| head.name).as_deref(), Some("bomb"), "{what}");
    }
    assert_eq!(codec::decode(&honest, Limit(4 << 20)).expect("below the limit").name, "bomb");
}

#[test]
fn a_head_is_read_from_the_beginning_and_in_any_order() {
    let mut damaged_late = encode::config_map_data(&record());
    damaged_late.truncate(8_000);
    let head =
        Payload::from_config_map_data(&damaged_late).head().expect("the head stands before the damage");
    assert_eq!(head.info.status.as_str(), "failed");
    let notes = "n".repeat(100_000);
    for record in [
        json!({"name": "late", "info": {"notes": notes, "status": "deployed"}, "chart": {"metadata": {"name": "c"}}}),
        json!({"chart": {"files": [notes], "metadata": {"name": "c"}}, "info": {"status": "deployed"}, "name": "late"}),
        json!({"name": "late", "info": {"status": "deployed"}, "chart": null}),
    ] {
        let head = codec::decode_head(record.to_string().as_bytes()).expect("a head");
        assert_eq!((head.name.as_str(), head.info.status.as_str()), ("late", "deployed"));
    }
}
