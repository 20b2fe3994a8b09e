//! `fixtures/recorded.tar.gz`: the description or message of every finding that has one.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use helm_forensics::failure::classify_revision;
use serde_json::Value;

/// Every `case.json`, by case.
pub fn cases() -> BTreeMap<String, Value> {
    let file = std::fs::File::open("fixtures/recorded.tar.gz").expect("the recordings");
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let mut cases = BTreeMap::new();
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").to_string_lossy().into_owned();
        if let Some(case) = path.strip_suffix("/case.json") {
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("UTF-8");
            let case = case.rsplit('/').next().unwrap_or(case).to_owned();
            cases.insert(case, serde_json::from_str(&text).expect("JSON"));
        }
    }
    cases
}

/// Texts that stand beside a finding and do not tell its class: successes, and what the k3s job says.
const TELLS_NOTHING: [&str; 13] = [
    "successfully synced (all tasks run)",
    "Upgrade complete",
    "Install complete",
    "Upgrading helm chart",
    "Installing helm chart",
    "Uninstalling failed helm chart\nInstalling helm chart",
    "one or more synchronization tasks completed unsuccessfully (retried 1 times).",
    "Job has reached configured number of retries without succeeding",
    "Release status is 'failed' and failure policy is 'abort'; waiting for operator intervention",
    "Current release revision 1 does not match expected revision 2",
    "ImagePullBackOff",
    "ContainerCreating",
    "",
];

#[test]
fn every_text_of_a_finding_has_its_class() {
    let mut wrong = Vec::new();
    let mut texts = 0;
    for (case, json) in cases() {
        for finding in json["findings"].as_array().into_iter().flatten() {
            let Some(class) = finding["class"].as_str() else { continue };
            for key in ["description", "message"] {
                let Some(text) = finding[key].as_str().filter(|text| !TELLS_NOTHING.contains(&text.trim()))
                else {
                    continue;
                };
                texts += 1;
                let told = classify_revision(finding["status"].as_str().unwrap_or_default(), text);
                let told = told.map(|failure| failure.class.0);
                // A newer commit that waits stands in two objects' revisions, not in the text of the older try.
                let queued = class == "sync.queued" && told.is_some();
                if told != Some(class) && !queued {
                    wrong.push(format!(
                        "{case}: {class} is {told:?}: {}",
                        text.chars().take(200).collect::<String>()
                    ));
                }
            }
        }
    }
    assert!(texts > 200, "only {texts} texts");
    assert!(wrong.is_empty(), "{} of {texts}:\n{}", wrong.len(), wrong.join("\n"));
}
