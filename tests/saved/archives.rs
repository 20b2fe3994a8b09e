//! Archives, whole and hostile.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use helm_forensics::source::resources;
use helm_forensics::source::saved::{FromSpec, Limits, Saved};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::dump::{Dump, cluster, names, open, paths, pod, troubles};

type Members<'a> = &'a [(&'a str, &'a [u8])];

fn tar(members: Members<'_>) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // Written by hand: the crate itself refuses names that point out of the archive.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: Members<'_>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Sets the flag "encrypted" of every member.
fn locked(mut zip: Vec<u8>) -> Vec<u8> {
    for at in 0..zip.len() - 10 {
        match &zip[at..at + 4] {
            b"PK\x03\x04" => zip[at + 6] |= 1,
            b"PK\x01\x02" => zip[at + 8] |= 1,
            _ => {}
        }
    }
    zip
}

#[test]
fn archives_are_told_by_content() {
    let (a, b) = (pod("shop", "a"), pod("shop", "b"));
    let members: Members<'_> =
        &[("./x/clusters/c-prod/pods.json", a.as_bytes()), ("./x/clusters/c-stage/pods.json", b.as_bytes())];
    for (form, bytes) in [
        ("tar", tar(members)),
        ("tar.gz", gzip(&tar(members))),
        ("zip", zip(members)),
        ("tar in tar.gz", gzip(&tar(&[("inner", &tar(members))]))),
        ("tar.gz in zip", zip(&[("inner.bin", &gzip(&tar(members)))])),
        ("zip in tar", tar(&[("inner", &zip(members))])),
    ] {
        for name in ["bundle", "bundle.tar.gz", "bundle.txt"] {
            let dump = Dump::new().file(name, &bytes);
            let saved = open(&[FromSpec::path(dump.path(name))]);
            assert_eq!(names(&saved), ["c-prod", "c-stage"], "{form} as {name}");
            assert_eq!(paths(&cluster(&saved, "c-prod"), resources::PODS), ["shop/a"], "{form} as {name}");
            assert_eq!(troubles(&saved), [""; 0], "{form} as {name}");
        }
    }
}

#[test]
fn an_archive_without_clusters_is_a_cluster_of_its_own() {
    let upstream = gzip(&tar(&[("pods.json", pod("shop", "a").as_bytes())]));
    let prod = zip(&[("pods.json", pod("shop", "b").as_bytes())]);
    let saved = Dump::new().file("upstream.tar.gz", &upstream).file("c-prod.zip", &prod);
    assert_eq!(names(&saved.open().unwrap()), ["c-prod", "upstream"]);
}

#[test]
fn what_came_before_a_cut_is_used_and_said() {
    let list =
        format!(r#"{{"kind":"List","apiVersion":"v1","items":[{},{}]}}"#, pod("shop", "b"), pod("shop", "c"));
    // Noise keeps the packed bytes from ending long before the cut.
    let noise: Vec<u8> = (0u32..400_000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let whole = gzip(&tar(&[
        ("a.json", pod("shop", "a").as_bytes()),
        ("list.json", list.as_bytes()),
        ("noise.log", &noise),
        ("z.json", pod("shop", "z").as_bytes()),
    ]));
    let dump = Dump::new().file("cut.tar.gz", &whole[..whole.len() / 2]);
    let saved = open(&[FromSpec::named("x", dump.path("cut.tar.gz"))]);
    assert_eq!(paths(&cluster(&saved, "x"), resources::PODS), ["shop/a", "shop/b", "shop/c"]);
    let troubles = troubles(&saved);
    assert!(
        troubles.iter().any(|trouble| trouble.contains("the archive ends before its end")),
        "{troubles:?}"
    );
}

#[test]
fn hostile_members_are_left_out_aloud() {
    let a = pod("shop", "a");
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Block, tar::EntryType::Fifo] {
        header.set_entry_type(kind);
        header.set_size(0);
        archive.append_data(&mut header, format!("{kind:?}.json"), &[][..]).unwrap();
    }
    let mut bytes = archive.into_inner().unwrap();
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(tar(&[("../../etc/cron.d/x.json", a.as_bytes()), ("ok.json", a.as_bytes())]));
    let dump = Dump::new().file("x.tar", &bytes);
    let saved = open(&[FromSpec::path(dump.path("x.tar"))]);
    assert_eq!(paths(&cluster(&saved, "x"), resources::PODS), ["shop/a"]);
    assert_eq!(
        troubles(&saved),
        [
            "Symlink.json, Link.json: links are not followed",
            "Block.json, Fifo.json: not a regular file",
            "../../etc/cron.d/x.json: its name points out of the archive",
        ]
    );
}

#[test]
fn a_locked_zip_is_said() {
    let a = pod("shop", "a");
    let dump = Dump::new().file("x.zip", locked(zip(&[("a.json", a.as_bytes())])));
    let error = Saved::open(&[FromSpec::path(dump.path("x.zip"))], Limits::default()).err().unwrap();
    assert!(error.to_string().contains("a.json: locked with a password"), "{error}");
}

#[test]
fn bombs_are_bounded() {
    let small = Limits { file_bytes: 1 << 20, archive_bytes: 4 << 20, files: 3, ..Limits::default() };
    let a = pod("shop", "a");
    let zeros = vec![b' '; 3 << 20];
    let first: (&str, &[u8]) = ("a.json", a.as_bytes());
    let huge = format!("{}{}", pod("shop", "b"), " ".repeat(3 << 20));
    let ratio = Limits { ratio: 50, ratio_from: 1 << 20, ..Limits::default() };
    for (limits, what, bytes) in [
        (small, "it is larger than 1048576 bytes", gzip(&tar(&[first, ("b.json", huge.as_bytes())]))),
        (small, "it is larger than 1048576 bytes", zip(&[first, ("b.json", huge.as_bytes())])),
        (small, "it unpacks to more than 4194304 bytes", gzip(&tar(&[first, ("b", &zeros), ("c", &zeros)]))),
        (ratio, "it unpacks to more than 50 times its size", gzip(&tar(&[first, ("b", &zeros)]))),
        (ratio, "it unpacks to more than 50 times its size", zip(&[first, ("b", &zeros)])),
        (small, "it has more than 3 members", tar(&[first, ("b", b""), ("c", b""), ("d", b"")])),
        (small, "it has more than 3 members", zip(&[first, ("b", b""), ("c", b""), ("d", b"")])),
        (
            small,
            "an archive inside an archive inside an archive is not opened",
            tar(&[first, ("b", &gzip(&tar(&[("c", &gzip(&tar(&[first])))])))]),
        ),
    ] {
        let dump = Dump::new().file("x", &bytes);
        let saved = Saved::open(&[FromSpec::named("x", dump.path("x"))], limits)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(paths(&cluster(&saved, "x"), resources::PODS)[0], "shop/a", "{what}");
        let troubles = troubles(&saved);
        assert!(troubles.iter().any(|trouble| trouble.ends_with(what)), "{what}: {troubles:?}");
    }
}
