//! What holds for every text.

use helm_forensics::failure::{classify, find};
use helm_forensics::redact;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = classify(&text);
        let _ = find(&text);
        let _ = redact::text(&text);
        let _ = redact::harmless(&text, false);
    }

    /// Pieces of real formats in any order: borders of spans and of characters.
    #[test]
    fn any_pieces_are_read(pieces in proptest::collection::vec(prop_oneof![
        Just("Invalid value: ".to_owned()), Just("{\"a\":\"".to_owned()), Just("}".to_owned()), Just("\\\"".to_owned()),
        Just(" modified {".to_owned()), Just("conflict with \"".to_owned()), Just("...|".to_owned()),
        Just("Apply failed with 2 conflicts: conflicts with \"m\" using v1:\n- .a[".to_owned()),
        Just("\u{2502}\n\u{2502}".to_owned()), Just("password=".to_owned()), Just(" && ".to_owned()), "\\PC{0,6}",
        Just("original upgrade error: ".to_owned()), Just("error occurred:\n\t* ".to_owned()),
    ], 0..24)) {
        let text = pieces.concat();
        let _ = classify(&text);
        let once = redact::text(&text).into_owned();
        let _ = redact::text(&once);
    }

    /// A value never survives in the formats that quote one.
    #[test]
    fn no_value_survives(value in "[a-zA-Z0-9 ,:=!#$%&*+/<>?@^_`~-]{8,40}", nested in any::<bool>()) {
        let value = format!("Zq{value}qZ");
        let json = format!(r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"env":[{{"name":"A","value":"{value}"}}],"name":"c"}}]}}}}}}}}"#);
        let escaped = serde_json::to_string(&json).expect("a JSON string");
        let texts = [
            format!("deployment.apps a/b modified {json}; service.v1 a/c missing"),
            format!("Modified(1) [Cluster f/c]; deployment.apps a/b modified {json}"),
            format!("Job.batch \"j\" is invalid: spec.template: Invalid value: {json}: field is immutable"),
            format!("cannot patch \"x\" with kind Deployment:  \"\" is invalid: patch: Invalid value: {escaped}: json: x"),
            format!("spec.template: Invalid value: core.P{{Env:[]core.EnvVar{{core.EnvVar{{Name:\"A\", Value:\"{value}\"}}}}}}: field is immutable"),
            format!("The order in patch list:\n[map[name:A value:{value}]]\n doesn't match $setElementOrder list:\n[map[name:A]]"),
        ];
        for text in texts {
            let text = if nested { serde_json::json!({ "error": text }).to_string() } else { text };
            let shown = redact::text(&text).into_owned();
            prop_assert!(!shown.contains(&value), "{}", shown);
            let failure = serde_json::to_string(&classify(&text)).expect("JSON");
            prop_assert!(!failure.contains(&value), "{}", failure);
        }
    }
}
