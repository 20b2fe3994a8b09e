//! Every recorded payload decodes, at every level, to the same.

use helm_forensics::helm::{Driver, Fault, Layer, Limit, Payload, Revision, RevisionMeta};

use crate::recorded::release_secrets;

#[test]
fn every_recorded_payload_decodes_but_the_two_damaged_ones() {
    let secrets = release_secrets();
    assert_eq!(secrets.len(), 656);
    let mut damaged = Vec::new();
    for (case, secret) in &secrets {
        let text = secret["data"]["release"].as_str().expect("data.release");
        let meta = RevisionMeta::from_object(secret, Driver::Secret).expect("metadata");
        let payload = Payload::from_secret_data(text);
        let release = match payload.release(Limit::default()) {
            Ok(release) => release,
            Err(error) => {
                assert_eq!(error.layer, Layer::InnerBase64);
                assert_eq!((error.at, &error.fault), (Some(15), &Fault::NotBase64(b'-')));
                damaged.push((case.as_str(), meta.revision));
                continue;
            }
        };
        let name = &meta.object_name;
        assert_eq!((&release.name, release.version), (&meta.release, meta.revision), "{case} {name}");
        assert_eq!(release.info.status, meta.status, "{case} {name}");
        assert!(release.info.last_deployed.is_some() && !release.manifest.is_empty(), "{case} {name}");
        let head = payload.head().expect("a head");
        assert_eq!((&head.info, &head.chart), (&release.info, &release.chart), "{case} {name}");
        let json = payload.json(Limit::default()).expect("the record");
        assert_eq!(json["info"]["description"], release.info.description.as_str(), "{case} {name}");
        let created = meta.created.expect("creationTimestamp");
        let revision = Revision { meta, payload: Some(Ok(release)) };
        assert_eq!(revision.started(), Some(created));
    }
    assert_eq!(damaged, [("helm-damaged-h3", 3), ("helm-damaged-h4", 3)]);
}
