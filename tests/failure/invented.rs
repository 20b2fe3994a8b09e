//! `fixtures/failures-invented.jsonl`: other kinds, names, wrappers and carriers around the same format strings.

use helm_forensics::failure::classify;
use serde_json::Value;

#[test]
fn other_words_in_the_same_formats_have_their_class() {
    let text = std::fs::read_to_string("fixtures/failures-invented.jsonl").expect("the texts");
    let mut wrong = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a JSON row");
        let text = row["text"].as_str().expect("a text");
        match classify(text) {
            Some(failure) if row["class"] == failure.class.0 => {
                let printed = serde_json::to_string(&failure).expect("JSON");
                assert!(!printed.contains("hunter2-secret"), "{printed}");
            }
            Some(failure) => {
                wrong.push(format!(
                    "{} is {} ({:?}): {text}",
                    row["class"], failure.class, failure.confidence
                ));
            }
            None => wrong.push(format!("{} is none: {text}", row["class"])),
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
