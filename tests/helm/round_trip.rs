//! What is encoded as Helm does decodes to the same, and nothing makes the decoder panic.

use helm_forensics::helm::{Limit, Payload, codec, encode};
use proptest::prelude::*;
use serde_json::{Value, json};

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ]
}

fn config() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".*", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #[test]
    fn records_survive(
        name in "[a-z][a-z0-9-]{0,52}",
        description in ".*",
        manifest in "(?s).*",
        config in config(),
        version in any::<u32>(),
        method in prop::option::of("[a-z]{3}"),
    ) {
        let record = json!({
            "name": name, "info": {"description": description, "status": "failed"}, "chart": {"metadata": {"name": name}},
            "config": config, "manifest": manifest, "version": version, "namespace": name, "apply_method": method,
        });
        let json = record.to_string();
        let secret = encode::secret_data(json.as_bytes());
        let config_map = encode::config_map_data(json.as_bytes());
        for payload in [
            Payload::from_secret_data(&secret),
            Payload::from_config_map_data(&config_map),
            Payload::sniff(json.as_bytes()).expect("JSON"),
        ] {
            let release = payload.release(Limit::default()).expect("a release");
            prop_assert_eq!(&release.name, &name);
            prop_assert_eq!(&release.info.description, &description);
            prop_assert_eq!(&release.manifest, &manifest);
            prop_assert_eq!(release.config.clone().unwrap_or_default(), config.clone());
            prop_assert_eq!((release.version, &release.apply_method), (version, &method));
            prop_assert_eq!(payload.json(Limit::default()).expect("a record"), record.clone());
            prop_assert_eq!(payload.head().expect("a head").info, release.info);
        }
    }

    #[test]
    fn any_bytes_are_a_release_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = codec::decode(&bytes, Limit(1 << 16));
        let _ = codec::decode_head(&bytes);
        let mut gzip = vec![0x1f, 0x8b, 0x08];
        gzip.extend(&bytes);
        let _ = codec::decode(&gzip, Limit(1 << 16));
        let text = String::from_utf8_lossy(&bytes);
        let _ = Payload::from_secret_data(&text).release(Limit(1 << 16));
        let _ = Payload::from_config_map_data(&text).head();
    }

    #[test]
    fn one_changed_byte_is_a_release_or_an_error(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let record = json!({"name": "shop", "info": {"status": "failed"}, "chart": {}, "manifest": "x".repeat(300)});
        let mut text = encode::secret_data(record.to_string().as_bytes()).into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        if let Ok(text) = std::str::from_utf8(&text) {
            let _ = Payload::from_secret_data(text).release(Limit::default());
        }
        let _ = codec::decode(&text, Limit::default());
    }
}
