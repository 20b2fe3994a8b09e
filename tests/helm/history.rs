//! Histories of the recordings tell the revisions that their case.json names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use helm_forensics::helm::{Cause, Causes, History, Missing, Revision, WhyMissing};
use serde_json::Value;

use crate::recorded::{files, revision};

struct Case {
    findings: Vec<Value>,
    histories: Vec<(String, History)>,
}

fn cases() -> &'static BTreeMap<String, Case> {
    static CASES: OnceLock<BTreeMap<String, Case>> = OnceLock::new();
    CASES.get_or_init(read_cases)
}

fn read_cases() -> BTreeMap<String, Case> {
    let mut cases = BTreeMap::new();
    for file in files("/case.json") {
        let findings = file.whole["findings"].as_array().cloned().unwrap_or_default();
        cases.insert(file.case().to_owned(), Case { findings, histories: Vec::new() });
    }
    for file in files("/secrets.json") {
        let secrets = file.items.iter().filter(|item| item["type"] == "helm.sh/release.v1");
        let case = cases.get_mut(file.case()).expect("a case.json");
        for history in History::group(secrets.map(revision)) {
            case.histories.push((file.cluster().to_owned(), history));
        }
    }
    cases
}

/// Plain Helm and Fleet: there the recorded revision is the one that failed. Flux and k3s often name the
/// healthy newest one beside a reason that never became a revision.
fn tells_revisions(case: &str) -> bool {
    case.starts_with("helm-") || case.starts_with("fleet-")
}

#[test]
fn causes_are_the_revisions_that_the_recordings_name() {
    let (mut told, mut wrong) = (0, Vec::new());
    for (case, Case { findings, histories }) in cases() {
        for (cluster, history) in histories.iter().filter(|_| tells_revisions(case)) {
            let title = format!("{}/{}", history.namespace, history.name);
            let recorded = |healed: bool| -> BTreeSet<u32> {
                let of_release = findings.iter().filter(|finding| {
                    finding["release"] == title.as_str()
                        && (finding["cluster"].is_null() || finding["cluster"] == cluster.as_str())
                        && finding["class"].is_string()
                        && finding["healed"].as_bool().unwrap_or_default() == healed
                });
                of_release.filter_map(|finding| finding["revision"].as_u64()?.try_into().ok()).collect()
            };
            let numbers = |revisions: &mut dyn Iterator<Item = &Revision>| -> BTreeSet<u32> {
                revisions.map(Revision::number).collect()
            };
            let causes = history.causes();
            let causes = numbers(&mut causes.causes.iter().map(|cause| cause.revision()));
            let healed = numbers(&mut history.healed());
            let failed = numbers(&mut history.healed().chain(history.unhealed()));
            told += causes.len();
            // Older failures of a release that fails again are recorded too, healed in between or not.
            let is_right = causes.is_subset(&recorded(false))
                && causes.last() == recorded(false).last()
                && recorded(false).iter().all(|number| causes.contains(number) || failed.contains(number))
                && recorded(true).is_subset(&healed);
            if !is_right {
                let recorded = (recorded(false), recorded(true));
                wrong.push(format!(
                    "{case} {title}: causes {causes:?}, healed {healed:?}, recorded {recorded:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(told, 161);
}

#[test]
fn an_atomic_upgrade_tells_its_reason_one_revision_back() {
    let cases = cases();
    let (_, history) =
        cases["helm-atomic-h3"].histories.iter().find(|(_, one)| one.name == "upg").expect("upg");
    assert_eq!(history.newest().map(|newest| newest.description()), Some(Some("Rollback to 1")));
    let Causes { causes, lost } = history.causes();
    assert!(matches!(causes[..], [Cause::Failed(revision)] if revision.number() == 2), "{causes:?}");
    assert_eq!(lost, None);
}

#[test]
fn a_short_history_tells_how_many_tries_it_lost() {
    let cases = cases();
    let (_, history) = &cases["helm-history-limit-h4"].histories[0];
    assert_eq!(
        history.missing(),
        [
            Missing { first: 1, last: 1, why: WhyMissing::HistoryLimit },
            Missing { first: 3, last: 7, why: WhyMissing::Retries },
        ]
    );
    assert_eq!(history.tries_lost(), 5);
    assert_eq!(history.deployed().map(Revision::number), Some(2));
}

#[test]
fn a_damaged_newest_record_is_seen_although_helm_skips_it() {
    let cases = cases();
    for case in ["helm-damaged-h3", "helm-damaged-h4"] {
        let (_, history) = &cases[case].histories[0];
        assert!(matches!(history.causes().causes[..], [Cause::Damaged(revision)] if revision.number() == 3));
        let newest = history.newest().expect("revision 3");
        assert!(newest.status().failed() && newest.meta.was_changed_by_hand());
        assert_eq!(newest.meta.last_writer.as_deref(), Some("kubectl-patch"));
    }
}

#[test]
fn only_the_payloads_that_matter_are_asked_for() {
    for case in cases().values() {
        for (_, history) in &case.histories {
            let mut seen = BTreeMap::new();
            let mut rounds = 0;
            let known = loop {
                let revisions = history.revisions().iter().map(|full| Revision {
                    payload: seen.get(&full.number()).cloned(),
                    meta: full.meta.clone(),
                });
                let known = History::group(revisions).remove(0);
                let needed = known.payloads_needed();
                if needed.is_empty() {
                    break known;
                }
                rounds += 1;
                for number in needed {
                    let full = history.revision(number).expect("a stored revision");
                    seen.insert(number, full.payload.clone().expect("a payload"));
                }
            };
            let of = |history: &History| -> Vec<u32> {
                history.causes().causes.iter().map(|cause| cause.revision().number()).collect()
            };
            assert_eq!(of(&known), of(history), "{}", history.name);
            assert!(rounds <= 4, "{rounds} rounds for {}", history.name);
        }
    }
}
