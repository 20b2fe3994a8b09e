//! The ways out, run as `why` prints them: a shell gets the text and nothing else.

use serde_json::Value;

use crate::harness::api::BROWSER;
use crate::harness::chart::DEPLOYMENT;
use crate::harness::managed_fields::Owner;
use crate::harness::tools::Outcome;
use crate::shop::{Shop, helm};

/// Which of the printed ways a test is about, by the program's verb.
const GIVE_BACK: &str = " scale ";
const DROP_ENTRY: &str = " patch ";

impl Shop {
    /// The commands of the one safe way whose commands hold a verb.
    #[track_caller]
    fn printed(&self, verb: &str) -> Vec<String> {
        let ways = self.why().safe_ways();
        let mut chosen: Vec<_> =
            ways.iter().filter(|way| way.iter().any(|command| command.contains(verb))).collect();
        match (chosen.pop(), chosen.is_empty()) {
            (Some(way), true) => way.clone(),
            _ => panic!("not one safe way with {verb:?}: {ways:#?}"),
        }
    }

    fn paste(&self, commands: &[String]) -> Vec<Outcome> {
        commands.iter().map(|command| self.plane.tools().shell(command)).collect()
    }

    #[track_caller]
    fn paste_with_success(&self, commands: &[String]) {
        self.paste(commands).into_iter().for_each(|outcome| drop(outcome.succeeded()));
    }
}

/// Who holds the field after `kubectl scale`, which takes it over from whoever scaled before.
fn kubectl() -> Owner {
    Owner::new("kubectl", "Update", "scale")
}

#[test]
fn giving_the_field_back_lands_the_next_upgrade_and_leaves_a_co_owner() {
    let Some(shop) = Shop::refused("paste-scale") else { return };

    shop.paste_with_success(&shop.printed(GIVE_BACK));
    shop.upgrade(3).succeeded();

    assert_eq!(shop.newest().status, "deployed");
    assert_eq!(shop.replicas_owners(), [helm(), kubectl()]);

    // It said that the next change of that value conflicts again.
    shop.upgrade(5).failed();
    let again = shop.why();
    let conflict = &again.only()["conflicts"][0];
    let values = (&conflict["manager"], &conflict["wanted"], &conflict["live"]);
    assert_eq!(values, (&Value::from("kubectl"), &Value::from(5), &Value::from(3)));

    // And it helps a second time.
    shop.await_quiet(3);
    shop.paste_with_success(&shop.printed(DROP_ENTRY));
    shop.upgrade(5).succeeded();
    assert_eq!(shop.replicas_owners(), [helm()]);
}

#[test]
fn dropping_the_entry_lands_the_next_upgrade_and_leaves_helm_alone() {
    let Some(shop) = Shop::refused("paste-patch") else { return };

    shop.paste_with_success(&shop.printed(DROP_ENTRY));

    shop.assert_helms_alone_after_the_drop();
}

#[test]
fn dropping_the_entry_is_refused_when_somebody_else_scaled_since() {
    let Some(shop) = Shop::refused("paste-late") else { return };
    let printed = shop.printed(DROP_ENTRY);
    shop.plane.api().scale("k9s/0.50", &shop.namespace, DEPLOYMENT, 6);
    shop.await_quiet(6);
    let before = shop.deployment();

    shop.paste(&printed).into_iter().for_each(|outcome| drop(outcome.failed()));

    assert_eq!(shop.deployment(), before, "it said that a refused patch changes nothing");
    assert_eq!(shop.replicas_owners(), [Owner::new("k9s", "Update", "scale")]);
}

/// The printed tests pin the entry, which is the same after a second write of the same manager: the server
/// keeps no time for `scale`. So no refusal, and what else was promised holds all the same.
#[test]
fn dropping_the_entry_after_a_second_scale_by_the_same_browser_changes_no_value() {
    let Some(shop) = Shop::refused("paste-again") else { return };
    let printed = shop.printed(DROP_ENTRY);
    shop.plane.api().scale(BROWSER, &shop.namespace, DEPLOYMENT, 6);
    shop.await_quiet(6);

    shop.paste_with_success(&printed);

    assert_eq!(shop.deployment()["spec"]["replicas"], 6);
    shop.upgrade(3).succeeded();
    assert_eq!(shop.replicas_owners(), [helm()]);
}

#[test]
fn every_command_of_every_safe_way_is_one_of_those_above() {
    let Some(shop) = Shop::refused("paste-all") else { return };

    let ways = shop.why().safe_ways();

    let known = |way: &Vec<String>| {
        [GIVE_BACK, DROP_ENTRY].iter().any(|verb| way.iter().all(|command| command.contains(verb)))
    };
    assert!(ways.len() == 2 && ways.iter().all(known), "{ways:#?}");
}
